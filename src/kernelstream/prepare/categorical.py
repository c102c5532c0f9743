"""Categorical columns as one-hot columns: one for each category, or a fixed number of columns by hashing."""

import zlib
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, ClassVar, Protocol

import numpy as np

from ..readers import CategoricalColumn

MAX_CATEGORIES = 1000  # one-hot columns of one categorical column
NO_VALUE = ""  # the category of a missing value, if it has one: no other is empty
NONE: Mapping[str, np.ndarray] = MappingProxyType({})


class Categories(Protocol):
    """Encodes categorical columns as one-hot columns."""

    width: int  #: one-hot columns so far
    unencoded: int  #: cells whose category got no column, because there were too many categories

    @property
    def columns(self) -> list[str]:
        """The categorical column that each one-hot column belongs to."""

    def encode(
        self, columns: Sequence[CategoricalColumn], *, learn: bool, missing: Mapping[str, np.ndarray] = NONE
    ) -> np.ndarray:
        """(rows, categorical columns): the index of each cell's one-hot column, or −1. `learn` adds new categories.
        `missing` has other columns, and where they have no value: each is one more column of the result."""

    def as_dict(self) -> dict[str, Any]: ...


class GrowingOneHot:
    """A column for every category, added when the category first appears, up to `MAX_CATEGORIES` for one categorical
    column. Categories beyond that, and categories that first appear in prediction, are 0 in all columns. With
    `marks`, a missing value is a category.

    >>> from kernelstream.readers.blocks import categorical_column
    >>> one_hot = GrowingOneHot(["colour"])
    >>> one_hot.encode([categorical_column(["red", "blue", None, "red"])], learn=True).ravel().tolist(), one_hot.width
    ([0, 1, -1, 0], 2)
    >>> one_hot.encode([categorical_column(["green"])], learn=False).tolist(), one_hot.width
    ([[-1]], 2)
    """

    name: ClassVar[str] = "grow"

    def __init__(
        self, names: Sequence[str], known: Sequence[dict[str, int]] | None = None, unencoded: int = 0, *,
        marks: bool = False, marked: dict[str, int] | None = None,
    ):  # fmt: skip
        self.names, self.marks = list(names), marks  # whether a missing value is a category
        self.known: list[dict[str, int]] = [dict(indices) for indices in known or [{} for _ in names]]
        self.marked = dict(marked or {})  # other columns, and where their missing values are 1
        self.width = sum(map(len, self.known)) + len(self.marked)
        self.unencoded = unencoded

    @property
    def columns(self) -> list[str]:
        owners = {i: name for name, known in zip(self.names, self.known, strict=True) for i in known.values()}
        owners |= {i: name for name, i in self.marked.items()}
        return [owners[i] for i in range(self.width)]

    def encode(
        self, columns: Sequence[CategoricalColumn], *, learn: bool, missing: Mapping[str, np.ndarray] = NONE
    ) -> np.ndarray:
        rows = [len(column.codes) for column in columns] + [len(where) for where in missing.values()]
        found = np.full((rows[0] if rows else 0, len(columns) + len(missing)), -1, np.int64)
        for i, (column, known) in enumerate(zip(columns, self.known, strict=True)):
            index = np.full(len(column.categories) + 1, -1, np.int64)  # the last is for −1
            for code in dict.fromkeys(column.codes.tolist()):  # in the order of rows, whatever the blocks were
                if code >= 0 or self.marks:
                    category = column.categories[code] if code >= 0 else NO_VALUE
                    index[code] = self._index(known, category, learn)
            found[:, i] = index[column.codes]
            if learn:
                self.unencoded += int(np.count_nonzero((found[:, i] < 0) & (column.codes >= 0)))
        for i, (name, where) in enumerate(missing.items(), len(columns)):
            found[where, i] = self._index(self.marked, name, learn)
        return found

    def _index(self, known: dict[str, int], category: str, learn: bool) -> int:
        if category not in known:
            if not learn or (known is not self.marked and len(known) >= MAX_CATEGORIES):
                return -1
            self.width += 1  # first, for other threads that predict meanwhile
            known[category] = self.width - 1
        return known[category]

    def as_dict(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in ("name", "names", "known", "unencoded", "marks", "marked")}


class HashedOneHot:
    """A fixed number of columns, indexed by a hash of column name and category; some categories collide.

    >>> from kernelstream.readers.blocks import categorical_column
    >>> HashedOneHot(["colour"], 16).encode([categorical_column(["red", "blue", None])], learn=True).ravel().tolist()
    [4, 6, -1]
    """

    name: ClassVar[str] = "hash"

    def __init__(self, names: Sequence[str], width: int, *, marks: bool = False):
        self.names, self.width, self.unencoded, self.marks = list(names), width if names else 0, 0, marks

    @property
    def columns(self) -> list[str]:
        return [", ".join(self.names)] * self.width  # all of them share every one-hot column

    def encode(
        self, columns: Sequence[CategoricalColumn], *, learn: bool, missing: Mapping[str, np.ndarray] = NONE
    ) -> np.ndarray:
        rows = [len(column.codes) for column in columns] + [len(where) for where in missing.values()]
        found = np.full((rows[0] if rows else 0, len(columns) + len(missing)), -1, np.int64)
        for i, (column, name) in enumerate(zip(columns, self.names, strict=True)):
            index = [self._index(name, category) for category in column.categories]
            none = self._index(name, NO_VALUE) if self.marks else -1
            found[:, i] = np.array([*index, none], np.int64)[column.codes]
        for i, (name, where) in enumerate(missing.items(), len(columns)):
            found[where, i] = self._index(name, NO_VALUE)
        return found

    def _index(self, name: str, category: str) -> int:
        return zlib.crc32(f"{name}={category}".encode()) % self.width if self.width else -1

    def as_dict(self) -> dict[str, Any]:
        return {"name": self.name, "names": self.names, "width": self.width, "marks": self.marks}


def categories_from_dict(saved: dict[str, Any]) -> Categories:
    if saved["name"] == HashedOneHot.name:
        return HashedOneHot(saved["names"], saved["width"], marks=saved["marks"])
    more = {"marks": saved["marks"], "marked": saved["marked"]}
    return GrowingOneHot(saved["names"], saved["known"], saved["unencoded"], **more)
