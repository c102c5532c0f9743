"""Comments above a table: lines that begin with #, as instruments and databases write them."""

_SEPARATORS = b",\t;|"


def comment_lines(head: bytes) -> int:
    """How many lines at the start are comments. The last of them is none if it has as many separators as the line after
    it: then it is a header.

    >>> comment_lines(b"# made by hand\\n# in mm\\na,b\\n1,2\\n"), comment_lines(b"#a,b\\n1,2\\n")
    (2, 0)
    """
    count, lines = 0, head.split(b"\n")
    while count < len(lines) and lines[count].startswith(b"#"):
        count += 1
    if count == len(lines):
        return 0  # nothing else
    last, after = lines[count - 1] if count else b"", lines[count]
    header = any(0 < after.count(mark) == last.count(mark) for mark in _SEPARATORS)
    return count - 1 if header else count


def without_comments(head: bytes) -> bytes:
    """The head of a table from its first line that is no comment."""
    return head.split(b"\n", count)[-1] if (count := comment_lines(head)) else head
