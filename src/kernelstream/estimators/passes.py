"""Passes of a model over data that is all there."""

from typing import Any

import numpy as np

from ..inputs import CHUNK
from ..model import BadRow, Model
from .progress import reporting

ENOUGH = 50_000  # examples after which one more pass gains little
MOST = 20
_DRAWN = 1024  # rows between two drawings of the bar


def automatic_epochs(rows: int) -> int:
    """One pass over much data, more over little.

    >>> automatic_epochs(1_000_000), automatic_epochs(10_000), automatic_epochs(150)
    (1, 5, 20)
    """
    return min(max(-(-ENOUGH // max(rows, 1)), 1), MOST)


def learn_epochs(
    model: Model,
    X: Any,
    targets: np.ndarray,
    weights: np.ndarray,
    epochs: int,
    rng: np.random.RandomState | None,
    progress: bool,
) -> None:
    """Learn all rows `epochs` times, each time in a new order if there is a generator to draw it from."""
    rows = X.shape[0]
    size = _DRAWN if progress else CHUNK
    with reporting(progress, rows * epochs) as report:
        for _ in range(epochs):
            order = None if rng is None else rng.permutation(rows)
            for start in range(0, rows, size):
                # a chunk of the order at a time, so that the data is never copied whole
                pick = slice(start, start + size) if order is None else order[start : start + size]
                try:
                    model.learn_many(X[pick], targets[pick], weights[pick])
                except BadRow as bad:
                    row = start + bad.row if order is None else int(order[start + bad.row])
                    raise BadRow(row, bad.reason) from None
                report(model)
