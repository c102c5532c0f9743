"""Numbers that stand for a missing value (`--na -99`), also in formats whose numbers are not text."""

from dataclasses import replace

import numpy as np

from .blocks import RowBlock
from .cells import number
from .schema import Schema
from .text_numbers import is_date


def without_marks(block: RowBlock, schema: Schema) -> RowBlock:
    """The block with NaN for numbers that are among `schema.na`; dates are none.

    >>> from kernelstream.readers.blocks import FilePosition
    >>> X, y = np.array([[1.0, -99.0], [-99.0, 2.0]]), np.array([3.0, -99.0])
    >>> block = RowBlock(X, (), y, np.arange(2), np.zeros(2, int), FilePosition(), FilePosition(), 1.0)
    >>> found = without_marks(block, Schema(("a", "b"), target="y", na=("?", "-99")))
    >>> found.numeric.tolist(), found.target.tolist()
    ([[1.0, nan], [nan, 2.0]], [3.0, nan])
    """
    marks = [value for text in schema.na if (value := number(text)) is not None]
    if not marks or not isinstance(block.numeric, np.ndarray):
        return block
    undated = np.array([not is_date(schema.kinds.get(name)) for name in schema.numeric], bool)
    numeric = np.where(np.isin(block.numeric, marks) & undated, np.nan, block.numeric)
    target = block.target
    if isinstance(target, np.ndarray):
        target = np.where(np.isin(target, marks), np.nan, target)
    return replace(block, numeric=numeric, target=target)
