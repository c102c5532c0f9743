"""What stands in one cell of a table of text."""

import math
from collections.abc import Iterable

MISSING = ("", "na", "n/a", "nan", "null", "none", "?")  # where a number should be, in small or capital letters


def number(text: str) -> float | None:
    """A finite decimal, or None. (Python also takes 1_000, １ and infinity.)

    >>> number(" -2.5e3 "), number("1_000"), number("1e999"), number("x")
    (-2500.0, None, None, None)
    """
    try:
        value = float(text)
    except ValueError:
        return None
    return value if math.isfinite(value) and "_" not in text and text.isascii() else None


def number_or_missing(text: str) -> float | None:
    """The same, and NaN for what stands for a missing number."""
    value = number(text)
    return math.nan if value is None and text.strip().lower() in MISSING else value


FEW = 0.1  # a column of numbers may have so large a share of cells that are none: those are bad, the column is not


def is_words(texts: Iterable[str]) -> bool:
    """Whether a column with these cells is made of words.

    >>> is_words(["1", "", "2"]), is_words(["1", "a"]), is_words(["1"] * 30 + ["a"])
    (False, True, False)
    """
    numbers = [number_or_missing(text) for text in texts]
    return numbers.count(None) > FEW * sum(value is None or not math.isnan(value) for value in numbers)


def is_text(text: str) -> bool:
    """Whether all of it was decoded: a byte that is no character stands there as half of one."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def word(text: str) -> str | None:
    """Text without the blanks around it; None where there is none."""
    return text.strip() or None
