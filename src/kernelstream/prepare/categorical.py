"""Categorical columns as one-hot columns: one for each category, or a fixed number of columns by hashing."""

import zlib
from collections.abc import Sequence
from typing import Any, ClassVar, Protocol

import numpy as np

from ..readers import CategoricalColumn

MAX_CATEGORIES = 1000  # one-hot columns of one categorical column


class Categories(Protocol):
    """Encodes categorical columns as one-hot columns."""

    width: int  #: one-hot columns so far
    unencoded: int  #: cells whose category got no column, because there were too many categories

    @property
    def columns(self) -> list[str]:
        """The categorical column that each one-hot column belongs to."""

    def encode(self, columns: Sequence[CategoricalColumn], *, learn: bool) -> np.ndarray:
        """(rows, categorical columns): the index of each cell's one-hot column, or −1. `learn` adds new categories."""

    def as_dict(self) -> dict[str, Any]: ...


class GrowingOneHot:
    """A column for every category, added when the category first appears, up to `MAX_CATEGORIES` for one categorical
    column. Categories beyond that, and categories that first appear in prediction, are 0 in all columns.

    >>> from kernelstream.readers.blocks import categorical_column
    >>> one_hot = GrowingOneHot(["colour"])
    >>> one_hot.encode([categorical_column(["red", "blue", None, "red"])], learn=True).ravel().tolist(), one_hot.width
    ([0, 1, -1, 0], 2)
    >>> one_hot.encode([categorical_column(["green"])], learn=False).tolist(), one_hot.width
    ([[-1]], 2)
    """

    name: ClassVar[str] = "grow"

    def __init__(self, names: Sequence[str], known: Sequence[dict[str, int]] | None = None, unencoded: int = 0):
        self.names = list(names)
        self.known: list[dict[str, int]] = [dict(indices) for indices in known or [{} for _ in names]]
        self.width = sum(map(len, self.known))
        self.unencoded = unencoded

    @property
    def columns(self) -> list[str]:
        owners = {i: name for name, known in zip(self.names, self.known, strict=True) for i in known.values()}
        return [owners[i] for i in range(self.width)]

    def encode(self, columns: Sequence[CategoricalColumn], *, learn: bool) -> np.ndarray:
        rows = len(columns[0].codes) if columns else 0
        found = np.full((rows, len(columns)), -1, np.int64)
        for i, (column, known) in enumerate(zip(columns, self.known, strict=True)):
            index = np.full(len(column.categories) + 1, -1, np.int64)  # the last is for −1
            for code in dict.fromkeys(column.codes.tolist()):  # in the order of rows, whatever the blocks were
                if code >= 0:
                    index[code] = self._index(known, column.categories[code], learn)
            found[:, i] = index[column.codes]
            if learn:
                self.unencoded += int(np.count_nonzero((found[:, i] < 0) & (column.codes >= 0)))
        return found

    def _index(self, known: dict[str, int], category: str, learn: bool) -> int:
        if category not in known:
            if not learn or len(known) >= MAX_CATEGORIES:
                return -1
            known[category] = self.width
            self.width += 1
        return known[category]

    def as_dict(self) -> dict[str, Any]:
        return {"name": self.name, "names": self.names, "known": self.known, "unencoded": self.unencoded}


class HashedOneHot:
    """A fixed number of columns, indexed by a hash of column name and category; some categories collide.

    >>> from kernelstream.readers.blocks import categorical_column
    >>> HashedOneHot(["colour"], 16).encode([categorical_column(["red", "blue", None])], learn=True).ravel().tolist()
    [4, 6, -1]
    """

    name: ClassVar[str] = "hash"

    def __init__(self, names: Sequence[str], width: int):
        self.names, self.width, self.unencoded = list(names), width if names else 0, 0

    @property
    def columns(self) -> list[str]:
        return [", ".join(self.names)] * self.width  # all of them share every one-hot column

    def encode(self, columns: Sequence[CategoricalColumn], *, learn: bool) -> np.ndarray:
        rows = len(columns[0].codes) if columns else 0
        found = np.full((rows, len(columns)), -1, np.int64)
        for i, (column, name) in enumerate(zip(columns, self.names, strict=True)):
            index = [zlib.crc32(f"{name}={category}".encode()) % self.width for category in column.categories]
            found[:, i] = np.array([*index, -1], np.int64)[column.codes]
        return found

    def as_dict(self) -> dict[str, Any]:
        return {"name": self.name, "names": self.names, "width": self.width}


def categories_from_dict(saved: dict[str, Any]) -> Categories:
    if saved["name"] == HashedOneHot.name:
        return HashedOneHot(saved["names"], saved["width"])
    return GrowingOneHot(saved["names"], saved["known"], saved["unencoded"])
