"""The score of a model on rows that are given, without learning them."""

from functools import partial

import numpy as np

from ..evaluate.metrics import METRICS
from ..readers import FileStream, RowBlock, SkipBad
from ..readers.row_reader import refuse_rows
from .stream_pipeline import StreamPipeline

_PORTION = 4096


def judged(pipeline: StreamPipeline, block: RowBlock, stream: FileStream) -> float | None:
    """Accuracy or root mean squared error on the rows of a block that can be used, with their weights; None if there
    are none."""
    metric, total, weight = METRICS[pipeline.curve.metric], 0.0, 0.0
    for start in range(0, len(block), _PORTION):
        refuse = partial(refuse_rows, stream, policy=SkipBad())
        usable, X, y = pipeline.intake.usable(block.take(slice(start, start + _PORTION)), refuse, learn=False)
        if len(usable):
            weights = np.ones(len(y)) if usable.weight is None else usable.weight
            total += metric.sum(y, pipeline.estimator.predict(X[:, : pipeline.estimator.n_features_in_]), weights)
            weight += float(weights.sum())
    return metric.mean(total, weight) if weight else None
