"""A model: a recipe at work on a stream."""

import threading
from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from scipy.sparse import issparse

from ._cache import direct, fingerprint, handle, specialise
from .compress import compress
from .desk import Place, place
from .engine import learn_many, predict_many
from .growth import carry_over
from .inputs import CHUNK, as_rows, as_weights, check_finite, chunks
from .look_ahead import WIDE
from .one_row import OneRow
from .parallel import in_parts, one_blas_thread
from .parts import apart, whole
from .recipe import Composition, Recipe, capacity
from .record import Record, read_record
from .state import allocate, copy_into, nbytes, without_derived
from .strategy import Dims, Facts
from .targets import as_targets, check_targets

_FIRST_CAPACITY = 64
BLOCK = 64  # rows predicted by one matrix product


class Function(NamedTuple):
    """f(·) = Σ_j coefficients[j] κ(support_vectors[j], ·)."""

    support_vectors: np.ndarray  # (n, d)
    coefficients: np.ndarray  # (n, c)


class OneByOne(NamedTuple):
    """A row, and the call that learns it."""

    row: OneRow
    learn: Callable[[], int]


class BadRow(ValueError):
    """A row that cannot be learned, by its index in the call, so that a caller who reordered the rows can say which."""

    def __init__(self, row: int, reason: str):
        super().__init__(row, reason)
        self.row, self.reason = row, reason

    def __str__(self) -> str:
        return f"The score or its loss overflows at row {self.row}: {self.reason}"


class Model:
    """Learns a function of `n_outputs` numbers from examples, one at a time or many, in the memory of its budget.

    Targets are what the recipe's loss takes: −1 or +1 per output, the index of a class, or numbers. (The estimators
    translate labels.) Rows may be dense or sparse. Threads may predict with one model at the same time, but not while
    another learns.

    >>> import numpy as np
    >>> from kernelstream import Model, recipes
    >>> from kernelstream.datasets import checkerboard
    >>> from kernelstream.kernels import Gaussian
    >>> X, y = checkerboard(5000, seed=1)
    >>> model = Model.begin(recipes.bsgd(kernel=Gaussian(4.0), lam=1e-4, budget=50), X, y)
    >>> model.learn_many(X, y).n_support
    50
    >>> bool(np.mean(np.sign(model.predict_many(X)[:, 0]) == y) > 0.9)
    True
    """

    def __init__(self, recipe: Composition, n_features: int, n_outputs: int, dtype: Any = np.float32, seed: int = 0):
        self.recipe = recipe
        size = recipe.budget.at(1) if recipe.budget.limited else max(_FIRST_CAPACITY, recipe.kernel.size)
        room, word = capacity(size, recipe.batch), int(seed) & (2**64 - 1)
        self._dims = Dims(room, n_features, n_outputs, np.dtype(dtype), recipe.batch, seed=word)
        self._state = allocate(recipe, self._dims)
        recipe.kernel.begin(self._state, self._dims)
        self._bind()

    @classmethod
    def begin(
        cls,
        recipe: Recipe,
        X: Any,
        y: Any,
        *,
        n_outputs: int | None = None,
        total: int | None = None,
        dtype: Any = np.float32,
        seed: int = 0,
    ) -> "Model":
        """A model for the stream that begins with rows X and targets y. Nothing is learned yet: what the recipe leaves
        open is decided from them. `total` is the number of examples to come, where it is known."""
        X, Y = as_rows(X), as_targets(y)
        outputs = n_outputs or (int(Y.max(initial=0)) + 1 if recipe.loss.target == "class" else Y.shape[1])
        facts = Facts(X, Y, outputs, np.dtype(dtype), total)
        return cls(recipe.resolve(facts), X.shape[1], outputs, dtype, seed)

    def _bind(self) -> None:
        name = fingerprint(self.recipe)
        self._handle = handle(self.recipe, self._state)
        self._learn = specialise(learn_many, *name)
        self._predict = specialise(predict_many, *name)
        self._one: OneByOne | None = None  # learns single examples; the first of them compiles
        self._mine = threading.local()

    def learn_many(self, X: Any, y: Any, weight: Any = None) -> "Model":
        """Take in rows in their order. If one is bad, a ValueError says which, and nothing has been learned."""
        X, Y = self._checked_width(X), check_targets(y, self.recipe.loss, self.n_outputs)
        check_finite(X, self.dtype)
        if len(Y) != X.shape[0]:
            raise ValueError(f"X has {X.shape[0]} rows and y has {len(Y)}.")
        weights = as_weights(weight, len(Y))
        backup = self.__getstate__() if self.may_overflow else None
        for start, stop, rows in chunks(X, self.dtype):
            # the matrices are small: BLAS gains nothing by threads, and waits for them where cores are shared
            with one_blas_thread:
                bad = self._learn_rows(rows, Y[start:stop], weights[start:stop], stop - start)
            if bad is not None:
                if backup is not None:
                    self.__setstate__(backup)
                raise BadRow(
                    start + bad,
                    f"numbers have grown too large for {self.recipe.kernel!r} and {self.recipe.loss!r} in "
                    f"{self.dtype.name}. Scale the features and targets, use smaller steps or dtype='float64'; the "
                    "model is unchanged.",
                )
        return self

    def finish(self, X: Any, y: Any, weight: Any = None, held: Any = ()) -> "Model":
        """Make what can be made of rows that have been learned, if the recipe has use for them; see `Refit`.

        `held` lists the rows that have not been learned: they judge the result.
        """
        X, Y = self._checked_width(X), check_targets(y, self.recipe.loss, self.n_outputs)
        check_finite(X, self.dtype)
        if len(Y) != X.shape[0]:
            raise ValueError(f"X has {X.shape[0]} rows and y has {len(Y)}.")
        weights, judges = as_weights(weight, len(Y)), np.asarray(held)
        if len(judges) and (judges.dtype.kind not in "iu" or judges.min() < 0 or judges.max() >= len(Y)):
            raise ValueError(f"held lists rows by their index, from 0 to {len(Y) - 1}, not {held!r}.")
        judges = judges.astype(np.int64)
        with one_blas_thread:
            self.recipe.average.finish(self.recipe, self._state, X, Y, weights, judges)
        return self

    def learn_one(self, x: Any, y: Any, weight: float = 1.0) -> "Model":
        """Take in one example, a 1-d array and its target."""
        one, learn = self._one or self._learn_one_by_one()
        if one.takes(x) and one.takes_target(y, weight) and learn() == 1:
            return self
        # the model must grow, or something is wrong, and this says what
        return self.learn_many(np.atleast_2d(x), np.array(y, np.float64, ndmin=2), [weight])

    def _learn_one_by_one(self) -> OneByOne:
        one = self._one_row()
        given = self._handle, one.row, one.target, one.weight, 0
        self._one = OneByOne(one, partial(direct(self._learn, *given), *given))
        return self._one

    def _learn_rows(self, rows: Any, targets: np.ndarray, weights: np.ndarray, count: int) -> int | None:
        """Learn canonical rows, growing as needed; the index of a bad row, or None."""
        done = 0
        while True:
            done = self._learn(self._handle, rows, targets, weights, done)
            if done >= count:
                return None
            if done < 0:
                return -1 - done
            self._grow()

    def _grow(self) -> None:
        """Make room: what waits is attended to, or memory grows: twice the capacity, or a larger attic."""
        if self.recipe.average.attend(self.recipe, self._state):
            return
        n, dims = self._state.expansion.n[0], self._dims
        if n + dims.batch > dims.capacity:
            self._resize(dims._replace(capacity=2 * dims.capacity))
            return
        need = self.recipe.maintenance.removals(n, dims.batch)
        # a long average retires many: fourfold, because growing copies what is there
        dims = dims._replace(attic=capacity(max(4 * dims.attic, dims.attic + 2 * need, 256), 0))
        average = self.recipe.average.init(dims)
        copy_into(self._state.average, average)
        self._dims, self._state = dims, self._state._replace(average=average)
        self._bind()

    def _resize(self, dims: Dims) -> None:
        state = allocate(self.recipe, dims)
        copy_into(self._state, state)
        self._dims, self._state = dims, state
        self._bind()

    def widen(self, features: int) -> "Model":
        """Take rows of more features from now on. In all that was learned so far the new ones are 0.

        >>> from kernelstream import Model, recipes
        >>> model = Model.begin(recipes.bsgd(budget=10), [[1.0]], [1]).learn_many([[1.0], [2.0]], [1, -1])
        >>> bool(model.predict_many([[1.5]]) == model.widen(2).predict_many([[1.5, 0.0]]))
        True
        """
        if features < self.n_features:
            raise ValueError(f"The model has {self.n_features} features and cannot shrink to {features}.")
        if self.recipe.kernel.fixed:
            raise ValueError(
                f"{self.recipe.kernel!r} was drawn for {self.n_features} features and cannot be widened to {features}: "
                "use a recipe with support vectors."
            )
        if features > self.n_features:
            self._resize(self._dims._replace(features=features))
        return self

    def grown(self, recipe: Recipe, features: int, mix: Any) -> "Model":
        """A model that goes on from this one with more features, or with outputs that were not foreseen.

        Its outputs are `mix` times the present ones, a matrix (new outputs, old outputs). `recipe` is the one that this
        model began with, with the loss for the new outputs; its kernel stays as it was decided then, and a budget in
        bytes is divided anew among support vectors of the new size.

        >>> from kernelstream import Model, losses, recipes
        >>> recipe = recipes.bsgd(budget=10)
        >>> model = Model.begin(recipe, [[1.0]], [1]).learn_many([[1.0], [2.0]], [1, -1])
        >>> more = model.grown(recipe.replace(loss=losses.CrammerSinger()), 2, [[-0.5], [0.5], [0.0]])
        >>> bool(model.predict_many([[1.5]]) == 2 * more.predict_many([[1.5, 0.0]])[0, 1])
        True
        """
        old, mix = self, np.asarray(mix, np.float64)
        if features != old.n_features and old.recipe.kernel.fixed:
            old.widen(features)  # says why it cannot be
        facts = Facts(np.zeros((1, features)), np.zeros((1, 1)), len(mix), old.dtype)
        fresh = recipe.replace(kernel=old.recipe.kernel).resolve(facts)
        changes: dict[str, Any] = {"budget": fresh.budget, "loss": fresh.loss}
        if len(mix) != old.n_outputs:
            changes["bound"] = fresh.bound
        dims = old._dims._replace(features=features, outputs=len(mix))
        if fresh.budget != old.recipe.budget:
            old = old.compress(fresh.budget.at(1))
            dims = dims._replace(capacity=capacity(fresh.budget.at(1), dims.batch))
        new = Model.__new__(Model)
        new.recipe, new._dims = old.recipe.replace(**changes), dims
        new._state = allocate(new.recipe, dims)
        carry_over(new.recipe, old._state, new._state, mix)
        if len(mix) != old.n_outputs:
            new.recipe.norm.adopt(new._state.norm, new.norm**2)
            new.recipe.average.mixed(new._state.average, new._state.expansion)
        new._bind()
        return new

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

    def _one_row(self) -> OneRow:
        return OneRow(self.n_features, self.n_outputs, self.dtype, self.recipe.loss.target)

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

    def compress(self, budget: int | None = None, tolerance: float | None = None) -> "Model":
        """A model with fewer support vectors, as close to this one as greedy pruning gets. It can go on learning.

        Give the number of support vectors to keep, or the distance ‖f − f_compressed‖ to stay within, or both.
        """
        if self.recipe.kernel.fixed:
            raise ValueError(
                f"compress: {self.recipe.kernel!r} has a basis of its own, not support vectors. Use fewer of it."
            )
        sv, coef = self.function
        kept, fitted, _ = compress(self.recipe.kernel, sv, coef, budget, tolerance)
        new = self.copy()
        new._adopt(sv[kept], fitted)
        return new

    def copy(self) -> "Model":
        """The same model in memory of its own."""
        new = Model.__new__(Model)
        new.__setstate__(self.__getstate__())
        return new

    def _adopt(self, sv: np.ndarray, coef: np.ndarray) -> None:
        """Go on from a given function."""
        n = len(sv)
        if n + self._dims.batch > self._dims.capacity:
            self._resize(self._dims._replace(capacity=capacity(n, self._dims.batch)))
        ex, recipe, wide = self._state.expansion, self.recipe, sv.astype(np.float64)
        gram = recipe.kernel.gram(wide)
        ex.sv[:, :n], ex.coef[:, :n] = sv.T, coef.T
        ex.sq[:n], ex.diag[:n] = (wide**2).sum(axis=1), np.diag(gram)
        ex.age[:n], ex.n[0], ex.scale[0] = self._state.run.t[0], n, 1.0
        recipe.inverse.adopt(self._state.inverse, gram)
        recipe.norm.adopt(self._state.norm, float(np.sum(coef * (gram @ coef))))
        recipe.average.restart(self._state.average, ex)

    def _checked_width(self, X: Any) -> Any:
        X = as_rows(X)
        if X.shape[1] != self.n_features:
            raise ValueError(f"X has {X.shape[1]} features, but the model has {self.n_features}; it is unchanged.")
        return X

    @property
    def n_features(self) -> int:
        return self._dims.features

    @property
    def n_outputs(self) -> int:
        return self._dims.outputs

    @property
    def dtype(self) -> np.dtype:
        return self._dims.dtype

    @property
    def may_overflow(self) -> bool:
        """Whether numbers may become infinite half way through: not with a normalised kernel and a loss of bounded
        slope."""
        return not self.recipe.kernel.normalised or self.recipe.loss.steepest(self.n_outputs) is None

    @property
    def n_support(self) -> int:
        """Support vectors of the last iterate."""
        return int(self._state.expansion.n[0])

    @property
    def norm(self) -> float:
        """‖f‖ of the last iterate, computed afresh."""
        ex = self._state.expansion
        n = self.n_support
        a = ex.coef[:, :n].T * ex.scale[0]
        return float(np.sqrt(max(np.sum(a * (self.recipe.kernel.gram(ex.sv[:, :n].T) @ a)), 0.0))) if n else 0.0

    @property
    def nbytes(self) -> int:
        """Memory of everything the model keeps; tables that models share do not count."""
        return nbytes(self._state)

    @property
    def record(self) -> Record:
        """What has happened so far."""
        return read_record(self.recipe, self._state)

    def __getstate__(self) -> dict[str, Any]:
        state = allocate(self.recipe, self._dims)
        copy_into(self._state, state)
        return {"recipe": apart(self.recipe), "dims": self._dims, "state": without_derived(state)}

    def __setstate__(self, saved: dict[str, Any]) -> None:
        self.recipe, self._dims = whole(saved["recipe"]), saved["dims"]
        self._state = allocate(self.recipe, self._dims)
        copy_into(saved["state"], self._state)
        self._bind()
