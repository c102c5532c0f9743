"""Fit a model to all rows together, where they are in memory: more accurate than one pass over a stream of them."""

import numpy as np

from ..prepare import ClassTarget, RefuseRows, labels_in
from ..prepare.target_column import value_at
from ..readers import RowBlock, RowReader, ShuffledReader
from ..readers.blocks import concatenate
from .settings import Settings, make_estimator
from .stream_pipeline import StreamPipeline


def fits_rows(settings: Settings, rows: RowReader | ShuffledReader) -> bool:
    """Whether the rows are fitted together: as asked for, or else if they are shuffled and in memory, and nothing is
    said about the model and its passes."""
    if settings.fit and not rows.whole:
        raise ValueError(
            "To be fitted together (--fit), rows must be shuffled and in memory, and these are not. Use a file, "
            "without --in-order, allow more memory with --shuffle-memory, or leave --fit out."
        )
    if settings.fit is not None:
        return settings.fit
    told = settings.epochs > 1 or settings.deploy is not None or not settings.adapt
    return rows.whole and not told and make_estimator(settings).tunes


def fit_rows(pipeline: StreamPipeline, block: RowBlock, refuse: RefuseRows) -> None:
    """Fit the estimator to the rows of a block. What it has not seen by then gets no column."""
    block, X, y = pipeline.intake.usable(block, refuse, learn=True)
    if not len(block):
        return
    pipeline.estimator.fit(X, y, sample_weight=block.weight)
    pipeline.intake.grows = False  # the scale of every feature has been chosen
    model = pipeline.estimator.model_
    pipeline.curve.learned(len(y), model.n_support, model.nbytes, y)


def with_all_labels(
    learned: RowBlock, held: RowBlock | None, pipeline: StreamPipeline
) -> tuple[RowBlock, RowBlock | None]:
    """The rows to fit and those that are held out; of the latter, rows with a label that no other row has are moved to
    the former: a class must be learned."""
    target = pipeline.intake.target
    if held is None or not isinstance(target, ClassTarget) or learned.target is None or held.target is None:
        return learned, held
    missing = labels_in(held.target) - labels_in(learned.target)
    if not missing:
        return learned, held
    rare = np.array([value_at(held.target, row) in missing for row in range(len(held))])
    return concatenate([learned, held.take(rare)]), held.take(~rare)
