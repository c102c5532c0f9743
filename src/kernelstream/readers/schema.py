"""The columns of the data: numeric, categorical, and the target; and what the user says about them."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from shlex import quote
from typing import Any, NamedTuple

from .text_numbers import BOOLEAN, CATEGORY, DATE, DECIMAL_COMMA, NUMBER, THOUSANDS, TRUTH, is_date, marks_of

NO_CODES = "none"  # among `Options.categorical`: integers are no categories unless they are named
TARGET_NAMES = ("target", "label", "class", "y")


class Options(NamedTuple):
    """How to read the data. None: detected."""

    format: str | None = None  #: one of `FORMATS`
    #: name, or position from 1, or from −1 at the end; several for regression, in a tuple or separated by commas
    target: str | tuple[str, ...] | None = None
    target_needed: bool = True  #: whether it is an error if no column is known to be the target
    delimiter: str | None = None
    header: bool | None = None
    quotes: bool = True
    encoding: str = "utf-8"
    categorical: tuple[str, ...] = ()  #: columns that are categorical, whatever they look like; see also `NO_CODES`
    numeric: tuple[str, ...] = ()  #: columns that are numbers, whatever they look like
    dates: tuple[str, ...] = ()  #: columns that are dates, whatever they look like
    ignore: tuple[str, ...] = ()
    na: tuple[str, ...] = ()  #: more cells that are missing values, beside the usual ones
    zero_based: bool = False  #: whether LIBSVM indices count from 0
    query: str | None = None  #: SELECT statement, or name of a table, of a database; never read from a model file
    keep: tuple[str, ...] = ()  #: columns to copy to the output of predictions, as text
    weight: str | None = None  #: column with the weights of rows: name or position


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
    #: how the text of numeric columns, and of a numeric target, is read if not as decimals: see `TEXT_KINDS`
    kinds: Mapping[str, str] = {}
    given: Mapping[str, str] = {}  #: the kinds that the user has given: number, category or date
    na: tuple[str, ...] = ()  #: of `Options`
    notes: tuple[str, ...] = ()  #: sentences about the columns, for the user
    weight: str | None = None  #: column with the weights of rows, which is no feature
    more_targets: tuple[str, ...] = ()  #: further columns to predict, of numbers, beside `target`

    @property
    def features(self) -> tuple[str, ...]:
        return (*self.numeric, *self.categorical)

    @property
    def wanted_target(self) -> str | None:
        return self.target if self.target_needed else None

    @property
    def targets(self) -> tuple[str, ...]:
        """All columns to predict."""
        return () if self.target is None else (self.target, *self.more_targets)

    def without_target(self) -> "Schema":
        """For rows to predict, whose target may be absent."""
        return self._replace(target_needed=False, weight=None)

    @property
    def as_read(self) -> "Schema":
        """For reading: further targets and the weights of rows as the last numeric columns, which `RowBlock.split`
        takes apart again."""
        more = self.more_targets if self.target_needed else ()
        weight = () if self.weight is None else (self.weight,)
        return self._replace(numeric=(*self.numeric, *more, *weight), weight=None, more_targets=())

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


def numbered(names: Sequence[str]) -> tuple[list[str], list[str]]:
    """Names that are all different, and a note about each that is not unique.

    >>> numbered(["x", "y", "x", "x_2", "x"])[0]
    ['x', 'y', 'x_3', 'x_2', 'x_4']
    """
    counts, taken, found = Counter(names), set(names), list[str]()
    seen = set[str]()
    for name in names:
        unique, number = name, 2
        while unique in (seen if unique == name else taken):
            unique, number = f"{name}_{number}", number + 1
        seen.add(unique)
        taken.add(unique)
        found.append(unique)
    notes = []
    for name, count in counts.items():
        if count > 1:
            others = [new for old, new in zip(names, found, strict=True) if old == name][1:]
            notes.append(
                f"{count} columns are named {name!r}: after the first, they are called {listed(others, 5)}. If the "
                "first line is not a header, use --no-header."
            )
    return found, notes


def choose(
    kinds: Mapping[str, str | None], options: Options, file: str, header: bool = True, notes: Sequence[str] = (),
    unusable: Callable[[str], str] = str, texts: Mapping[str, Sequence[str]] = {},
) -> Schema:  # fmt: skip
    """The schema of a table from its columns: for each name its kind, "" for numbers. A column whose kind is None is
    left out; `unusable` says what is in it, as in "has arrays". `texts` has the first cells of columns of text."""
    names, found = list(kinds), {name: kind or "" for name, kind in kinds.items()}
    targets = _targets(options, names, file)
    target, more = (targets[0], targets[1:]) if targets else (None, ())
    ignored = {chosen_column(name, names, file) for name in options.ignore}
    given = _given(options, names, file)
    for name, kind in given.items():
        if kind == DATE and found[name] == CATEGORY:
            raise _not_dates(name, file)
        found[name] = "" if kind == NUMBER and found[name] == CATEGORY else found[name]
    weight = None if options.weight is None else chosen_column(options.weight, names, file)
    if weight is not None and weight in targets:
        raise ValueError(f"{file}: column {weight!r} is the target, and cannot be --weight as well.")
    for name in targets if more else ():
        if found[name] in (CATEGORY, BOOLEAN) or is_date(found[name]):
            what = "a date" if is_date(found[name]) else "text"
            raise ValueError(f"{file}: column {name!r} is {what}, and several targets must all be numbers.")
    if weight is not None and (found[weight] == CATEGORY or is_date(found[weight])):
        what = "text" if found[weight] == CATEGORY else "a date"
        raise ValueError(f"{file}: column {weight!r} is {what}, and --weight needs a column of numbers.")
    left_out = [name for name, kind in kinds.items() if kind is None and name not in ignored]
    for name in left_out:
        if name in (*targets, weight, *given):
            raise ValueError(f"{file}: column {name!r} {unusable(name)}, neither numbers nor text: it cannot be used.")
    ignored |= set(left_out)
    notes = [*notes, *(f"{name!r} is left out: it {unusable(name)}, neither numbers nor text." for name in left_out)]
    used = [name for name in names if name not in (*targets, weight) and name not in ignored]
    if not used:
        raise ValueError(f"{file}: there are no feature columns besides the target. Columns: {listed(names)}.")
    categorical = [name for name in used if given.get(name, found[name]) == CATEGORY]
    numeric = [name for name in used if name not in categorical]
    guessed = {name: found[name] or NUMBER for name in numeric if name not in given and name in texts}
    marks = {name: marks_of(texts[name], kind, options.na) for name, kind in guessed.items()}
    elsewhere = {text.strip() for name in (*targets, weight) if name is not None for text in texts.get(name, ())}
    marks = {name: [text for text in unread if text not in elsewhere] for name, unread in marks.items()}
    notes += [
        f"{listed(unread, 5)} in the column {name!r} of numbers {'stands' if len(unread) == 1 else 'stand'} for a "
        f"missing value. For a column of categories: --categorical {quote(name)}."
        for name, unread in marks.items() if unread
    ]  # fmt: skip
    # labels such as yes and no, or 5 stars, stay text
    labels = target is not None and found[target] not in ("", NUMBER, THOUSANDS, DECIMAL_COMMA, TRUTH)
    others = [] if labels else list(targets)
    others += [] if weight is None else [weight]
    read = {name: found[name] for name in (*numeric, *others) if found[name]}
    return Schema(
        tuple(numeric), tuple(categorical), target, labels, header=header, width=len(names), kinds=read,
        given={name: kind for name, kind in given.items() if name in used},
        na=(*options.na, *dict.fromkeys(text for unread in marks.values() for text in unread)), notes=tuple(notes),
        weight=weight, more_targets=more,
    )  # fmt: skip


def _given(options: Options, names: list[str], file: str) -> dict[str, str]:
    """The kinds of columns that the user has given."""
    found = dict[str, str]()
    for kind, wanted in ((CATEGORY, options.categorical), (NUMBER, options.numeric), (DATE, options.dates)):
        for name in wanted:
            if kind == CATEGORY and name == NO_CODES and name not in names:
                continue
            column = chosen_column(name, names, file)
            if found.get(column, kind) != kind:
                raise ValueError(f"The column {column!r} is said to be a {found[column]} and a {kind}. Name it once.")
            found[column] = kind
    return found


def _not_dates(name: str, file: str) -> ValueError:
    return ValueError(
        f"{file}: the first cells of column {name!r} are not dates that can be read (--date {quote(name)}). Write "
        "them as 2024-01-31, 2024-01-31 13:05:00, 31.01.2024 or 01/31/2024, or leave the column out (--ignore)."
    )


def _targets(options: Options, names: list[str], file: str) -> tuple[str, ...]:
    if options.target is not None:
        wanted = options.target
        if isinstance(wanted, str):
            # a name may contain a comma
            wanted = (wanted,) if wanted in names else tuple(part.strip() for part in wanted.split(","))
        found = tuple(chosen_column(name, names, file) for name in wanted)
        for i, name in enumerate(found):
            if name in found[:i]:
                raise ValueError(f"{file}: column {name!r} is named as a target twice.")
        return found
    usual = [name for name in names if name.lower() in TARGET_NAMES]
    if len(usual) == 1:
        return (usual[0],)
    if not options.target_needed:
        return ()
    raise ValueError(
        f"{file}: which column is the target? Give its name or position with --target. Columns: {listed(names)}."
    )


def column_indices(schema: Schema, names: Sequence[str], file: str) -> dict[str, int]:
    """The index, in a file with these columns, of each column of the schema.

    >>> column_indices(Schema(("1", "3"), target="2", header=False, width=3).without_target(), ["1", "2"], "data.csv")
    {'1': 0, '3': 1}
    """
    if not schema.header and not schema.target_needed and len(names) == schema.width - len(schema.targets):
        # the same table without its targets: the columns after them have moved up
        names = [str(i + 1) for i in range(schema.width) if str(i + 1) not in schema.targets]
    found = {name: i for i, name in enumerate(names)}
    wanted = (*schema.features, *(() if schema.wanted_target is None else (schema.wanted_target,)))
    absent = [name for name in wanted if name not in found]
    if absent:
        raise ValueError(f"{file} has no column {listed(absent, 5)}, which is required. Columns: {listed(names)}.")
    return {name: found[name] for name in wanted}
