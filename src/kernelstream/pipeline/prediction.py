"""Predictions of a trained pipeline for raw rows, and their scores."""

from collections.abc import Iterator, Sequence
from copy import copy
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from ..evaluate.reports import ClassificationScores, RegressionScores
from ..prepare import ClassTarget
from ..readers import BadLinePolicy, FileStream, RaiseOnBad, RowBlock, RowReader, SkipBad
from ..readers.schema import listed
from .on_raw_rows import PORTION, OnRawRows
from .unseen_categories import UnseenCategories


def open_rows(
    pipeline: OnRawRows, sources: Sequence[str], changes: dict[str, Any], *, target: bool, skip_bad: bool
) -> RowReader:
    """Open data with the pipeline's reading options, updated by `changes`; the file format is detected again."""
    options = pipeline.settings.reading._replace(**{"format": None, "query": None} | changes)
    schema = pipeline.intake.schema._replace(weight=None) if target else pipeline.intake.schema.without_target()
    policy: BadLinePolicy = SkipBad() if skip_bad else RaiseOnBad()
    return RowReader(FileStream(sources, options, schema), policy=policy)


class Predicted(NamedTuple):
    """Rows and their predictions."""

    block: RowBlock
    labels: np.ndarray
    scores: np.ndarray | None = None  #: (n, k)


def predictions(
    pipeline: OnRawRows,
    rows: RowReader,
    method: str | None = None,
    *arguments: Any,
    unseen: UnseenCategories | None = None,
) -> Iterator[Predicted]:
    """Predict portion by portion; `method` is "predict_proba", "decision_function" or "predict_interval", with its
    arguments, if one of these is wanted too."""
    while (block := rows.take(PORTION, wait=False)) is not None:
        block, X = pipeline.intake.features(block, rows.refuse)
        if not len(block):
            continue
        if unseen is not None:
            unseen.add(block)
        scores = None if method is None else np.asarray(getattr(pipeline.estimator, method)(X, *arguments))
        labels = pipeline.estimator.predict(X)
        yield Predicted(block, labels, None if scores is None else scores.reshape(len(block), -1))


def check_method(pipeline: OnRawRows, method: str | None) -> None:
    """A ValueError if the estimator has no such method."""
    if method is None or hasattr(pipeline.estimator, method):
        return
    if method == "predict_interval":
        raise ValueError("Intervals are for regression, and this model predicts classes. Use --proba.")
    raise ValueError("A regression model predicts numbers; it has no probabilities and no scores. Use --interval 0.9.")


def scores_for(pipeline: OnRawRows) -> ClassificationScores | RegressionScores:
    """Empty scores of the pipeline's task, to add batches of predictions to."""
    target = pipeline.intake.target
    if isinstance(target, ClassTarget):
        return ClassificationScores(target.classes)
    return RegressionScores(pipeline.intake.schema.targets)


def evaluated(
    pipeline: OnRawRows, rows: RowReader, limit: int | None = None, unseen: UnseenCategories | None = None
) -> ClassificationScores | RegressionScores:
    """Scores on rows with targets, at most `limit` of them. A label that the model does not know counts as predicted
    wrongly, unless it knows none of the labels."""
    scores, left = scores_for(pipeline), limit
    intake = replace(pipeline.intake, target=copy(pipeline.intake.target))
    while left != 0 and (block := rows.take(PORTION if left is None else min(left, PORTION))) is not None:
        left = None if left is None else left - len(block)
        if isinstance(scores, ClassificationScores) and isinstance(intake.target, ClassTarget):
            intake.target.learn(block)
            scores.add_classes(intake.target.classes)
        block, X, y = intake.usable(block, rows.refuse, learn=False)
        if unseen is not None:
            unseen.add(block)
        if len(block):
            scores.add(y, pipeline.estimator.predict(X))
    if isinstance(scores, ClassificationScores) and isinstance(pipeline.intake.target, ClassTarget):
        count = len(pipeline.intake.target.classes)
        if not scores.matrix[:count].any() and scores.matrix.any():
            raise ValueError(
                f"None of the labels {listed(scores.classes[count:].tolist(), 5)} is among those of the model, "
                f"{listed(scores.classes[:count].tolist(), 10)}. Is the target another column?"
            )
    return scores
