"""Predictions, of many rows and of one, and the function they come from."""

from typing import Any, NamedTuple

import numpy as np
from scipy.sparse import issparse

from .._cache import direct
from ..desk import Place, place
from ..inputs import CHUNK, check_finite, chunks
from ..look_ahead import WIDE
from ..parallel import in_parts
from .holding import Held

BLOCK = 64  # rows predicted by one matrix product


class Function(NamedTuple):
    """f(·) = Σ_j coefficients[j] κ(support_vectors[j], ·)."""

    support_vectors: np.ndarray  # (n, d)
    coefficients: np.ndarray  # (n, c)


class Predicting(Held):
    """The half of a model that changes nothing."""

    def predict_many(self, X: Any) -> np.ndarray:
        """f(x) for every row: (rows, outputs)."""
        X = self._checked_width(X)
        out = np.empty((X.shape[0], self.n_outputs))
        length = BLOCK if self.recipe.kernel.blocks and self.n_features >= WIDE and not issparse(X) else 0

        def part(first: int, last: int) -> bool:
            place = self._place(length)
            for start, stop, rows in chunks(X[first:last], self.dtype):
                if self._predict(self._handle, rows, out[first + start : first + stop], place.node) < 0:
                    return False
            return True

        work = float(X.shape[0]) * self.n_support * self.n_features
        if not all(in_parts(part, X.shape[0], work, CHUNK)):
            check_finite(X, self.dtype)  # says where
        return out

    def predict_one(self, x: Any) -> np.ndarray:
        """f(x) of one row: (outputs,)."""
        out = np.empty((1, self.n_outputs))
        mine = self._mine.__dict__
        if not mine:  # the first of this thread
            one, place = self._one_row(), self._place(0)
            predict = direct(self._predict, self._handle, one.row, out, place.node)
            mine |= {"one": one, "place": place, "predict": predict}
        one = mine["one"]
        if not one.takes(x) or mine["predict"](self._handle, one.row, out, mine["place"].node) < 0:
            row = np.atleast_2d(x)
            if len(row) != 1:
                raise ValueError(f"predict_one takes one row, not {len(row)}; use predict_many.")
            return self.predict_many(row)[0]  # or says what is wrong
        return out[0]

    def _place(self, length: int) -> Place:
        beyond, *_ = self.recipe.average.attic(self._state.average, self._state.expansion)
        return place(self._dims, beyond.shape[1], length)

    @property
    def function(self) -> Function:
        """The function that predictions come from, averaging included."""
        ex, d = self._state.expansion, self.n_features
        place = self._place(0)
        n = self._predict(self._handle, np.empty((0, d), self.dtype), np.empty((0, self.n_outputs)), place.node)
        weights = place.desk.weights
        sv, _, coef, m, factor = self.recipe.average.attic(self._state.average, ex)
        return Function(
            np.concatenate([ex.sv[:, :n].T, sv[:, :m].T]), np.concatenate([weights[:, :n].T, coef[:, :m].T * factor])
        )
