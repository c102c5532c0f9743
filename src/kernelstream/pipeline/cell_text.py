"""Values in memory as the text of cells, so that they are read by the rules of files."""

import datetime
import math
from collections.abc import Collection
from typing import Any, NamedTuple

import numpy as np


class Spelling(NamedTuple):
    """How the values of a column are written.

    >>> Spelling().cell(True), Spelling(true="True", false="False").cell(True), Spelling().cell(None)
    ('true', 'True', '')
    >>> Spelling(decimals=False).cell(3.0), Spelling().cell(3.0), Spelling().cell(0.1)
    ('3', '3.0', '0.1')
    """

    true: str = "true"
    false: str = "false"
    decimals: bool = True  #: whether whole floats have a decimal point
    point: str = "."  #: the decimal point

    @classmethod
    def among(cls, known: Collection[Any]) -> "Spelling":
        """That of known categories. A file has True or true, and 3 where a data frame has 3.0 if others are missing.

        >>> Spelling.among({"False", "True"}).cell(True), Spelling.among({"1", "2"}).cell(2.0)
        ('True', '2')
        """
        true = next((text for text in ("True", "TRUE", "true") if text in known), None)
        false = next((text for text in ("False", "FALSE", "false") if text in known), None)
        true = true or {"False": "True", "FALSE": "TRUE"}.get(str(false), "true")
        false = false or {"True": "False", "TRUE": "FALSE"}.get(true, "false")
        return cls(true, false, any(str(text).endswith(".0") for text in known))

    def cell(self, value: Any) -> str:
        """The text of a value; empty if it is missing. A ValueError if it is neither a number nor text nor a date."""
        if isinstance(value, str):
            return value
        if _is_missing(value):
            return ""
        if isinstance(value, (bool, np.bool_)):
            return self.true if value else self.false
        if isinstance(value, (float, np.floating)):
            number = float(value)
            whole = not self.decimals and number.is_integer() and math.isfinite(number)
            return str(int(number)) if whole else repr(number).replace(".", self.point)
        if isinstance(value, (int, np.integer)):
            return str(int(value))
        if isinstance(value, np.datetime64):
            return "" if np.isnat(value) else str(value)
        if isinstance(value, (datetime.date, datetime.time)):
            return value.isoformat()
        if isinstance(value, (list, tuple, dict, set, bytes, np.ndarray)):
            raise ValueError(f"a {type(value).__name__} is neither a number nor text.")
        return str(value)  # a Decimal, an Enum, a UUID


def _is_missing(value: Any) -> bool:
    """None, NaN, and the missing values of pandas, which cannot be compared."""
    if value is None or type(value).__name__ in ("NAType", "NaTType"):
        return True
    return isinstance(value, (float, np.floating)) and math.isnan(value)
