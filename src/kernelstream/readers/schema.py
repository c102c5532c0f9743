"""The columns of the data: numeric, categorical, and the target."""

from collections.abc import Sequence
from typing import Any, NamedTuple

TARGET_NAMES = ("target", "label", "class", "y")


class Options(NamedTuple):
    """How to read the data. None: detected."""

    format: str | None = None  #: one of `FORMATS`
    target: str | None = None  #: name, or position from 1, or from −1 at the end
    delimiter: str | None = None
    header: bool | None = None
    quotes: bool = True
    encoding: str = "utf-8"
    categorical: tuple[str, ...] = ()  #: columns of numbers to treat as categorical
    ignore: tuple[str, ...] = ()
    zero_based: bool = False  #: whether LIBSVM indices count from 0
    query: str | None = None  #: SELECT statement, or name of a table, of a database; never read from a model file


class Schema(NamedTuple):
    """The columns that are used, by name, in order. `pairs`: LIBSVM's index:value pairs, without column names."""

    numeric: tuple[str, ...] = ()
    categorical: tuple[str, ...] = ()
    target: str | None = None
    target_categorical: bool = False  #: whether targets are text
    pairs: bool = False
    header: bool = True  #: whether columns have names, or are numbered from 1
    width: int = 0  #: number of columns of the file
    target_needed: bool = True

    @property
    def features(self) -> tuple[str, ...]:
        return (*self.numeric, *self.categorical)

    @property
    def wanted_target(self) -> str | None:
        return self.target if self.target_needed else None

    def without_target(self) -> "Schema":
        """For rows to predict, whose target may be absent."""
        return self._replace(target_needed=False)

    @classmethod
    def from_dict(cls, saved: dict[str, Any]) -> "Schema":
        values: dict[str, Any] = {name: tuple(v) if isinstance(v, list) else v for name, v in saved.items()}
        return cls(**values)


def check_encoding(name: str) -> None:
    """A ValueError if an encoding is unknown, or not a superset of ASCII."""
    try:
        plain = "a,\n".encode(name) == b"a,\n"
    except LookupError:
        raise ValueError(f"unknown encoding {name!r}. Available: utf-8, latin-1, cp1252 and Python's others.") from None
    if not plain:
        raise ValueError(
            f"The encoding {name} is not supported. Convert it: iconv -f {name} -t UTF-8 FILE | kernelstream … -"
        )


def chosen_column(wanted: str, names: Sequence[str], file: str) -> str:
    """The column with a name, or at a position from 1, or from −1 at the end.

    >>> chosen_column("-1", ["a", "b", "c"], "data.csv"), chosen_column("b", ["a", "b", "c"], "data.csv")
    ('c', 'b')
    """
    if wanted in names:
        return wanted
    try:
        position = int(wanted)
    except ValueError:
        position = 0
    if 1 <= abs(position) <= len(names):
        return names[position - 1 if position > 0 else position]
    raise ValueError(f"{file} has no column {wanted!r}. Columns: {listed(names)}.")


def listed(names: Sequence[str], most: int = 20) -> str:
    """Names for a message, at most 20 of them."""
    more = f", … ({len(names)} in total)" if len(names) > most else ""
    return ", ".join(map(repr, names[:most])) + more


def choose(kinds: dict[str, bool], options: Options, file: str, header: bool = True) -> Schema:
    """The schema of a table from its columns: for each name, whether it is categorical."""
    names = list(kinds)
    target = _target(options, names, file)
    ignored = {chosen_column(name, names, file) for name in options.ignore}
    forced = {chosen_column(name, names, file) for name in options.categorical}
    used = [name for name in names if name != target and name not in ignored]
    if not used:
        raise ValueError(f"{file}: there are no feature columns besides the target. Columns: {listed(names)}.")
    categorical = [name for name in used if kinds[name] or name in forced]
    numeric = [name for name in used if not (kinds[name] or name in forced)]
    return Schema(tuple(numeric), tuple(categorical), target, kinds[target], header=header, width=len(names))


def _target(options: Options, names: list[str], file: str) -> str:
    if options.target is not None:
        return chosen_column(options.target, names, file)
    usual = [name for name in names if name.lower() in TARGET_NAMES]
    if len(usual) == 1:
        return usual[0]
    raise ValueError(
        f"{file}: which column is the target? Give its name or position with --target. Columns: {listed(names)}."
    )


def column_indices(schema: Schema, names: Sequence[str], file: str) -> dict[str, int]:
    """The index, in a file with these columns, of each column of the schema.

    >>> column_indices(Schema(("1", "3"), target="2", header=False, width=3).without_target(), ["1", "2"], "data.csv")
    {'1': 0, '3': 1}
    """
    if not schema.header and not schema.target_needed and len(names) == schema.width - 1:
        # the same table without its target: the columns after it have moved up by one
        names = [str(i + 1) for i in range(schema.width) if str(i + 1) != schema.target]
    found = {name: i for i, name in enumerate(names)}
    wanted = (*schema.features, *(() if schema.wanted_target is None else (schema.wanted_target,)))
    absent = [name for name in wanted if name not in found]
    if absent:
        raise ValueError(f"{file} has no column {listed(absent, 5)}, which is required. Columns: {listed(names)}.")
    return {name: found[name] for name in wanted}
