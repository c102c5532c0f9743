"""The stream goes by, chunk after chunk: every example is predicted first and learned afterwards."""

import time
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from ...datasets import checkerboard
from ...evaluate import as_learner
from ...model import Model
from .entrants import ENTRANTS

CELLS = 4
HELD_OUT = 20_000
CHUNK = 1_000
SEED = 2
GRID = 241


class News(NamedTuple):
    """What a progress bar shows."""

    key: str
    done: int
    support: int
    accuracy: float  # of predictions before learning, so far
    rate: float  # examples predicted and learned per second


class Result(NamedTuple):
    """How an entrant fared."""

    key: str
    examples: int
    accuracy: float  # on examples never learned
    progressive: float  # on every example before it was learned
    support: int
    nbytes: int
    rate: float
    curve: np.ndarray  # (3, k): examples, support vectors, accuracy
    points: np.ndarray  # the support vectors,
    signs: np.ndarray  # the class that each stands for,
    surface: np.ndarray  # and f on a grid over the board


def run(key: str, examples: int, report: Callable[[News], None]) -> Result:
    """Stream the board through one entrant."""
    entrant = ENTRANTS[key]
    n = entrant.length(examples)
    X_test, y_test = checkerboard(HELD_OUT, cells=CELLS, start=examples, seed=SEED)
    X, y = checkerboard(CHUNK, cells=CELLS, seed=SEED)
    recipe = entrant.recipe(n)
    report(News(key, 0, 0, 0.0, 0.0))
    Model.from_recipe(recipe, X, y).learn_many(X[:2], y[:2]).scores_many(X[:2])  # compiles
    model = Model.from_recipe(recipe, X, y)
    learner = as_learner(model)
    right, seconds, curve = 0, 0.0, []
    moments = iter(sorted({int(m) for m in np.geomspace(min(CHUNK, n), n, 40) // CHUNK * CHUNK} | {n}))
    moment = next(moments)
    for start in range(0, n, CHUNK):
        X, y = checkerboard(min(CHUNK, n - start), cells=CELLS, start=start, seed=SEED)
        begun = time.perf_counter()
        right += int(np.sum(learner.test_then_train(X, y) == y))
        seconds += time.perf_counter() - begun
        done = start + len(y)
        if done >= moment:
            curve.append((done, model.n_support, float(np.mean(_signs(model, X_test) == y_test))))
            moment = next(moments, n + 1)
        report(News(key, done, model.n_support, right / done, done / seconds))
    # without a limit the arrays were laid out for the whole stream: count those of a model that just holds its SVs
    size = (model if entrant.limited else Model.from_recipe(entrant.recipe(model.n_support), X, y)).nbytes
    points, coefficients = model.function
    return Result(
        key, n, curve[-1][2], right / n, len(points), size, n / seconds, np.array(curve).T, points,
        np.sign(coefficients[:, 0]), model.scores_many(grid())[:, 0].reshape(GRID, GRID),
    )  # fmt: skip


def grid() -> np.ndarray:
    """Points that cover the board, row by row."""
    axis = np.linspace(0.0, CELLS, GRID)
    return np.stack(np.meshgrid(axis, axis), axis=-1).reshape(-1, 2)


def _signs(model: Model, X: np.ndarray) -> np.ndarray:
    return np.where(model.scores_many(X)[:, 0] > 0.0, 1, -1)
