"""A JSON array of objects, read as JSON lines: a row is an item of the array."""

import re

import numpy as np

from .byte_source import ByteSource
from .json_lines import JsonLinesReader
from .schema import Options

_ARRAY = re.compile(rb"\s*\[\s*(?:[{\]]|$)")
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
        self._name, self._begun = name, False
        self._depth, self._quoted, self._escaping = 0, False, False

    def __call__(self, data: bytes) -> bytes:
        if not data:
            if self._depth > 0:
                raise ValueError(f"{self._name} ends before its JSON array does. Get the file again.")
            return data
        codes = self._without_escapes(data)
        quoted = (np.cumsum(codes == ord('"')) + self._quoted) % 2 == 1
        outside = np.where(quoted, 0, codes)  # strings are blanked out, as are their escaped characters
        opens, closes = np.isin(outside, list(b"[{")), np.isin(outside, list(b"]}"))
        depth = self._depth + np.cumsum(opens.astype(np.int32) - closes)
        self._check_ends(outside, depth, opens)
        self._depth, self._quoted = int(depth[-1]), bool(quoted[-1])
        found = np.frombuffer(data, np.uint8).copy()
        found[(codes == ord("\n")) | (codes == ord("\r")) | (opens & (depth == 1)) | (closes & (depth == 0))] = ord(" ")
        found[(outside == ord(",")) & (depth == 1)] = ord("\n")
        return found.tobytes()

    def _without_escapes(self, data: bytes) -> np.ndarray:
        """The bytes, without those that a backslash escapes; the backslash may be the last byte of the piece before."""
        plain = b"\\" + data if self._escaping else data
        plain = _ESCAPED.sub(b"__", plain) if b"\\" in plain else plain
        codes = np.frombuffer(plain, np.uint8)[int(self._escaping) :]
        self._escaping = plain.endswith(b"\\")
        return codes

    def _check_ends(self, outside: np.ndarray, depth: np.ndarray, opens: np.ndarray) -> None:
        begins = np.flatnonzero(opens & (depth == 1))
        more = outside[(depth <= 0) & ~np.isin(outside, list(b" \t\r\n]"))]
        if len(more) or depth.min() < 0 or len(begins) > (not self._begun):
            raise ValueError(f"{self._name}: there is text after the end of its JSON array, or a bracket too many.")
        self._begun = self._begun or len(begins) > 0


class JsonArrayReader(JsonLinesReader):
    noun = "row"

    def __init__(self, source: ByteSource, options: Options):
        if not is_json_array(source.head):
            raise ValueError(
                f"{source.name} is not a JSON array of objects. For an object per line, use --format jsonl."
            )
        source.rewrite(ArrayToLines(source.name))
        super().__init__(source, options)
