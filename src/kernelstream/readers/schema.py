"""What the columns of the data are: numbers, words, and the one to predict."""

from collections.abc import Sequence
from typing import Any, NamedTuple

TARGET_NAMES = ("target", "label", "class", "y")


class Options(NamedTuple):
    """How to read. None leaves it to the data."""

    format: str | None = None  #: one of `FORMATS`
    target: str | None = None  #: name, or position from 1, or from −1 at the end
    delimiter: str | None = None
    header: bool | None = None
    quotes: bool = True
    encoding: str = "utf-8"
    categorical: tuple[str, ...] = ()  #: columns of numbers that are names all the same
    ignore: tuple[str, ...] = ()
    zero_based: bool = False  #: whether LIBSVM indices count from 0


class Schema(NamedTuple):
    """The columns that are used, by name, in order. `pairs` is LIBSVM, whose columns have no names."""

    numbers: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    target: str | None = None
    target_words: bool = False  #: whether targets are text
    pairs: bool = False
    header: bool = True  #: whether columns have names, or only positions,
    width: int = 0  #: and then how many they are
    target_needed: bool = True

    @property
    def features(self) -> tuple[str, ...]:
        return (*self.numbers, *self.words)

    @property
    def wanted_target(self) -> str | None:
        return self.target if self.target_needed else None

    def without_target(self) -> "Schema":
        """For rows to predict, where the target may be absent."""
        return self._replace(target_needed=False)

    @classmethod
    def from_dict(cls, saved: dict[str, Any]) -> "Schema":
        values: dict[str, Any] = {name: tuple(v) if isinstance(v, list) else v for name, v in saved.items()}
        return cls(**values)


def check_encoding(name: str) -> None:
    """A ValueError if there is no such encoding, or lines do not end in it as they do in ASCII."""
    try:
        plain = "a,\n".encode(name) == b"a,\n"
    except LookupError:
        raise ValueError(f"There is no encoding {name!r}. There are utf-8, latin-1, cp1252, and many others.") from None
    if not plain:
        raise ValueError(f"Text in {name} is not read. Make it UTF-8: iconv -f {name} -t UTF-8 FILE | kernelstream … -")


def chosen_column(wanted: str, names: Sequence[str], file: str) -> str:
    """The column that a user means by a name or a position.

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
    raise ValueError(f"{file} has no column {wanted!r}. It has {listed(names)}.")


def listed(names: Sequence[str], most: int = 20) -> str:
    """Names in a sentence, not too many of them."""
    more = f", … ({len(names)} in all)" if len(names) > most else ""
    return ", ".join(map(repr, names[:most])) + more


def choose(kinds: dict[str, bool], options: Options, file: str, header: bool = True) -> Schema:
    """The schema of a table whose columns are so named, each with whether it is made of words."""
    names = list(kinds)
    target = _target(options, names, file)
    ignored = {chosen_column(name, names, file) for name in options.ignore}
    forced = {chosen_column(name, names, file) for name in options.categorical}
    used = [name for name in names if name != target and name not in ignored]
    if not used:
        raise ValueError(f"{file}: besides the target there is no column to learn from. It has {listed(names)}.")
    words = tuple(name for name in used if kinds[name] or name in forced)
    numbers = tuple(name for name in used if name not in words)
    return Schema(numbers, words, target, kinds[target], header=header, width=len(names))


def _target(options: Options, names: list[str], file: str) -> str:
    if options.target is not None:
        return chosen_column(options.target, names, file)
    usual = [name for name in names if name.lower() in TARGET_NAMES]
    if len(usual) == 1:
        return usual[0]
    raise ValueError(
        f"{file}: which column is to be predicted? Name it, or its position, with --target. It has {listed(names)}."
    )


def located(schema: Schema, names: Sequence[str], file: str) -> dict[str, int]:
    """Where a file with these columns has those of the schema.

    >>> located(Schema(("1", "3"), target="2", header=False, width=3).without_target(), ["1", "2"], "data.csv")
    {'1': 0, '3': 1}
    """
    if not schema.header and not schema.target_needed and len(names) == schema.width - 1:
        # the same table without its target: the columns after that have moved up
        names = [str(i + 1) for i in range(schema.width) if str(i + 1) != schema.target]
    places = {name: i for i, name in enumerate(names)}
    wanted = (*schema.features, *(() if schema.wanted_target is None else (schema.wanted_target,)))
    absent = [name for name in wanted if name not in places]
    if absent:
        raise ValueError(f"{file} has no column {listed(absent, 5)}, which is needed. It has {listed(names)}.")
    return {name: places[name] for name in wanted}
