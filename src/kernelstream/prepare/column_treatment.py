"""What is done with one column, and the sentence that says so."""

from shlex import quote
from typing import NamedTuple

import numpy as np

from ..readers.text_numbers import BOOLEAN, CATEGORY, DATE, NUMBER
from . import categorical as one_hot
from .column_facts import ColumnFacts
from .column_rules import dated_integers, gives_target_away, identifier, unordered_codes
from .compression import Compression, compression
from .date_parts import TREND, DateParts, date_parts
from .nearly_empty import says_nothing

LEFT_OUT = "left out"
NEARLY_EMPTY = "left out: nearly empty"


class TreatedColumn(NamedTuple):
    """A column of the file, and what is done with it."""

    facts: ColumnFacts
    use: str  #: number, category, date, or left out
    done: str  #: in words
    note: str = ""  #: a sentence, if it is unusual
    parts: DateParts | None = None  #: of a date
    skewed: Compression | None = None  #: of a skewed number
    warning: str = ""


def treated(
    column: ColumnFacts, given: str | None, target: np.ndarray | None, codes: bool, hashed: bool, compress: bool,
    drawn: bool,
) -> TreatedColumn:  # fmt: skip
    """By the first rows. `given` is the kind that the user has given, if any: then nothing is guessed. `drawn`: whether
    the first rows are drawn from all."""
    name = repr(column.name)
    if given == DATE or (given is None and (column.kind == DATE or dated_integers(column))):
        return _date(column)
    if column.distinct <= 1:
        return _constant(column)
    why = identifier(column) if given is None else None
    if why is not None:
        way = f"--categorical {quote(column.name)}" if column.values is None else f"--numeric {quote(column.name)}"
        return TreatedColumn(column, LEFT_OUT, "left out: identifier", f"{name} is left out: {why}. Use it with {way}.")
    if column.values is None:
        return _text(column, hashed, forced=given is not None)
    if drawn and given is None and target is not None and says_nothing(column, target):
        return TreatedColumn(column, LEFT_OUT, NEARLY_EMPTY)
    if codes and given is None and target is not None and unordered_codes(column, target):
        note = (
            f"{name} has {column.distinct} different integers, in no order that matters to the target: they are "
            f"categories. Use it as a number with --numeric {quote(column.name)}."
        )
        return TreatedColumn(column, CATEGORY, f"integer codes, one-hot, {column.distinct} categories", note)
    found = compression(column.values) if compress and given is None else None
    done = "0 or 1" if column.kind == BOOLEAN else "numeric, skewed: compressed" if found else "numeric, scaled"
    return TreatedColumn(column, NUMBER, done, skewed=found)


def _constant(column: ColumnFacts) -> TreatedColumn:
    use, name = NUMBER if column.values is not None else CATEGORY, repr(column.name)
    if not column.distinct:
        note = f"{name} is empty in the first {column.rows:,} rows: it has no effect unless values follow."
        return TreatedColumn(column, use, "empty: no effect", note)
    if column.missing:
        # whether there is a value says something
        return TreatedColumn(column, use, "one value, or missing")
    note = f"{name} is constant in the first {column.rows:,} rows: it has no effect unless other values follow."
    return TreatedColumn(column, use, "constant: no effect", note)


def _date(column: ColumnFacts) -> TreatedColumn:
    name = repr(column.name)
    assert column.values is not None
    parts = date_parts(column.values)
    if not parts.parts:
        note = f"{name} is the same date in the first {column.rows:,} rows: it is left out."
        return TreatedColumn(column, LEFT_OUT, "left out: constant date", note)
    listed = ", ".join("year" if part == TREND else part for part in parts.parts)
    clock = "" if TREND in parts.parts else " It rises with the rows, so the date itself is not used."
    note = f"{name} is a date, expanded to {listed}.{clock} Use it as a number with --numeric {quote(column.name)}."
    return TreatedColumn(column, DATE, f"date, expanded to {listed}", note, parts)


def _text(column: ColumnFacts, hashed: bool, forced: bool) -> TreatedColumn:
    count = column.distinct + bool(column.missing)
    if hashed:
        return TreatedColumn(column, CATEGORY, f"hashed, {count:,} categories")
    if column.distinct <= one_hot.MAX_CATEGORIES or forced:
        return TreatedColumn(column, CATEGORY, f"one-hot, {count:,} categories")
    why = f"it has {column.distinct:,} categories in the first {column.rows:,} rows"
    note = f"{column.name!r} is left out: {why}. Hash them into columns with --hash 256 to use it."
    return TreatedColumn(column, LEFT_OUT, f"left out: {column.distinct:,} categories", note)


def with_warning(treated: TreatedColumn, target: np.ndarray | None) -> TreatedColumn:
    """With a warning, if a column that is used gives the target away."""
    column = treated.facts
    if target is None or treated.use == LEFT_OUT or not gives_target_away(column, target):
        return treated
    return treated._replace(
        warning=f"{column.name!r} alone predicts the target almost without error in the first {column.rows:,} "
        "rows. If it is not known yet when predictions are made, the model will be far worse than reported: leave it "
        f"out with --ignore {quote(column.name)}."
    )
