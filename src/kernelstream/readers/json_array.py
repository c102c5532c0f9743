"""A JSON array of objects, read as JSON lines: a row is an item of the array."""

import re

import numpy as np

from .byte_source import ByteSource
from .json_lines import JsonLinesReader
from .schema import Options

_ARRAY = re.compile(rb"\s*\[\s*(?:[{\]]|$)")
_BREAKS_TO_BLANKS = bytes.maketrans(b"\r\n", b"  ")
_IS_SYNTAX = np.isin(np.arange(256), list(b'"[]{},'))
_STEPS = np.isin(np.arange(256), list(b"[{")).astype(np.int32) - np.isin(np.arange(256), list(b"]}"))
_ESCAPED = re.compile(rb"\\.", re.DOTALL)


def is_json_array(head: bytes) -> bool:
    """Whether text that begins like this is an array of objects. (A CSV file may begin with [a],[b].)

    >>> is_json_array(b'[ {"a": 1}, '), is_json_array(b"[a],[b]")
    (True, False)
    """
    return _ARRAY.match(head) is not None


class ArrayToLines:
    """Rewrites an array piece by piece: a comma between items becomes a line break, a line break a blank.

    >>> rewriting = ArrayToLines("data.json")
    >>> rewriting(b'[{"a": "},{"},\\n'), rewriting(b' {"a": [1,\\n2]}]'), rewriting(b"")
    (b' {"a": "},{"}\\n ', b' {"a": [1, 2]} ', b'')
    """

    def __init__(self, name: str):
        self._name = name
        self._depth, self._quoted, self._escaping = 0, False, False
        self._begun, self._ended = False, False

    def __call__(self, data: bytes) -> bytes:
        if not data:
            if self._depth > 0:
                raise ValueError(f"{self._name} ends before its JSON array does. Get the file again.")
            return data
        codes = self._without_escapes(data)
        at = np.flatnonzero(_IS_SYNTAX[codes])
        quotes = codes[at] == ord('"')
        quoted = np.logical_xor.accumulate(np.concatenate([[self._quoted], quotes]))[1:]
        at = at[~quoted & ~quotes]  # a comma or bracket in a string is none
        steps = _STEPS[codes[at]]
        depth = self._depth + np.cumsum(steps)
        begins, ends = at[(steps > 0) & (depth == 1)], at[(steps < 0) & (depth <= 0)]
        self._check_outside(data, begins, ends)
        self._depth = int(depth[-1]) if len(at) else self._depth
        self._quoted = bool(quoted[-1]) if len(quoted) else self._quoted
        found = np.frombuffer(data.translate(_BREAKS_TO_BLANKS), np.uint8).copy()
        found[begins], found[ends] = ord(" "), ord(" ")
        found[at[(codes[at] == ord(",")) & (depth == 1)]] = ord("\n")
        return found.tobytes()

    def _without_escapes(self, data: bytes) -> np.ndarray:
        """The bytes, without those that a backslash escapes; the backslash may be the last byte of the piece before."""
        plain = b"\\" + data if self._escaping else data
        plain = _ESCAPED.sub(b"__", plain) if b"\\" in plain else plain
        codes = np.frombuffer(plain, np.uint8)[int(self._escaping) :]
        self._escaping = plain.endswith(b"\\")
        return codes

    def _check_outside(self, data: bytes, begins: np.ndarray, ends: np.ndarray) -> None:
        """A ValueError if there is more than the array, which begins and ends once."""
        before = b"" if self._begun else data[: begins[0]] if len(begins) else data
        after = data if self._ended else data[ends[0] + 1 :] if len(ends) else b""
        if before.strip() or after.strip():
            raise ValueError(f"{self._name}: there is text after the end of its JSON array, or a bracket too many.")
        self._begun, self._ended = self._begun or len(begins) > 0, self._ended or len(ends) > 0


class JsonArrayReader(JsonLinesReader):
    noun = "row"

    def __init__(self, source: ByteSource, options: Options):
        if not is_json_array(source.head):
            raise ValueError(
                f"{source.name} is not a JSON array of objects. For an object per line, use --format jsonl."
            )
        source.rewrite(ArrayToLines(source.name))
        super().__init__(source, options)
