"""Predictions of a trained pipeline for raw rows, and their scores."""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from ..evaluate.reports import ClassificationScores, RegressionScores
from ..prepare import ClassTarget
from ..readers import BadLinePolicy, FileStream, RaiseOnBad, RowBlock, RowReader, SkipBad
from .stream_pipeline import StreamPipeline

PORTION = 4096


def open_rows(
    pipeline: StreamPipeline, sources: Sequence[str], changes: dict[str, Any], *, target: bool, skip_bad: bool
) -> RowReader:
    """Open data with the pipeline's reading options, updated by `changes`; the file format is detected again."""
    options = pipeline.settings.reading._replace(**{"format": None, "query": None} | changes)
    schema = pipeline.intake.schema if target else pipeline.intake.schema.without_target()
    policy: BadLinePolicy = SkipBad() if skip_bad else RaiseOnBad()
    return RowReader(FileStream(sources, options, schema), policy=policy)


class Predicted(NamedTuple):
    """Rows and their predictions."""

    block: RowBlock
    labels: np.ndarray
    scores: np.ndarray | None = None  #: (n, k)


def predictions(pipeline: StreamPipeline, rows: RowReader, method: str | None = None) -> Iterator[Predicted]:
    """Predict portion by portion; `method` is "predict_proba" or "decision_function" if these are wanted too."""
    while (block := rows.take(PORTION, wait=False)) is not None:
        block, X = pipeline.intake.features(block, rows.refuse)
        if not len(block):
            continue
        scores = None if method is None else np.asarray(getattr(pipeline.estimator, method)(X))
        labels = pipeline.estimator.predict(X)
        yield Predicted(block, labels, None if scores is None else scores.reshape(len(block), -1))


def check_method(pipeline: StreamPipeline, method: str | None) -> None:
    """A ValueError if the estimator has no such method."""
    if method is not None and not hasattr(pipeline.estimator, method):
        raise ValueError("A regression model predicts numbers; it has no probabilities and no scores.")


def scores_for(pipeline: StreamPipeline) -> ClassificationScores | RegressionScores:
    """Empty scores of the pipeline's task, to add batches of predictions to."""
    target = pipeline.intake.target
    return ClassificationScores(target.classes) if isinstance(target, ClassTarget) else RegressionScores()
