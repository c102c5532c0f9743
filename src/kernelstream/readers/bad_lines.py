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

    #: whether the row has no target, so that it is left out, and counted, even where bad lines are errors
    unlabelled = False

    def __init__(self, file: str, line: int, reason: str, where: str = "", noun: str = "line"):
        super().__init__(file, line, reason, where, noun)
        self.file, self.line, self.reason, self.where, self.noun = file, line, reason, where, noun

    def __str__(self) -> str:
        where = f", {self.where}" if self.where else ""
        return f"{self.file}, {self.noun} {self.line:,}{where}: {self.reason}"


class Unlabelled(BadLine):
    """A row without a target."""

    unlabelled = True


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


class SkipBad:
    """Bad lines are skipped and counted; the messages of the first five are kept for a report.

    Parameters
    ----------
    count : int, default 0
        Bad lines so far.
    first : list of str or None, default None
        The messages of the first of them.
    counting : bool, default True
        Whether they are counted, and not only skipped because they were counted before.
    """

    raises = False

    def __init__(self, count: int = 0, first: list[str] | None = None, *, counting: bool = True):
        self.count, self.first, self.counting = count, list(first or ()), counting

    def handle(self, bad: BadLine) -> None:
        if not self.counting:
            return
        self.count += 1
        if len(self.first) < _REPORTED:
            self.first.append(str(bad))


class RaiseOnBad(SkipBad):
    """A bad line is an error; rows without a target are skipped and counted.

    Parameters
    ----------
    count : int, default 0
        Rows without a target so far.
    first : list of str or None, default None
        The messages of the first of them.
    counting : bool, default True
        Whether they are counted, and not only skipped because they were counted before.
    """

    raises = True

    def handle(self, bad: BadLine) -> None:
        if not bad.unlabelled:
            raise bad
        super().handle(bad)
