"""Learning: many rows, one row, and the final refit."""

import logging
from functools import partial
from typing import Any, Self

import numpy as np

from ..core.inputs import as_weights, check_finite, chunks
from ..core.numba.cache import direct
from ..core.parallel import one_blas_thread
from ..core.precision import LARGEST
from ..core.state import allocate, copy_into
from ..recipe import capacity
from ..refit.sources import InMemory, Rows, RowSource
from .base import ModelBase, OneByOne
from .targets import check_targets

logger = logging.getLogger(__name__)


class BadRow(ValueError):
    """A row that cannot be learned, by its index in the call, so that a caller who reordered the rows can say which."""

    def __init__(self, row: int, reason: str):
        super().__init__(row, reason)
        self.row, self.reason = row, reason

    def __str__(self) -> str:
        return f"The score or its loss overflows at row {self.row}: {self.reason}"


class Learning(ModelBase):
    """The methods of a model that learn."""

    def learn_many(self, X: Any, y: Any, weight: Any = None) -> Self:
        """Learn rows in order. A bad row raises a ValueError that names it, and nothing is learned from the call."""
        X, Y, weights = self._checked(X, y, weight)
        with self._turns:
            self._learn_checked(X, Y, weights)
        return self

    def _learn_checked(self, X: Any, Y: np.ndarray, weights: np.ndarray) -> None:
        backup = self.__getstate__() if self.may_overflow else None
        recomputed = self.recipe.norm.recomputations(self.state.norm)
        bad = self._learn_chunks(X, Y, weights)
        if bad is None and backup is not None and not self._bounded:
            bad = len(Y) - 1  # finite still, but the next row would be refused, and so would all after it
        if bad is not None:
            if backup is not None:
                self._restore(backup)
            raise BadRow(
                bad,
                f"numbers are too large for {self.recipe.kernel!r} and {self.recipe.loss!r} in {self.dtype.name}. "
                "Scale the features and targets, use smaller weights and steps or dtype='float64'; the model is "
                "unchanged.",
            )
        recomputed = self.recipe.norm.recomputations(self.state.norm) - recomputed
        if recomputed:
            logger.debug("recomputed ‖f‖² %d times in %d rows, against rounding errors", recomputed, len(Y))

    def refit(self, X: Any, y: Any, weight: Any = None, held: Any = ()) -> Self:
        """Refit the coefficients over rows that have been learned, if the recipe's output does so (see `output.Refit`).

        `held` lists the indices of rows that have not been learned: the refit is validated on them.
        """
        if not self.recipe.output.refits:
            return self
        X, Y, weights = self._checked(X, y, weight)
        judges = np.asarray(held)
        if len(judges) and (judges.dtype.kind not in "iu" or judges.min() < 0 or judges.max() >= len(Y)):
            raise ValueError(f"held must be row indices from 0 to {len(Y) - 1}, not {held!r}.")
        judges = judges.astype(np.int64)
        learned = weights.copy()
        learned[judges] = 0.0
        return self.refit_from(InMemory(X, Y, learned), Rows(X[judges], Y[judges], weights[judges]))

    def refit_from(self, source: RowSource, held: Rows) -> Self:
        """`refit` for rows in another process: see `refit.sources.RowSource`. `held` rows have not been learned."""
        if self.recipe.output.refits:
            with self._turns, one_blas_thread:
                self.recipe.output.refit(self.recipe, self.state, source, held)
        return self

    def learn_one(self, x: Any, y: Any, weight: float = 1.0) -> Self:
        """Learn one example: a 1-d array and its target."""
        turns = self._turns
        with turns.lock:  # as `with turns`, in half the time
            try:
                turns.version |= 1
                one, learn = self._one or self._learn_one_by_one()
                if one.takes(x) and one.takes_target(y, weight) and learn() == 1:
                    return self
            finally:
                turns.version = (turns.version | 1) + 1
        # the model must grow, or something is wrong, and this says what
        return self.learn_many(np.atleast_2d(x), np.array(y, np.float64, ndmin=2), [weight])

    def catch_up(self) -> Self:
        """Do what the recipe's output wants done before the next example, if anything, as `learn_one` does."""
        with self._turns, one_blas_thread:
            if self.recipe.output.due(self.state.output):
                self.recipe.output.between(self.recipe, self.state)
        return self

    def _checked(self, X: Any, y: Any, weight: Any) -> tuple[Any, np.ndarray, np.ndarray]:
        """Rows, targets and weights as the loop takes them; a ValueError that names what is wrong."""
        X, Y = self._checked_width(X), check_targets(y, self.recipe.loss, self.n_outputs)
        check_finite(X, self.dtype)
        if len(Y) != X.shape[0]:
            raise ValueError(f"X has {X.shape[0]} rows and y has {len(Y)}.")
        return X, Y, as_weights(weight, len(Y))

    def _learn_one_by_one(self) -> OneByOne:
        one = self._one_row()
        given = self._to_learn(), one.row, one.target, one.weight, 0
        self._one = OneByOne(one, partial(direct(self._learn, *given), *given))
        return self._one

    def _learn_chunks(self, X: Any, Y: np.ndarray, weights: np.ndarray) -> int | None:
        """Learn checked rows; the index of a bad row, or None."""
        for start, stop, rows in chunks(X, self.dtype):
            # the matrices are small: BLAS gains nothing by threads, and waits for them where cores are shared
            with one_blas_thread:
                bad = self._learn_rows(rows, Y[start:stop], weights[start:stop], stop - start)
            if bad is not None:
                return start + bad
        return None

    @property
    def _bounded(self) -> bool:
        """Whether all coefficients are small enough to learn on."""
        ex = self.state.expansion
        return bool(np.abs(ex.coef[:, : self.n_support]).max(initial=0.0) * ex.scale[0] <= LARGEST)

    def _learn_rows(self, rows: Any, targets: np.ndarray, weights: np.ndarray, count: int) -> int | None:
        """Learn canonical rows, pausing and growing as needed; the index of a bad row, or None."""
        done = 0
        while True:
            done = self._learn(self._to_learn(), rows, targets, weights, done)
            if done >= count:
                return None
            if done < 0:
                return -1 - done
            if self._turns.stop[0]:
                self._turns.give_way()
            elif self.recipe.output.due(self.state.output):
                self.recipe.output.between(self.recipe, self.state)
                if self.recipe.output.due(self.state.output):
                    raise RuntimeError(f"{self.recipe.output!r}: `between` must do what `due` has asked for.")
            else:
                self._grow()

    def _restore(self, saved: dict[str, Any]) -> None:
        """Return to a state that `__getstate__` gave."""
        self.dims, self.state = saved["dims"], allocate(self.recipe, saved["dims"])
        copy_into(saved["state"], self.state)
        self._bind()

    def _grow(self) -> None:
        """Double the capacity, or enlarge the store of support vectors that only the output still uses."""
        n, dims = self.state.expansion.n[0], self.dims
        if n + dims.batch > dims.capacity:
            self._resize(dims._replace(capacity=2 * dims.capacity))
            return
        need = self.recipe.maintenance.removals(n, dims.batch)
        # a long mean retires many: fourfold, because growing copies what is there
        dims = dims._replace(retired=capacity(max(4 * dims.retired, dims.retired + 2 * need, 256), 0))
        output = self.recipe.output.init(dims)
        copy_into(self.state.output, output)
        self.dims, self.state = dims, self.state._replace(output=output)
        self._bind()
