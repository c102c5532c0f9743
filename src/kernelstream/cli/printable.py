"""Text from data on its way to the terminal: labels, column names and file names may contain anything.

Escape sequences could move the cursor, change what was shown before, or rename the window; characters that reverse the
direction of text could show another name than the true one. All of them are written as Python would write them.
"""

import json
import re
from typing import Any, TextIO

_CONTROL = (
    "\x00-\x08\x0b-\x1f\x7f-\x9f"  # all but tab and line break, which `_LINES` has
    "\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069"  # direction, and line breaks of Unicode
    "\ud800-\udfff"  # bytes of file names that are no characters: they cannot be printed at all
)
_ANY, _BUT_LINES = re.compile(f"[\t\n{_CONTROL}]"), re.compile(f"[{_CONTROL}]")


def printable(text: str, *, lines: bool = False) -> str:
    r"""Text without control characters; `lines` allows line breaks and tabs.

    >>> print(printable("red\x1b[2J\nblue"), printable("café"))
    red\x1b[2J\nblue café
    """
    return (_BUT_LINES if lines else _ANY).sub(lambda found: repr(found[0])[1:-1], text)


def json_text(value: Any) -> str:
    r"""One line of JSON, readable and without control characters. It is read back as the same value.

    >>> print(json_text({"label": "naïve\x9b"}))
    {"label": "naïve\u009b"}
    """
    return _ANY.sub(lambda found: f"\\u{ord(found[0]):04x}", json.dumps(value, ensure_ascii=False))


class PrintableOutput:
    """A terminal to write data to."""

    def __init__(self, file: TextIO):
        self._file = file

    def write(self, text: str) -> int:
        return self._file.write(printable(text, lines=True))

    def flush(self) -> None:
        self._file.flush()


_FORMULA = "=+-@\t\r\n＝＋－＠"  # spreadsheets take the full-width ones too


def without_formula(cell: Any) -> Any:
    """A cell that a spreadsheet shows instead of computing it: text that begins like a formula gets an apostrophe.

    >>> without_formula("=1+1"), without_formula("-1"), without_formula(-1.5), without_formula("yes")
    ("'=1+1", '-1', -1.5, 'yes')
    """
    if not isinstance(cell, str) or cell[:1] not in _FORMULA or not cell:
        return cell
    return cell if re.fullmatch(r"[+-]?[0-9]+(\.[0-9]*)?([eE][+-]?[0-9]+)?", cell) else f"'{cell}"
