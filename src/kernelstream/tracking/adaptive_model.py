"""`AdaptiveModel`: a model of a stream that is told nothing. It finds scales, widths and memories on the way."""

import copy
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple, Self

import numpy as np
from scipy.sparse import issparse

from ..core.inputs import as_rows, as_weights, check_finite
from ..model.targets import check_targets, new_outputs
from ..recipe import Recipe
from .adaptive_record import AdaptiveRecord, record_of
from .drift import DriftEvent
from .expert_report import Expert, experts_of
from .scaled_tracker import ScaledTracker
from .stream_targets import StreamTargets, targets_of

WARM_UP = 128  # first rows, from which the widths of kernels are estimated
BEGINNINGS = (8, 32)  # numbers of rows at which the models begin meanwhile
PAUSE = 1e-4  # seconds between two blocks in which other threads may predict, if any waits


class WarmUpRows(NamedTuple):
    """The rows of the warm-up, their targets and weights."""

    X: np.ndarray
    y: np.ndarray
    weights: np.ndarray

    def joined(self, X: np.ndarray, y: np.ndarray, weights: np.ndarray) -> "WarmUpRows":
        return WarmUpRows(
            np.concatenate([self.X, X]), np.concatenate([self.y, y]), np.concatenate([self.weights, weights])
        )


class AdaptiveModel:
    """Models of several widths and memories and tables of cells, mixed (see `Tracker`), with the interface of a
    `Model`.

    Rows are numbers in any units. Targets are indices of classes, and scores the logarithms of their probabilities; or,
    if the loss of the recipe is one of numbers, both are numbers.

    The first `warm_up` rows are kept: the widths of kernels and the units of features and numbers are estimated from
    them. Meanwhile the models begin at a few rows, and again at the end. A class or feature that appears meanwhile
    waits for the next beginning; until then it has the probability of its frequency.

    Parameters
    ----------
    recipe
        Of the kernel models, with a loss for two classes or for numbers.
    features, classes
        Their number; more may come (`expand`).
    dtype, seed
        Of the kernel models.
    scale
        Whether to divide features by their running deviations.
    warm_up
        The number of first rows.
    names
        Of the features, for warnings.

    Examples
    --------
    >>> import numpy as np
    >>> from kernelstream import recipes
    >>> X = np.random.default_rng(0).normal(size=(2000, 2)) * [1.0, 1000.0]
    >>> y = (X[:, 0] * X[:, 1] > 0).astype(float)
    >>> model = AdaptiveModel(recipes.default(budget=100), 2, 2).learn_many(X[:1000], y[:1000])
    >>> bool((model.scores_many(X[1000:]).argmax(axis=1) == y[1000:]).mean() > 0.9)
    True
    """

    def __init__(
        self, recipe: Recipe, features: int, classes: int = 0, *, dtype: Any = "float32", seed: int = 0,
        scale: bool = True, warm_up: int = WARM_UP, names: Sequence[Any] | None = None,
    ):  # fmt: skip
        self.base, self.n_features, self.names = recipe, features, names
        self.dtype, self.seed, self.scale, self.warm_up = np.dtype(dtype), seed, scale, warm_up
        self.targets: StreamTargets = targets_of(recipe.loss, classes)
        self.recipe = recipe.replace(loss=self.targets.loss)  #: with the loss of targets and scores
        self.rows = 0  #: learned so far
        self.first: WarmUpRows | None = WarmUpRows(np.empty((0, features)), np.empty(0), np.empty(0))
        self.stream: ScaledTracker | None = None  #: the models; None before they first begin
        self._renew_lock()

    def _renew_lock(self) -> None:
        #: a thread that holds it is the only one that reads or changes the model
        self.lock, self._readers = threading.RLock(), 0

    @property
    def n_outputs(self) -> int:
        return self.targets.width

    def start(self, X: Any, y: Any) -> Self:
        """Estimate units and widths from these rows, without learning them, and end the warm-up."""
        X, y = self._checked(X, y)
        with self.lock:
            self._begin(X, y)
            self.first = None
        return self

    def name_features(self, names: Sequence[Any]) -> Self:
        """Names of the features, for warnings."""
        self.names = names
        if self.stream is not None:
            self.stream.names = names
        return self

    def learn_many(self, X: Any, y: Any, weight: Any = None) -> Self:
        """Learn rows in order. A bad row raises a ValueError that names it, and nothing is learned from the call."""
        X, y = self._checked(X, y)
        self._learn(X, y, as_weights(weight, len(y)), None)
        return self

    def score_then_learn(self, X: Any, y: Any, weight: Any = None) -> np.ndarray:
        """Learn rows in order; the scores of each from before it was learned."""
        X, y = self._checked(X, y)
        out = np.empty((len(y), self.n_outputs))
        self._learn(X, y, as_weights(weight, len(y)), out)
        return out

    def learn_one(self, x: Any, y: float, weight: float = 1.0) -> Self:
        """Learn one row. It is fastest as a contiguous float64 array."""
        stream = self._ready(x)
        if stream is None or not self.targets.takes(y):
            return self.learn_many(np.atleast_2d(x), [y], [weight])
        with self.lock:
            stream.learn_one(x, *self.targets.encode_one(y), weight)
            self.rows += 1
        return self

    def _ready(self, x: Any) -> ScaledTracker | None:
        """The models, if they are past the warm-up and x is a row as compiled code takes it."""
        if self.first is not None or type(x) is not np.ndarray or x.dtype != np.float64:
            return None
        return self.stream if x.shape == (self.n_features,) and x.flags.c_contiguous else None

    def scores_many(self, X: Any) -> np.ndarray:
        """Logarithms of probabilities, (rows, classes), or numbers, (rows, 1)."""
        X = self._checked_rows(X)
        with self._reading():
            return self._scores(X)

    def scores_one(self, x: Any) -> np.ndarray:
        """The same for one row."""
        stream = self._ready(x)
        if stream is None:
            return self.scores_many(np.atleast_2d(x))[0]
        with self._reading():
            return self.targets.scores(stream.predict_one(x))

    def probabilities_one(self, x: Any) -> np.ndarray:
        """The probabilities of the classes for one row."""
        stream = self._ready(x)
        if stream is None:
            found: np.ndarray = np.exp(self.scores_many(np.atleast_2d(x))[0])
            return found
        with self._reading():
            return stream.predict_one(x)

    def probabilities(self, scores: np.ndarray) -> np.ndarray | None:
        """Scores of many rows as probabilities of the classes; None for numbers."""
        return self.targets.loss.probabilities(scores)

    @contextmanager
    def _reading(self) -> Iterator[None]:
        """Wait for a thread that learns, and let it know."""
        self._readers += 1
        try:
            with self.lock:
                yield
        finally:
            self._readers -= 1

    def check_rows(self, X: Any, y: Any, weight: Any) -> None:
        """A ValueError if these are not rows, targets and weights that it takes."""
        as_weights(weight, len(self._checked(X, y)[1]))

    def _checked(self, X: Any, y: Any) -> tuple[np.ndarray, np.ndarray]:
        X, Y = self._checked_rows(X), check_targets(y, self.targets.loss, self.n_outputs)
        if len(Y) != len(X):
            raise ValueError(f"X has {len(X)} rows and y has {len(Y)}.")
        return X, np.ascontiguousarray(Y[:, 0])

    def _checked_rows(self, X: Any) -> np.ndarray:
        X = as_rows(X)
        X = X.toarray() if issparse(X) else X
        if X.shape[1] != self.n_features:
            raise ValueError(f"X has {X.shape[1]} features, but the model has {self.n_features}; it is unchanged.")
        check_finite(X, self.dtype, self.names)
        return np.ascontiguousarray(X, np.float64)

    def _learn(self, X: np.ndarray, y: np.ndarray, weights: np.ndarray, out: np.ndarray | None) -> None:
        done = 0
        if self.first is not None:
            with self.lock:
                done = self._warm_up(self.first, X, y, weights, out)
        while done < len(X):
            with self.lock:
                done = self._learn_block(X, y, weights, done, out)
            if self._readers:
                threading.Event().wait(PAUSE)

    def _learn_block(
        self, X: np.ndarray, y: np.ndarray, weights: np.ndarray, start: int, out: np.ndarray | None
    ) -> int:
        """Learn some rows from `start` on; the next."""
        stream = self.stream
        assert stream is not None
        some = slice(start, min(start + stream.room, len(X)))
        found = np.empty((some.stop - start, stream.tracker.width))
        stream.learn_block(X[some], *self.targets.encode(y[some]), weights[some], found)
        if out is not None:
            out[some] = self.targets.scores(found)
        self.rows += some.stop - start
        return some.stop

    def _warm_up(
        self, first: WarmUpRows, X: np.ndarray, y: np.ndarray, weights: np.ndarray, out: np.ndarray | None
    ) -> int:
        """Learn rows until the warm-up is over; how many."""
        room, before = self.warm_up - len(first.y), self.rows
        if out is None and len(X) >= room:  # what would be learned on the way is not needed
            self.first, count = first.joined(X[:room], y[:room], weights[:room]), room
            self._begin_again(self.first)
        else:
            count = min(len(X), room)
            for i in range(count):
                if out is not None:
                    out[i] = self._scores(X[i : i + 1])[0]
                self._learn_first(X[i : i + 1], y[i : i + 1], weights[i : i + 1])
        self.rows = before + count
        return count

    def _learn_first(self, X: np.ndarray, y: np.ndarray, weights: np.ndarray) -> None:
        """A row of the warm-up."""
        assert self.first is not None
        first = self.first = self.first.joined(X, y, weights)
        if len(first.y) in BEGINNINGS or len(first.y) >= self.warm_up:
            self._begin_again(first)
        elif self.stream is not None:
            width = self.stream.tracker.n_features
            if not X[0, width:].any() and (
                self.n_outputs == self.stream.tracker.width or y[0] < self.stream.tracker.width
            ):
                self._learn_block(np.ascontiguousarray(X[:, :width]), y, weights, 0, None)

    def _begin_again(self, first: WarmUpRows) -> None:
        self._begin(first.X, first.y)
        done = 0
        while done < len(first.y):
            done = self._learn_block(*first, done, None)
        if len(first.y) >= self.warm_up:
            self.first = None

    def _begin(self, X: np.ndarray, y: np.ndarray) -> None:
        self.stream = ScaledTracker.begin(
            self.targets.recipe(self.base), self.targets.task, X, self.targets.encode(y)[1],
            self.targets.outputs(self.base), self.dtype, self.seed, self.scale, self.names,
        )  # fmt: skip

    def _scores(self, X: np.ndarray) -> np.ndarray:
        targets, stream, first = self.targets, self.stream, self.first
        if stream is None:
            assert first is not None
            return targets.scores(np.tile(targets.prior(first.y), (len(X), 1)))
        found = stream.predict_many(np.ascontiguousarray(X[:, : stream.tracker.n_features]))
        if found.shape[1] < self.n_outputs:
            assert first is not None
            found = targets.merged(found, first.y)
        return targets.scores(found)

    def add_features(self, features: int) -> Self:
        """Accept rows with this many features from now on. The new features are 0 in everything learned so far."""
        if features < self.n_features:
            raise ValueError(f"The model has {self.n_features} features and cannot shrink to {features}.")
        with self.lock:
            self.__dict__.update(self.expand(features, self.n_outputs).__dict__)
        return self

    def expand(
        self, features: int, outputs: int, row: np.ndarray | None = None, names: Sequence[Any] | None = None
    ) -> "AdaptiveModel":
        """A model that continues this one with more features or classes. `row` is the first that has the new features,
        if it is known."""
        if names is None and self.names is not None:
            names = [*self.names, *(f"feature {k}" for k in range(len(self.names), features))]
        new = copy.copy(self)
        new.n_features, new.targets, new.names = features, self.targets.expanded(outputs), names
        if self.first is not None:
            wider = np.zeros((len(self.first.y), features))
            wider[:, : self.n_features] = self.first.X
            new.first = self.first._replace(X=wider)
        elif self.stream is not None:
            own = new.targets.recipe(self.base)
            mix = new_outputs(self.stream.tracker.n_outputs, new.targets.outputs(self.base), own.loss.gap)
            new.stream = self.stream.expand(own, features, mix, np.ones(features) if row is None else row, names)
        return new

    @property
    def n_support(self) -> int:
        """Support vectors of all models."""
        return 0 if self.stream is None else self.stream.tracker.n_support

    @property
    def nbytes(self) -> int:
        """Memory in bytes."""
        waiting = 0 if self.first is None else self.first.X.nbytes
        return waiting + (0 if self.stream is None else self.stream.tracker.nbytes)

    @property
    def record(self) -> AdaptiveRecord:
        """The record of the run so far."""
        with self._reading():
            return record_of(None if self.stream is None else self.stream.tracker, self.rows)

    @property
    def drift(self) -> list[DriftEvent]:
        """Changes of the error rate that chance does not explain."""
        return [] if self.stream is None else self.stream.tracker.drift

    @property
    def experts(self) -> list[Expert]:
        """The models and tables that are mixed."""
        return [] if self.stream is None else experts_of(self.stream.tracker)

    @property
    def relevance(self) -> np.ndarray:
        """The share of each feature in what the tables say: see `Tracker.relevance`."""
        found = np.zeros(self.n_features)
        if self.stream is not None:
            found[: self.stream.tracker.n_features] = self.stream.tracker.relevance
        return found

    @property
    def may_overflow(self) -> bool:
        return False

    def __repr__(self) -> str:
        return f"AdaptiveModel({self.n_support} support vectors, {self.n_features} features, {self.rows} rows learned)"

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name not in ("lock", "_readers")}

    def __setstate__(self, saved: dict[str, Any]) -> None:
        self.__dict__.update(saved)
        self._renew_lock()

    def __copy__(self) -> "AdaptiveModel":
        new = type(self).__new__(type(self))
        new.__dict__.update(self.__dict__)
        return new

    def __deepcopy__(self, memo: Any) -> "AdaptiveModel":
        new = type(self).__new__(type(self))
        with self.lock:
            new.__setstate__(copy.deepcopy(self.__getstate__(), memo))
        return new
