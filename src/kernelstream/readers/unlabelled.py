"""Rows without a target, from which nothing can be learned and by which nothing is judged."""

from dataclasses import replace

import numpy as np

from .bad_lines import Unlabelled
from .blocks import CategoricalColumn, RowBlock
from .schema import Schema


def labelled(block: RowBlock, schema: Schema, file: str, noun: str) -> RowBlock:
    """The rows of a block that have all their targets; the others are among its bad lines.

    >>> from kernelstream.readers.blocks import FilePosition
    >>> X, y = np.zeros((3, 1)), np.array([1.0, np.nan, 0.0])
    >>> block = RowBlock(X, (), y, np.arange(2, 5), np.zeros(3, int), FilePosition(), FilePosition(), 1.0)
    >>> found = labelled(block, Schema(("x",), (), "y"), "a.csv", "line")
    >>> found.target.tolist(), [str(bad) for bad in found.bad]
    ([1.0, 0.0], ["a.csv, line 3, column 'y': the label is missing."])
    """
    target = block.target
    if target is None or schema.wanted_target is None:
        return block
    missing = target.codes < 0 if isinstance(target, CategoricalColumn) else np.isnan(target)
    rows = np.flatnonzero(missing if missing.ndim == 1 else missing.any(axis=1))
    if not len(rows):
        return block
    bad = list(block.bad)
    for row in rows.tolist():
        name = schema.targets[int(np.argmax(missing[row])) if missing.ndim > 1 else 0]
        where = "label" if schema.pairs else f"column {name!r}"
        bad.append(Unlabelled(file, int(block.lines[row]), "the label is missing.", where, noun))
    kept = block.take(~np.isin(np.arange(len(block)), rows))
    return replace(kept, bad=tuple(sorted(bad, key=lambda one: one.line)))
