"""Rows held out that are copies of rows to learn: a model that has learned them by heart would be judged too well."""

import numpy as np

from ..readers import CategoricalColumn, RowBlock
from .stream_pipeline import StreamPipeline

_SHARE = 0.2  # of the rows held out, from which copies matter
_BY_CHANCE = 0.1  # copies that there would be if columns were independent, as a share of those that there are


def copied(pipeline: StreamPipeline, learned: RowBlock, held: RowBlock) -> float:
    """The share of the rows held out that are equal, in the columns that are used, to a row to learn; 0 if it is small,
    or if rows of these values must be equal now and then.

    Parameters
    ----------
    pipeline : StreamPipeline
        The columns that are used.
    learned, held : RowBlock
        The rows to learn, and those held out.
    """
    schema = pipeline.intake.schema
    if schema.pairs:
        return 0.0
    ours, theirs = (_codes(block.with_columns(schema)) for block in (learned, held))
    columns = [np.unique(np.concatenate(pair), return_inverse=True)[1] for pair in zip(ours, theirs, strict=True)]
    rows = np.column_stack(columns).astype(np.int32)
    known = {row.tobytes() for row in rows[: len(learned)]}
    share = sum(row.tobytes() in known for row in rows[len(learned) :]) / max(len(held), 1)
    same = np.prod([((np.bincount(column) / len(rows)) ** 2).sum() for column in columns])
    return 0.0 if share < _SHARE or len(learned) * same > _BY_CHANCE * share else share


def _codes(block: RowBlock) -> list[np.ndarray]:
    assert isinstance(block.numeric, np.ndarray)
    return [*block.numeric.T, *(_texts(column) for column in block.categorical)]


def _texts(column: CategoricalColumn) -> np.ndarray:
    return np.array([*column.categories, ""], str)[column.codes]
