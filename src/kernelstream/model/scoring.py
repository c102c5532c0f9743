"""Scores f(x) of many rows or one, and the function behind them."""

from typing import Any, NamedTuple

import numpy as np
from scipy.sparse import issparse

from ..core.inputs import as_rows, check_finite, chunks
from ..core.look_ahead import WIDE
from ..core.numba.cache import direct
from ..core.parallel import in_parts
from ..core.workspace import Boxed, new_workspace
from .base import Binding, ModelBase, check_width

BLOCK = 64  # rows predicted by one matrix product


class Function(NamedTuple):
    """f(·) = Σ_j coefficients[j] κ(support_vectors[j], ·)."""

    support_vectors: np.ndarray  # (n, d)
    coefficients: np.ndarray  # (n, c)


class Scoring(ModelBase):
    """The methods of a model that change nothing."""

    def scores_many(self, X: Any) -> np.ndarray:
        """The scores f(x) of every row, (rows, outputs). Estimators turn them into labels or numbers."""
        X = as_rows(X)
        return self._read(lambda bound: _scores(bound, X))

    def scores_one(self, x: Any) -> np.ndarray:
        """The scores f(x) of one row, (outputs,)."""
        turns = self._turns
        version, bound = turns.version, self._bound  # in this order: a binding that is newer is no harm
        out = np.empty((1, bound.dims.outputs))
        mine = bound.mine.__dict__
        if not mine:  # the first of this thread
            one, boxed = self._one_row(), _workspace(bound, 0)
            predict = direct(bound.predict, bound.handle, one.row, out, boxed.node)
            mine |= {"one": one, "boxed": boxed, "predict": predict}
        one = mine["one"]
        fine = one.takes(x) and mine["predict"](bound.handle, one.row, out, mine["boxed"].node) >= 0
        if fine and version == turns.version and version % 2 == 0:
            return out[0]
        # another thread learns, or something is wrong, and this says what
        row = np.atleast_2d(x)
        if len(row) != 1:
            raise ValueError(f"scores_one takes one row, not {len(row)}; use scores_many.")
        return self.scores_many(row)[0]

    def _new_workspace(self) -> Boxed:
        return _workspace(self._bound, 0)

    def probabilities(self, scores: np.ndarray) -> np.ndarray | None:
        """Scores of many rows as probabilities of the classes, if the loss is a likelihood; None otherwise."""
        return self.recipe.loss.probabilities(scores)

    @property
    def function(self) -> Function:
        """The function that predicts, as the recipe's output defines it."""
        return self._read(_function)


def _workspace(bound: Binding, length: int) -> Boxed:
    beyond, *_ = bound.recipe.output.retired(bound.state.output, bound.state.expansion)
    return new_workspace(bound.dims, beyond.shape[1], length)


def _scores(bound: Binding, X: Any) -> np.ndarray:
    rows, dims, kernel = X.shape[0], bound.dims, bound.recipe.kernel
    check_width(X, dims)
    out = np.empty((rows, dims.outputs))
    length = BLOCK if kernel.blocks and dims.features >= WIDE and not issparse(X) else 0

    def part(first: int, last: int) -> bool:
        node = _workspace(bound, length).node
        for start, stop, chunk in chunks(X[first:last], dims.dtype):
            if bound.predict(bound.handle, chunk, out[first + start : first + stop], node) < 0:
                return False
        return True

    work = float(rows) * int(bound.state.expansion.n[0]) * dims.features
    if not all(in_parts(part, rows, work, BLOCK)):
        check_finite(X, dims.dtype)  # says where
    return out


def _function(bound: Binding) -> Function:
    ex, dims = bound.state.expansion, bound.dims
    workspace, node = _workspace(bound, 0)
    n = bound.predict(bound.handle, np.empty((0, dims.features), dims.dtype), np.empty((0, dims.outputs)), node)
    weights = workspace.weights
    sv, _, coef, m, factor = bound.recipe.output.retired(bound.state.output, ex)
    return Function(
        np.concatenate([ex.sv[:, :n].T, sv[:, :m].T]), np.concatenate([weights[:, :n].T, coef[:, :m].T * factor])
    )
