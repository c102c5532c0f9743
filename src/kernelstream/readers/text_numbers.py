"""Kinds of columns of text that are read as numbers: decimals in several notations, true and false, dates and times.

A kind is decided once, by the first cells of a column, and saved with the model by its name.
"""

import math
import re
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from .cells import MAX_BAD_FRACTION, MISSING, number
from .text_dates import DATES, EITHER, parse_date

NUMBER, BOOLEAN, CATEGORY, DATE = "number", "boolean", "category", "date"
THOUSANDS, DECIMAL_COMMA = "number, thousands comma", "number, decimal comma"
TRUTH = "true or false"  # of a type of its own; another file may have it as text
_UNIT = r"(?:[$€£¥%]|USD|EUR|GBP|CHF)"
_EXPONENT = r"(?:[eE][-+]?[0-9]+)?"
_FORMS = {
    THOUSANDS: rf"(?:[1-9][0-9]{{0,2}}(?:,[0-9]{{3}})+|[0-9]+)?(?:\.[0-9]*)?{_EXPONENT}",
    DECIMAL_COMMA: rf"(?:[1-9][0-9]{{0,2}}(?:[. '’\xa0][0-9]{{3}})+|[0-9]+)?(?:,[0-9]*)?{_EXPONENT}",
}
# bookkeepers write a negative number as (1.50), and some systems as 1.50-
_PATTERNS = {kind: rf"^\s*[-+(]?\s*{_UNIT}?\s*[-+]?{form}\s*{_UNIT}?\s*[-)]?\s*$" for kind, form in _FORMS.items()}
_COMPILED = {kind: re.compile(pattern) for kind, pattern in _PATTERNS.items()}
_MARKS = rf"{_UNIT}|[\s'’\xa0]"  # removed before a number is parsed
_NEGATIVE = r"^(?:\(([0-9.,]+)\)|([0-9.,]+)-)$"  # afterwards
WITH_UNIT = ", with the unit "
_ENDING = re.compile(r"\s*[-+]?[0-9.,'’ \xa0]*[0-9][.,]?\s*([^\s0-9.,'’()+-][^0-9]{0,14}?)\s*")
_POWERS = {"k": 1e3, "m": 1e6, "b": 1e9, "g": 1e9, "t": 1e12}
_SHORTENED = re.compile(r"\s*[$€£]?\s*([-+]?[0-9]*\.?[0-9]+)\s*([kKmMbBgGtT]?)(?:[bB]|iB)?\s*")
_HEXADECIMAL = re.compile(r"\s*0[xX][0-9a-fA-F]{1,13}\s*")  # float64 has room for 53 bits
_TRUTH = dict.fromkeys(("true", "yes", "t", "y", "on"), 1.0) | dict.fromkeys(("false", "no", "f", "n", "off"), 0.0)


class TextKind(NamedTuple):
    """How the cells of a column are read."""

    parse: Callable[[str], float | None]  #: the number of a cell, or None
    #: the same for pyarrow's strings at once, none of them missing: an array of float64, or None if it cannot
    convert: Callable[[Any], Any] | None = None
    wanted: str = "a number"  #: for the message about a cell that is not


def _unmarked(text: str, kind: str) -> str:
    text = re.sub(_NEGATIVE, r"-\1\2", re.sub(_MARKS, "", text))
    return text.replace(",", "") if kind == THOUSANDS else text.replace(".", "").replace(",", ".")


def _written(kind: str) -> TextKind:
    """A decimal in a notation of its own."""

    def parse(text: str) -> float | None:
        return number(_unmarked(text, kind)) if _COMPILED[kind].match(text) else None

    def convert(texts: Any) -> Any:
        import pyarrow
        from pyarrow import compute

        if not compute.all(compute.match_substring_regex(texts, _PATTERNS[kind])).as_py():
            return None
        texts = compute.replace_substring_regex(texts, _MARKS, "")
        texts = compute.replace_substring_regex(texts, _NEGATIVE, r"-\1\2")
        dropped, point = (",", ".") if kind == THOUSANDS else (".", ",")
        texts = compute.replace_substring(compute.replace_substring(texts, dropped, ""), point, ".")
        try:
            return texts.cast(pyarrow.float64())
        except pyarrow.ArrowException:
            return None

    return TextKind(parse, convert, f"a {kind} (like {'1,234.5' if kind == THOUSANDS else '1.234,5'})")


def _dated(kind: str) -> TextKind:
    return TextKind(lambda text: parse_date(text, kind), DATES[kind].convert, f"a {kind}")


def _with_unit(kind: str) -> TextKind:
    """Numbers that are followed by a unit, which is part of the kind's name: another unit is not read."""
    plain, _, unit = kind.partition(WITH_UNIT)

    def parse(text: str) -> float | None:
        return TEXT_KINDS[plain].parse(text.strip().removesuffix(unit))

    return TextKind(parse, wanted=f"a number like 5 {unit}")


def _shortened(text: str) -> float | None:
    found = _SHORTENED.fullmatch(text)
    value = None if found is None else number(found[1])
    return None if found is None or value is None else value * _POWERS.get(found[2].lower(), 1.0)


class _Kinds(dict[str, TextKind]):
    def __missing__(self, kind: str) -> TextKind:
        if kind.partition(WITH_UNIT)[0] not in _UNITED:
            raise KeyError(kind)
        self[kind] = _with_unit(kind)
        return self[kind]


TEXT_KINDS: dict[str, TextKind] = _Kinds({
    NUMBER: TextKind(number),
    BOOLEAN: TextKind(lambda text: _TRUTH.get(text.strip().lower()), wanted="true or false, yes or no"),
    TRUTH: TextKind(lambda text: (_TRUTH | {"1": 1.0, "0": 0.0}).get(text.strip().lower()), wanted=TRUTH),
    THOUSANDS: _written(THOUSANDS),
    DECIMAL_COMMA: _written(DECIMAL_COMMA),
    "number, K and M": TextKind(_shortened, wanted="a number like 1.5K or 2M"),
    "number, hexadecimal": TextKind(
        lambda text: float(int(text, 16)) if _HEXADECIMAL.fullmatch(text) else None, wanted="a number like 0x1F"
    ),
} | {kind: _dated(kind) for kind in DATES})  # fmt: skip
_UNITED = (NUMBER, THOUSANDS, DECIMAL_COMMA)
_MONTH_OR_DAY = set[str]().union(*EITHER)
_OF_TEXT = [kind for kind in TEXT_KINDS if kind != TRUTH]


def is_date(kind: str | None) -> bool:
    return kind in DATES


def is_missing(text: str, more: Sequence[str] = ()) -> bool:
    """Whether a cell of a numeric column says that there is no value: one of `MISSING`, or of `more`."""
    text = text.strip()
    return text.lower() in MISSING or text in more


def read_number(text: str, kind: str = NUMBER, more: Sequence[str] = ()) -> float | None:
    """The number of a cell, NaN for a missing value, None if it is neither.

    >>> read_number("1.234,5 €", DECIMAL_COMMA), read_number("?"), read_number("Yes", BOOLEAN), read_number("x")
    (1234.5, nan, 1.0, None)
    """
    found = TEXT_KINDS[kind].parse(text)
    return math.nan if found is None and is_missing(text, more) else found


def kind_of(texts: Sequence[str], more: Sequence[str] = ()) -> str:
    """The kind of a column with these first cells: the one that reads most of them, if that is nine tenths.

    >>> kind_of(["1", "", "2"]), kind_of(["1", "a"]), kind_of(["1"] * 30 + ["a"]), kind_of(["1,5", "2"])
    ('number', 'category', 'number', 'number, decimal comma')
    >>> kind_of(["31.12.2024", "1.2.2025"]), kind_of(["3/4/2024"]), kind_of(["3/14/2024"]), kind_of(["yes", "no"])
    ('date day.month.year', 'category', 'date month/day/year', 'boolean')
    """
    present = [text for text in texts if not is_missing(text, more)]
    most, bad = int(MAX_BAD_FRACTION * len(present)), dict[str, int]()
    for kind in _OF_TEXT:
        bad[kind] = _bad(present, kind, most)
        if not bad[kind] and kind not in _MONTH_OR_DAY:
            return kind
    best = min(bad, key=lambda kind: bad[kind])  # the first of several
    unclear = any(best in pair and len({bad[kind] for kind in pair}) == 1 for pair in EITHER)  # which is the day?
    if bad[best] <= most:
        return CATEGORY if unclear else best
    unit = _unit_of(present)
    united = [f"{plain}{WITH_UNIT}{unit}" for plain in _UNITED] if unit else []
    return next((kind for kind in united if _bad(present, kind, most) <= most), CATEGORY)


def _unit_of(texts: Sequence[str]) -> str:
    """What stands after the number in most cells, if it is the same.

    >>> _unit_of(["5 kg", "7.5 kg"]), _unit_of(["5 kg", "7 g"]), _unit_of(["A1", "A2"])
    ('kg', '', '')
    """
    found = [match[1] if (match := _ENDING.fullmatch(text)) else "" for text in texts]
    unit, count = Counter(found).most_common(1)[0] if found else ("", 0)
    return unit if count >= (1.0 - MAX_BAD_FRACTION) * len(texts) else ""


def marks_of(texts: Sequence[str], kind: str, more: Sequence[str] = ()) -> list[str]:
    """What occurs again and again among the cells of a column of numbers, and is none: it stands for a missing value.

    >>> marks_of(["1", "n/k", "2", "n/k", "x"], NUMBER)
    ['n/k']
    """
    if kind == CATEGORY:
        return []
    unread = Counter(text.strip() for text in texts if read_number(text, kind, more) is None)
    # a number in a column of dates is one elsewhere
    return sorted(text for text, count in unread.items() if count > 1 and number(text) is None)


def _bad(texts: Sequence[str], kind: str, most: int) -> int:
    """How many cells a kind cannot read; stops counting beyond `most`."""
    parse, count = TEXT_KINDS[kind].parse, 0
    for text in texts:
        count += parse(text) is None
        if count > most:
            break
    return count
