"""What is done in one place. Every task is a pure function, so that a place that is lost can be replaced.

All take their part of the data, its index among the parts, and what all are told alike.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

import numpy as np

from ..core.inputs import CHUNK, as_rows, check_finite
from ..estimators import KernelClassifier, KernelRegressor
from ..merging import merge, split
from ..refit.sources import InMemory, Term, add_up
from ..refit.statistics import Statistics
from .parcel import Parcel
from .parts import Part, rows_of

Estimator = KernelClassifier | KernelRegressor


@contextmanager
def naming(index: int, before: int) -> Iterator[None]:
    """Say where an error is whose row is counted from the beginning of a batch."""
    try:
        yield
    except ValueError as error:
        place = f"In partition {index}" + (f", counted from row {before} on" if before else "")
        raise ValueError(f"{place}: {error}") from None


class Survey(NamedTuple):
    """What there is in a part."""

    rows: int
    labels: np.ndarray | None
    X: Any  #: some rows of it,
    y: Any  #: and their targets; None where there are no rows


class Plan(NamedTuple):
    """What a place needs to know to read its rows."""

    estimator: Parcel  #: begun, or merged in the round before
    parts: int
    seed: int
    every: int  #: one row in so many is held back, to judge by

    def rows(self, part: Part, index: int) -> Iterator[tuple[Any, np.ndarray, np.ndarray]]:
        """Checked rows, their targets, and which of them are learned."""
        estimator, before = self.estimator.content, 0
        for X, y in part.batches():
            with naming(index, before):
                X, y = estimator.check_rows(X, y)
            yield X, y, (before + np.arange(len(y))) % self.every != self.every - 1
            before += len(y)


class Node(NamedTuple):
    """A model of some parts, and how far it may be from the mean of the models of all of them."""

    estimator: Parcel
    bound: float


def survey(part: Part, index: int, sample: int, dtype: str, labelled: bool) -> Survey:
    """Count rows, and see what they look like; what cannot be learned is found before anything is."""
    rows, labels = 0, set[Any]()
    some: tuple[Any, Any] = (None, None)
    for X, y in part.batches():
        with naming(index, rows):
            check_finite(as_rows(X), dtype)
        if rows == 0:
            step = max(X.shape[0] // sample, 1)
            some = rows_of(X, slice(None, None, step)), rows_of(y, slice(None, None, step))
        rows += X.shape[0]
        if labelled:
            labels.update(np.unique(np.asarray(y)).tolist())
    return Survey(rows, np.array(sorted(labels)) if labelled else None, *some)


def learn(part: Part, index: int, plan: Plan, turn: int) -> Node:
    """One pass over a part, on top of what is known; rows in memory are taken in an order of their own."""
    rng = np.random.default_rng((plan.seed, turn, index))
    own: Estimator = split(plan.estimator.content, plan.parts, index, seed=int(rng.integers(2**63)))
    model = own.model_
    for X, y, learned in plan.rows(part, index):
        targets, order = own.encode_targets(y), np.flatnonzero(learned)
        order = rng.permutation(order) if own.shuffle else order
        for start in range(0, len(order), CHUNK):
            pick = order[start : start + CHUNK]
            model.learn_many(X[pick], targets[pick])
    return Node(Parcel(own), 0.0)


def join(nodes: Sequence[Node]) -> Node:
    """One model of several, in the order of their parts."""
    estimators = [node.estimator.content for node in nodes]
    weights = np.array([one.record_.examples for one in estimators], np.float64)
    shares = weights / weights.sum() if weights.any() else np.full(len(weights), 1.0 / len(weights))
    merged, error = merge(estimators, shares)
    return Node(Parcel(merged), error + float(shares @ [node.bound for node in nodes]))


def chosen(part: Part, index: int, plan: Plan, every: int | None) -> list[tuple[Any, np.ndarray]]:
    """The rows held back and their targets as they are; or, of those that are learned, one in so many."""
    found = []
    for X, y, learned in plan.rows(part, index):
        pick = np.flatnonzero(learned)[::every] if every else np.flatnonzero(~learned)
        found.append((X[pick], y[pick]))
    return found


def total(part: Part, index: int, plan: Plan, fit: Statistics, term: Term, a: np.ndarray) -> list[Any]:
    """A sum of the refit over the learned rows of a part."""
    estimator = plan.estimator.content
    found = [
        InMemory(X, estimator.encode_targets(y), learned.astype(np.float64)).total(fit, term, a)
        for X, y, learned in plan.rows(part, index)
    ]
    return add_up(found)


def add_totals(totals: Sequence[list[Any]]) -> list[Any]:
    """Sums of parts added up in their order; a part without rows has none."""
    return add_up([each for each in totals if each])
