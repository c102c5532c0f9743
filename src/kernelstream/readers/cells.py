"""Values of text cells: a number, a missing value, a category."""

import math
from collections.abc import Container, Iterable

# a missing number, in any case; in a categorical column, where they may be categories, only the first is missing
MISSING = ("", "na", "n/a", "nan", "null", "none", "?", "-", "--", ".", "#n/a", "#na", "(null)", "nil", "\\n",
           "n.a.", "<na>", "nat", "#div/0!", "#value!", "#ref!", "#num!", "#name?", "#null!")  # fmt: skip
MAX_BAD_FRACTION = 0.1  # of a numeric column's cells: those are bad lines, and the column stays numeric


def number(text: str) -> float | None:
    """A finite decimal, or None. (Python also accepts 1_000, １ and infinity.)

    >>> number(" -2.5e3 "), number("1_000"), number("1e999"), number("x")
    (-2500.0, None, None, None)
    """
    try:
        value = float(text)
    except ValueError:
        return None
    return value if math.isfinite(value) and "_" not in text and text.isascii() else None


def number_or_missing(text: str) -> float | None:
    """The same, and NaN for a missing value: an empty cell, or one of `MISSING`."""
    value = number(text)
    return math.nan if value is None and text.strip().lower() in MISSING else value


def is_categorical(texts: Iterable[str]) -> bool:
    """Whether a column with these cells is categorical.

    >>> is_categorical(["1", "", "2"]), is_categorical(["1", "a"]), is_categorical(["1"] * 30 + ["a"])
    (False, True, False)
    """
    numbers = [number_or_missing(text) for text in texts]
    return numbers.count(None) > MAX_BAD_FRACTION * sum(value is None or not math.isnan(value) for value in numbers)


def is_text(text: str) -> bool:
    """Whether all of it was decoded: a byte that is no character was decoded to a lone surrogate."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def category(text: str, missing: Container[str] = ()) -> str | None:
    """Text without surrounding blanks; None for an empty cell, or one of `missing`."""
    text = text.strip()
    return None if not text or text in missing else text
