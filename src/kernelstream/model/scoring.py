"""Scores f(x) of many rows or one, and the function behind them."""

from typing import Any, NamedTuple

import numpy as np
from scipy.sparse import issparse

from ..core.inputs import check_finite, chunks
from ..core.look_ahead import WIDE
from ..core.numba.cache import direct
from ..core.parallel import in_parts
from ..core.workspace import Boxed, new_workspace
from .base import ModelBase

BLOCK = 64  # rows predicted by one matrix product


class Function(NamedTuple):
    """f(·) = Σ_j coefficients[j] κ(support_vectors[j], ·)."""

    support_vectors: np.ndarray  # (n, d)
    coefficients: np.ndarray  # (n, c)


class Scoring(ModelBase):
    """The methods of a model that change nothing."""

    def scores_many(self, X: Any) -> np.ndarray:
        """The scores f(x) of every row, (rows, outputs). Estimators turn them into labels or numbers."""
        X = self._checked_width(X)
        out = np.empty((X.shape[0], self.n_outputs))
        length = BLOCK if self.recipe.kernel.blocks and self.n_features >= WIDE and not issparse(X) else 0

        def part(first: int, last: int) -> bool:
            handle, node = self._to_predict(), self._workspace(length).node
            for start, stop, rows in chunks(X[first:last], self.dtype):
                if self._predict(handle, rows, out[first + start : first + stop], node) < 0:
                    return False
            return True

        work = float(X.shape[0]) * self.n_support * self.n_features
        if not all(in_parts(part, X.shape[0], work, BLOCK)):
            check_finite(X, self.dtype)  # says where
        return out

    def scores_one(self, x: Any) -> np.ndarray:
        """The scores f(x) of one row, (outputs,)."""
        out = np.empty((1, self.n_outputs))
        mine = self._mine.__dict__
        if not mine:  # the first of this thread
            one, boxed, handle = self._one_row(), self._workspace(0), self._to_predict()
            predict = direct(self._predict, handle, one.row, out, boxed.node)
            mine |= {"one": one, "boxed": boxed, "handle": handle, "predict": predict}
        one = mine["one"]
        if not one.takes(x) or mine["predict"](mine["handle"], one.row, out, mine["boxed"].node) < 0:
            row = np.atleast_2d(x)
            if len(row) != 1:
                raise ValueError(f"scores_one takes one row, not {len(row)}; use scores_many.")
            return self.scores_many(row)[0]  # or says what is wrong
        return out[0]

    def _workspace(self, length: int) -> Boxed:
        beyond, *_ = self.recipe.output.retired(self.state.output, self.state.expansion)
        return new_workspace(self.dims, beyond.shape[1], length)

    @property
    def function(self) -> Function:
        """The function that predicts, as the recipe's output defines it."""
        ex, d = self.state.expansion, self.n_features
        workspace, node = self._workspace(0)
        n = self._predict(self._to_predict(), np.empty((0, d), self.dtype), np.empty((0, self.n_outputs)), node)
        weights = workspace.weights
        sv, _, coef, m, factor = self.recipe.output.retired(self.state.output, ex)
        return Function(
            np.concatenate([ex.sv[:, :n].T, sv[:, :m].T]), np.concatenate([weights[:, :n].T, coef[:, :m].T * factor])
        )
