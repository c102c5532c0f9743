"""Entry points of a panel: several models of the same kind, cells and their mixture predict and learn a row together.

The models are ordinary ones, and their own compiled code is called by address. So a row costs one call from Python, and
the panel is compiled in about a second.
"""

import math
from typing import Any, NamedTuple

import numpy as np

from .cells import TABLES, Cells, add_up, follow_effects, follow_units, locate, new_cells
from .numba.addresses import by_address
from .numba.cache import boxed, direct, handle, shared
from .numba.lowering import compiled, inlined
from .numba.math import cast
from .numba.views import unowned
from .state import one
from .task import Task
from .types import Array

MODELS = 3
LEARNED, REFUSED = -1, -2
PROBATION = 1024  # rows that every model learns
WORSE, PART = 2.0, 4  # a model with more than twice the log-loss of the best learns one row in four


class Current(NamedTuple):
    """The current row as the models take it."""

    x: np.ndarray  # (models, 1, d) scaled and weighted, in the precision of the models
    scaled: np.ndarray  # (d,)
    raw: np.ndarray  # (d,) as it came
    y: np.ndarray  # (1, 1)
    weight: np.ndarray  # (1,)
    scores: np.ndarray  # (models, 1, outputs)
    known: np.ndarray  # 1 if the scores are those of this row and of the present models


class PanelState(NamedTuple):
    current: Current
    importance: np.ndarray  # (models, d) by which each model multiplies features: their relevance
    powers: np.ndarray  # (models,) to this power
    cells: Cells
    mixture: Any  # as the task has it


class Compiled(NamedTuple):
    """The compiled code of a model, and what it is called with."""

    predict: Any
    predict_handle: Any
    workspace: Any
    learn: Any
    learn_handle: Any


class PanelHandle(NamedTuple):
    state: Any
    read_first: Any
    read_second: Any
    read_third: Any
    space_first: Any
    space_second: Any
    space_third: Any
    first: Any
    second: Any
    third: Any
    predict: Any
    learn: Any
    task: Any


def new_panel(task: Task, features: int, outputs: int, dtype: Any) -> PanelState:
    current = Current(
        np.zeros((MODELS, 1, features), dtype), np.zeros(features), np.zeros(features), np.zeros((1, 1)), np.ones(1),
        np.zeros((MODELS, 1, outputs)), one(0, np.int64),
    )  # fmt: skip
    cells, mixture = new_cells(features, task.width(outputs)), task.new_mixture(MODELS, TABLES, outputs)
    return PanelState(current, np.ones((MODELS, features)), np.zeros(MODELS), cells, mixture)


@inlined
def put(state: PanelState, x: Array, raw: Array) -> bool:
    """Make a row the current one; False if it is not finite. The scores stay known if it already is."""
    current, importance = state.current, state.importance
    same, fine = current.known[0] == 1, True
    for k in range(x.shape[0]):
        fine = fine and math.isfinite(x[k]) and math.isfinite(raw[k])
        same = same and current.raw[k] == raw[k] and current.scaled[k] == x[k]
    if not fine:
        return False
    if same:
        return True
    for k in range(x.shape[0]):
        current.scaled[k], current.raw[k] = x[k], raw[k]
        for e in range(importance.shape[0]):
            current.x[e, 0, k] = cast(importance[e, k] * x[k], current.x)
    current.known[0] = 0
    return True


@compiled
def consult(h: Any) -> bool:
    """The prediction for the current row; False if a model refuses it."""
    current, cells, mixture = h.state.current, h.state.cells, h.state.mixture
    if current.known[0] == 1:
        return True
    scores = current.scores
    fine = h.predict(h.read_first, current.x[0], scores[0], h.space_first) >= 0
    fine = h.predict(h.read_second, current.x[1], scores[1], h.space_second) >= 0 and fine
    fine = h.predict(h.read_third, current.x[2], scores[2], h.space_third) >= 0 and fine
    if not fine:
        return False
    h.task.take_scores(mixture, scores)
    locate(cells, current.raw)
    for t in range(cells.scores.shape[0]):
        add_up(cells, t, mixture.logits[scores.shape[0] + t])
    h.task.combine(mixture)
    current.known[0] = 1
    return True


def panel_predict(h: Any, X: Array, raw: Array, out: Array) -> int:
    """Entry point: out[i] = the prediction for row i; returns −1, or the index of a row that is not finite."""
    X, raw, out = unowned(X), unowned(raw), unowned(out)
    for i in range(out.shape[0]):
        if not put(h.state, X[i], raw[i]) or not consult(h):
            return i
        for c in range(out.shape[1]):
            out[i, c] = h.state.mixture.mixed[c]
    return -1


def panel_learn(
    h: Any, X: Array, raw: Array, index: Array, y: Array, weight: Array, start: int, out: Array
) -> tuple[int, int]:
    """Entry point: predict and learn the rows from `start` on; out[i] = the prediction for row i before it is learned.

    A row is of class `index[i]`, which is `y[i]` to the loss, or of the number `y[i]`. Returns how many rows have been
    dealt with, and LEARNED; or the row that was not, and REFUSED if it is not finite; or the row, and a model that
    pauses: it and those after it have not learned the row yet."""
    X, raw, index, y, weight, out = unowned(X), unowned(raw), unowned(index), unowned(y), unowned(weight), unowned(out)
    for i in range(start, out.shape[0]):
        if not put(h.state, X[i], raw[i]) or not consult(h):
            return i, REFUSED
        for c in range(out.shape[1]):
            out[i, c] = h.state.mixture.mixed[c]
        absorb(h, index[i], y[i], weight[i])
        waiting = teach(h, 0)
        if waiting != LEARNED:
            return i, waiting
    return out.shape[0], LEARNED


@compiled
def absorb(h: Any, index: int, y: float, weight: float) -> None:
    """Let mixture and tables learn the target of the current row."""
    current, cells, mixture = h.state.current, h.state.cells, h.state.mixture
    # one example of more weight says no more about the experts than one example can
    trust = min(weight, 1.0)
    if trust > 0.0:
        h.task.learn_weights(mixture, index, y, trust)
        for t in range(cells.scores.shape[0]):
            h.task.learn_table(mixture, cells, t, current.scores.shape[0] + t, index, y, weight)
        follow_effects(cells, current.raw)
        follow_units(cells, current.raw)
    current.known[0] = 0
    current.y[0, 0], current.weight[0] = h.task.model_target(mixture, y), h.task.model_weight(weight)
    if trust > 0.0:
        h.task.follow(mixture, y, trust)


@compiled
def teach(h: Any, start: int) -> int:
    """Let the models from `start` on learn the current row; LEARNED, or the index of one that pauses."""
    current = h.state.current
    if start < 1 and not rests(h.state, 0) and h.learn(h.first, current.x[0], current.y, current.weight, 0) != 1:
        return 0
    if start < 2 and not rests(h.state, 1) and h.learn(h.second, current.x[1], current.y, current.weight, 0) != 1:
        return 1
    if start < 3 and not rests(h.state, 2) and h.learn(h.third, current.x[2], current.y, current.weight, 0) != 1:
        return 2
    return LEARNED


@inlined
def rests(state: PanelState, model: int) -> bool:
    """Whether a model is left out of this row: one that is much worse than the best expert learns a part of the rows,
    so that time is spent where it pays."""
    losses, rows = state.mixture.losses, state.cells.rows[0]
    best = losses[0]
    for e in range(1, losses.shape[0]):
        best = min(best, losses[e])
    return rows > PROBATION and losses[model] > WORSE * best and rows % PART != model


def panel_continue(h: Any, start: int) -> int:
    """Entry point: models from `start` on learn the row that `panel_learn` has begun with; LEARNED, or one that
    pauses."""
    return teach(h, start)


class Panel:
    """The compiled calls of a panel state and its models, which must keep their arrays."""

    def __init__(self, task: Task, state: PanelState, models: list[Compiled]):
        self.kept = state, models
        current, first = state.current, models[0]
        predict = by_address(first.predict, first.predict_handle, current.x[0], current.scores[0], first.workspace)
        learn = by_address(first.learn, first.learn_handle, current.x[0], current.y, current.weight, 0)
        self._handle = handle(
            PanelHandle._make(
                [boxed(state), *[m.predict_handle for m in models], *[m.workspace for m in models],
                 *[m.learn_handle for m in models], predict, learn, task]
            )
        )  # fmt: skip
        rows, numbers, classes = np.zeros((1, 1)), np.zeros(1), np.zeros(1, np.int64)
        self._predict = direct(shared(panel_predict), self._handle, rows, rows, rows)
        self._learn = direct(shared(panel_learn), self._handle, rows, rows, classes, numbers, numbers, 0, rows)
        self._continue = direct(shared(panel_continue), self._handle, 0)

    # Rows and predictions are float64 and C-contiguous and of the panel's width, classes int64: nobody checks.

    def predict(self, X: Array, raw: Array, out: Array) -> int:
        """`panel_predict`."""
        found: int = self._predict(self._handle, X, raw, out)
        return found

    def learn(
        self, X: Array, raw: Array, index: Array, y: Array, weight: Array, start: int, out: Array
    ) -> tuple[int, int]:
        """`panel_learn`."""
        found: tuple[int, int] = self._learn(self._handle, X, raw, index, y, weight, start, out)
        return found

    def go_on(self, start: int) -> int:
        """`panel_continue`."""
        found: int = self._continue(self._handle, start)
        return found
