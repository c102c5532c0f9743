"""Lines that cannot be used: the error that names one, and the policies for them (raise, or skip and count)."""

from typing import Protocol

_REPORTED = 5


class BadLine(ValueError):
    """A line that cannot be used: its position, and why.

    Examples
    --------
    >>> print(BadLine("data.csv", 17, "'abc' is not a number.", "column 3 ('age')"))
    data.csv, line 17, column 3 ('age'): 'abc' is not a number.
    """

    def __init__(self, file: str, line: int, reason: str, where: str = "", noun: str = "line"):
        super().__init__(file, line, reason, where, noun)
        self.file, self.line, self.reason, self.where, self.noun = file, line, reason, where, noun

    def __str__(self) -> str:
        where = f", {self.where}" if self.where else ""
        return f"{self.file}, {self.noun} {self.line:,}{where}: {self.reason}"


def shown(text: str) -> str:
    """Text as quoted in an error, shortened to 40 characters.

    >>> shown("no number"), len(shown("x" * 50))
    ("'no number'", 42)
    """
    return repr(text if len(text) <= 40 else text[:39] + "…")


class BadLinePolicy(Protocol):
    """What to do with a bad line."""

    count: int
    first: list[str]
    raises: bool  #: whether a bad line is an error

    def handle(self, bad: BadLine) -> None: ...


class RaiseOnBad:
    """A bad line is an error."""

    raises = True

    def __init__(self) -> None:
        self.count, self.first = 0, list[str]()

    def handle(self, bad: BadLine) -> None:
        raise bad


class SkipBad:
    """Bad lines are skipped and counted; the messages of the first five are kept for a report.

    Parameters
    ----------
    count : int, default 0
        Bad lines so far.
    first : list of str or None, default None
        The messages of the first of them.
    """

    raises = False

    def __init__(self, count: int = 0, first: list[str] | None = None):
        self.count, self.first = count, list(first or ())

    def handle(self, bad: BadLine) -> None:
        self.count += 1
        if len(self.first) < _REPORTED:
            self.first.append(str(bad))
