"""Rows for a model that is there already."""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from ..readers import BadLinePolicy, FileStream, RaiseOnBad, RowBlock, RowReader, SkipBad
from .stream_pipeline import StreamPipeline

PORTION = 4096


def open_rows(
    trained: StreamPipeline, sources: Sequence[str], changes: dict[str, Any], *, target: bool, skip_bad: bool
) -> RowReader:
    """Data read as that was which the model learned from, but for `changes`; its format is told anew."""
    options = trained.settings.reading._replace(**{"format": None} | changes)
    schema = trained.intake.schema if target else trained.intake.schema.without_target()
    policy: BadLinePolicy = SkipBad() if skip_bad else RaiseOnBad()
    return RowReader(FileStream(sources, options, schema), policy=policy)


class Predicted(NamedTuple):
    """Rows and what the model says of them."""

    block: RowBlock
    labels: np.ndarray
    scores: np.ndarray | None = None  #: (n, k)


def predictions(trained: StreamPipeline, rows: RowReader, method: str | None = None) -> Iterator[Predicted]:
    """Portion after portion; `method` is "predict_proba" or "decision_function", if that is wanted too."""
    while (block := rows.take(PORTION, wait=False)) is not None:
        block, X = trained.intake.features(block, rows.refuse)
        if not len(block):
            continue
        scores = None if method is None else np.asarray(getattr(trained.estimator, method)(X))
        yield Predicted(block, trained.estimator.predict(X), None if scores is None else scores.reshape(len(block), -1))


def check_method(trained: StreamPipeline, method: str | None) -> None:
    """A ValueError if the model has no such thing."""
    if method is None or hasattr(trained.estimator, method):
        return
    if trained.settings.task == "regression":
        raise ValueError("A regression model predicts numbers, and has neither probabilities nor scores.")
    loss = type(trained.estimator.model_.recipe.loss).__name__
    raise ValueError(
        f"The model learned with the loss {loss}, which gives no probabilities: train with --loss logistic."
    )
