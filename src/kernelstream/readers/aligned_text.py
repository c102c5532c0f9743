"""Tables whose columns are aligned by spaces: a run of spaces and tabs is one separator."""

import re

from .lines import TextChunk, first_lines

SPACES = " "  # the separator
_OUTSIDE = re.compile(rb'"[^"\n]*"|[ \t]+')
_ENDS = re.compile(rb"^[ \t]+|[ \t]+(?=\r?$)", re.MULTILINE)


def single_spaces(chunk: TextChunk) -> TextChunk:
    """The chunk with one space between cells, and none around lines. Its positions are no longer those of the file.

    >>> single_spaces(TextChunk(b' x    "a  b"\\r\\n 1.5  \\t 2\\n', 0, 1, 0.0)).data
    b'x "a  b"\\r\\n1.5 2\\n'
    """
    data = _OUTSIDE.sub(lambda found: found[0] if found[0].startswith(b'"') else b" ", _ENDS.sub(b"", chunk.data))
    return chunk._replace(data=data)


def is_aligned(head: bytes) -> bool:
    """Whether all of the first lines have the same number of cells, two or more, between spaces.

    >>> is_aligned(b"  x    y\\n1.5   a\\n"), is_aligned(b"some words\\nand some more\\n"), is_aligned(b"two words\\n")
    (True, False, False)
    """
    lines = [re.sub(rb'"[^"]*"', b"x", line).split() for line in first_lines(head)]
    return len(lines) > 1 and len(lines[0]) > 1 and len({len(line) for line in lines}) == 1
