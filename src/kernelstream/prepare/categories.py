"""Words as columns of 0 and 1: one column for each value that has come, or a fixed number of columns by a hash."""

import zlib
from collections.abc import Sequence
from typing import Any, ClassVar, Protocol

import numpy as np

from ..readers import Words

MOST = 1000  # values of one column that get columns of their own


class Categories(Protocol):
    """Values of columns of words, each with a place among the columns of 0 and 1."""

    width: int  #: columns so far
    passed_over: int  #: cells with a value for which there was no more room

    def places(self, columns: Sequence[Words], *, learn: bool) -> np.ndarray:
        """(rows, columns of words): where each word has its 1; −1 if nowhere. `learn` gives new values a place."""

    def as_dict(self) -> dict[str, Any]: ...


class Growing:
    """A column for every value, in the order of appearance. Each is added when its value first comes, up to `MOST` for
    one column of words; values beyond that, and values that come when nothing is learned, are 0 everywhere.

    >>> from kernelstream.readers.blocks import words_of
    >>> growing = Growing(["colour"])
    >>> growing.places([words_of(["red", "blue", None, "red"])], learn=True).ravel().tolist(), growing.width
    ([0, 1, -1, 0], 2)
    >>> growing.places([words_of(["green"])], learn=False).tolist(), growing.width
    ([[-1]], 2)
    """

    name: ClassVar[str] = "grow"

    def __init__(self, names: Sequence[str], known: Sequence[dict[str, int]] | None = None, passed_over: int = 0):
        self.names = list(names)
        self.known: list[dict[str, int]] = [dict(values) for values in known or [{} for _ in names]]
        self.width = sum(map(len, self.known))
        self.passed_over = passed_over

    def places(self, columns: Sequence[Words], *, learn: bool) -> np.ndarray:
        rows = len(columns[0].codes) if columns else 0
        found = np.full((rows, len(columns)), -1, np.int64)
        for i, (column, known) in enumerate(zip(columns, self.known, strict=True)):
            place = np.full(len(column.values) + 1, -1, np.int64)  # the last is for −1
            for code in dict.fromkeys(column.codes.tolist()):  # in the order of rows, however they came in blocks
                if code >= 0:
                    place[code] = self._place(known, column.values[code], learn)
            found[:, i] = place[column.codes]
            if learn:
                self.passed_over += int(np.count_nonzero((found[:, i] < 0) & (column.codes >= 0)))
        return found

    def _place(self, known: dict[str, int], value: str, learn: bool) -> int:
        if value not in known:
            if not learn or len(known) >= MOST:
                return -1
            known[value] = self.width
            self.width += 1
        return known[value]

    def as_dict(self) -> dict[str, Any]:
        return {"name": self.name, "names": self.names, "known": self.known, "passed_over": self.passed_over}


class Hashed:
    """A fixed number of columns, into which values fall by a hash of column and value; some share one.

    >>> from kernelstream.readers.blocks import words_of
    >>> Hashed(["colour"], 16).places([words_of(["red", "blue", None])], learn=True).ravel().tolist()
    [4, 6, -1]
    """

    name: ClassVar[str] = "hash"

    def __init__(self, names: Sequence[str], width: int):
        self.names, self.width, self.passed_over = list(names), width if names else 0, 0

    def places(self, columns: Sequence[Words], *, learn: bool) -> np.ndarray:
        rows = len(columns[0].codes) if columns else 0
        found = np.full((rows, len(columns)), -1, np.int64)
        for i, (column, name) in enumerate(zip(columns, self.names, strict=True)):
            place = [zlib.crc32(f"{name}={value}".encode()) % self.width for value in column.values]
            found[:, i] = np.array([*place, -1], np.int64)[column.codes]
        return found

    def as_dict(self) -> dict[str, Any]:
        return {"name": self.name, "names": self.names, "width": self.width}


def categories_from_dict(saved: dict[str, Any]) -> Categories:
    if saved["name"] == Hashed.name:
        return Hashed(saved["names"], saved["width"])
    return Growing(saved["names"], saved["known"], saved["passed_over"])
