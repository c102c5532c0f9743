"""Test, then train, row by row: a model predicts a row before it learns it.

The time is CPU time of this process, spent in predicting and learning; dicts of features are made outside of it. What
is compiled on first use is compiled before, on a model that is thrown away.
"""

from collections.abc import Callable
from time import process_time
from typing import Any

import numpy as np

from benchmarks.streams.learner import Maker, Task
from benchmarks.streams.measures import of_classifier, of_regressor
from benchmarks.streams.stream import Arrays

BLOCK = 200  # rows whose dicts are in memory, and between two readings of the clock
REHEARSAL = 1_500  # rows that a compiled learner sees beforehand: its warm-up, and its budget is full

Tell = Callable[[int], None]


def silent(rows: int) -> None:
    """For those who do not watch."""


def evaluate(
    make: Maker, data: Arrays, seed: int, regression: bool, rehearse: bool, tell: Tell = silent
) -> dict[str, Any]:
    """The measures of a new model on a stream."""
    X, y = data
    task = Task(seed, X.shape[1], () if regression else tuple(np.unique(y).tolist()))
    if rehearse:
        answers_of(make(task), _beginning(data, regression), regression)
    model = make(task)
    answers, seconds = answers_of(model, data, regression, tell)
    memory = nbytes(model)
    return {
        "n": len(y), "features": X.shape[1], "classes": len(task.labels),
        **(of_regressor if regression else of_classifier)(answers, y),
        "us_per_row": 1e6 * seconds / len(y), "kib": None if memory is None else memory / 1024.0,
    }  # fmt: skip


def answers_of(model: Any, data: Arrays, regression: bool, tell: Tell = silent) -> tuple[list[Any], float]:
    """Predict and learn every row; the answers, and the CPU seconds that both took."""
    X, y = data
    predict, learn = model.predict_one if regression else model.predict_proba_one, model.learn_one
    keep: Callable[[Any], Any] = float if regression else dict  # a model may change the dict that it returned
    answers: list[Any] = []
    seconds = 0.0
    for start in range(0, len(y), BLOCK):
        rows = [dict(enumerate(x)) for x in X[start : start + BLOCK].tolist()]
        targets = y[start : start + BLOCK].tolist()
        begun = process_time()
        for x, target in zip(rows, targets, strict=True):
            answers.append(keep(predict(x)))
            learn(x, target)
        seconds += process_time() - begun
        tell(start + len(targets))
    return answers, seconds


def _beginning(data: Arrays, regression: bool) -> Arrays:
    """The first rows, and one of every class: a third class makes a classifier compile again."""
    X, y = data
    first = np.arange(min(REHEARSAL, len(y)))
    rows = first if regression else np.concatenate([first, np.unique(y, return_index=True)[1]])
    return X[rows], y[rows]


def nbytes(model: Any) -> int | None:
    """What the model keeps: `nbytes` of ours, what River counts of its own, None where neither is known.

    River does not see inside of compiled objects, so its count is a lower bound.
    """
    steps = getattr(model, "steps", None)
    total = 0
    for part in steps.values() if isinstance(steps, dict) else [model]:
        found = getattr(part, "nbytes", None)
        found = getattr(part, "_raw_memory_usage", None) if found is None else found
        if found is None:
            return None
        total += found
    return total
