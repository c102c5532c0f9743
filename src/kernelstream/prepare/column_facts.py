"""What the first rows say about a column: its values, how many are missing or different, and their order."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from ..readers import RowBlock, Schema
from ..readers.text_numbers import BOOLEAN, CATEGORY, DATE, NUMBER, TRUTH, is_date


class ColumnFacts(NamedTuple):
    """A column of the first rows, in the order of the file."""

    name: str
    kind: str  #: number, boolean, date or category
    values: np.ndarray | None  #: numbers, NaN where missing; None for text
    codes: np.ndarray  #: which of its levels each row has, −1 where missing
    levels: list[float] | list[str]  #: the different values, ascending if they are numbers
    counts: np.ndarray  #: of the levels

    @property
    def rows(self) -> int:
        return len(self.codes)

    @property
    def present(self) -> int:
        return int(self.counts.sum())

    @property
    def missing(self) -> int:
        return self.rows - self.present

    @property
    def distinct(self) -> int:
        return len(self.levels)

    @property
    def whole(self) -> bool:
        """Whether all numbers are integers."""
        return self.values is not None and bool(np.all(np.mod(np.array(self.levels, float), 1.0) == 0.0))

    def top(self, most: int = 3) -> list[tuple[float | str, float]]:
        """The most frequent values, and their shares of the rows that have one."""
        first = np.argsort(-self.counts, kind="stable")[:most].tolist()
        return [(self.levels[i], float(self.counts[i] / max(self.present, 1))) for i in first]


def facts(first: RowBlock, schema: Schema) -> Iterator[ColumnFacts]:
    """Of each feature column."""
    order = file_order(first)
    assert isinstance(first.numeric, np.ndarray)
    for i, name in enumerate(schema.numeric):
        kind = schema.kinds.get(name, NUMBER)
        kind = DATE if is_date(kind) else BOOLEAN if kind in (BOOLEAN, TRUTH) else NUMBER
        yield _of_numbers(name, kind, first.numeric[order, i])
    for name, column in zip(schema.categorical, first.categorical, strict=True):
        yield _of_text(name, column.codes[order], column.categories)


def file_order(block: RowBlock) -> np.ndarray:
    """The rows as their files have them."""
    return np.lexsort([block.lines, block.files])


def _of_numbers(name: str, kind: str, values: np.ndarray) -> ColumnFacts:
    levels, codes, counts = np.unique(values, return_inverse=True, return_counts=True)
    known = int(np.count_nonzero(~np.isnan(levels)))
    codes = np.where(codes < known, codes, -1)
    return ColumnFacts(name, kind, values, codes, levels[:known].tolist(), counts[:known])


def _of_text(name: str, codes: np.ndarray, categories: list[str]) -> ColumnFacts:
    # blocks that were joined may have a category twice
    levels = sorted({categories[code] for code in np.unique(codes[codes >= 0]).tolist()})
    index = {text: i for i, text in enumerate(levels)}
    found = np.array([*(index.get(text, -1) for text in categories), -1], np.int64)[codes]
    return ColumnFacts(name, CATEGORY, None, found, levels, np.bincount(found[found >= 0], minlength=len(levels)))
