"""`Tracker`: a stream is learned by several models and tables at once, with other widths and memories, and mixed."""

import copy
import logging
import math
from collections.abc import Sequence
from typing import Any, NamedTuple, Self

import numpy as np

from ..core.inputs import as_weights
from ..core.panel import LEARNED, MODELS, REFUSED, Panel, new_panel
from ..core.parallel import one_blas_thread
from ..core.precision import HEAVIEST
from ..core.state import arrays, nbytes
from ..core.task import Task
from ..model import Model
from ..recipe import Recipe
from .drift import BLOCK, DriftDetector, DriftEvent
from .fixed_share import regret
from .growth import grown

logger = logging.getLogger(__name__)

EVENTS = 1000  # that are kept
BORDER = 256  # rows from which on it is said again what a large error is
WEIGHED, AGAIN = 512, 4096  # rows from which on features are weighted: whenever rows have doubled, and every so many
LEAST, MOST, MOVED = 0.1, 2.0, 1.3  # limits of the weights, and the factor by which one must have changed


class Total(NamedTuple):
    """Sums over the stream, up to the last block."""

    mistakes: int = 0
    loss: float = 0.0


class RowTarget(NamedTuple):
    """Buffers of a single row: its target, weight and prediction."""

    which: np.ndarray  # class
    y: np.ndarray
    weight: np.ndarray
    out: np.ndarray


class Tracker:
    """A mixture of models of one stream. Rows come twice: scaled, for the kernels, and as they are, for the cells (see
    `core.cells`). `AdaptiveModel` scales them. A model multiplies features by their relevance to the tables, to the
    power of its entry in `powers`.

    Parameters
    ----------
    models : list of Model
        The kernel models.
    task : Task
        Classes or numbers.
    powers : sequence of float
        For each model, the power of relevance that features are multiplied by.
    """

    def __init__(self, models: list[Model], task: Task, powers: Sequence[float] = (0.0,) * MODELS):
        if len(models) != MODELS:
            raise ValueError(f"A tracker has {MODELS} models, not {len(models)}.")
        self.models, self.task = models, task
        self.state = new_panel(task, models[0].n_features, models[0].n_outputs, models[0].dtype)
        self.state.powers[:] = powers
        self.detector, self.drift = DriftDetector(), list[DriftEvent]()
        self.rows, self.total = 0, Total()
        with one_blas_thread:
            pass  # to find the BLAS libraries takes milliseconds, once: better now than between two rows
        self._bind()

    def _bind(self) -> None:
        self.state.current.known[0] = 0
        self._panel = Panel(self.task, self.state, [model.entry_points() for model in self.models])
        self._one = RowTarget(np.zeros(1, np.int64), np.zeros(1), np.ones(1), np.zeros((1, self.width)))

    @property
    def width(self) -> int:
        """Numbers of a prediction: probabilities of the classes, or one number."""
        return len(self.state.mixture.mixed)

    @property
    def recipe(self) -> Any:
        return self.models[0].recipe

    @property
    def n_outputs(self) -> int:
        return self.models[0].n_outputs

    @property
    def n_features(self) -> int:
        return self.models[0].n_features

    @property
    def dtype(self) -> np.dtype:
        return self.models[0].dtype

    @property
    def n_support(self) -> int:
        """Support vectors of all models."""
        return sum(model.n_support for model in self.models)

    @property
    def nbytes(self) -> int:
        return sum(model.nbytes for model in self.models) + nbytes(self.state)

    @property
    def relevance(self) -> np.ndarray:
        """The share of each feature in the variation of the tables' scores; sums to 1, or all 0 at first."""
        effect = self.state.cells.effect
        return effect / max(float(effect.sum()), 1e-300)

    @property
    def units(self) -> tuple[float, float]:
        """Mean and scale of targets: see `Task.units`."""
        return self.task.units(self.state.mixture)

    def regret(self, rows: int, changes: int) -> float:
        """By how much the log-loss can exceed that of the best sequence of experts and gates with so many changes."""
        return regret(len(self.state.mixture.weights), self.task.share, rows, changes)

    def predict_one(self, x: np.ndarray, raw: np.ndarray) -> np.ndarray:
        """Probabilities of the classes, or a number. Both rows are contiguous float64."""
        out = np.empty((1, self.width))
        if self._panel.predict(x[None], raw[None], out) >= 0:
            raise ValueError("The row has a value that is not finite; the model is unchanged.")
        found: np.ndarray = out[0]
        return found

    def predict_many(self, X: np.ndarray, raw: np.ndarray) -> np.ndarray:
        """The same for every row."""
        X, raw = np.ascontiguousarray(X, np.float64), np.ascontiguousarray(raw, np.float64)
        out = np.empty((len(X), self.width))
        bad = self._panel.predict(X, raw, out)
        if bad >= 0:
            raise ValueError(f"Row {bad} has a value that is not finite; the model is unchanged.")
        return out

    def learn_one(self, x: np.ndarray, raw: np.ndarray, index: int, y: float, weight: float = 1.0) -> Self:
        """Learn a row of class `index`, which is `y` to the loss of the models, or of the number `y`."""
        try:
            allowed = 0.0 <= weight <= HEAVIEST
        except TypeError:
            allowed = False
        if not allowed:
            as_weights([weight], 1)  # says what is wrong
        if not math.isfinite(y):
            raise ValueError(f"The target is {y!r}, which is not finite; the model is unchanged.")
        one = self._one
        one.which[0], one.y[0], one.weight[0] = index, y, weight
        if self._learn(x[None], raw[None], *one) == 0:
            raise ValueError("The row has a value that is not finite; the model is unchanged.")
        return self

    def learn_many(
        self, X: np.ndarray, raw: np.ndarray, index: np.ndarray, y: np.ndarray, weights: np.ndarray, out: np.ndarray
    ) -> int:
        """Learn rows in order, exactly as `learn_one` does; out[i] is the prediction for row i before it was learned.

        Returns how many were learned: all, or those before one that is not finite. Rows, targets and predictions are
        contiguous float64, classes int64."""
        done = 0
        while done < len(X):
            last = min(done + BLOCK - self.rows % BLOCK, len(X))
            part = slice(done, last)
            learned = self._learn(X[part], raw[part], index[part], y[part], weights[part], out[part])
            done += learned
            if done < last:
                break
        return done

    def _learn(
        self, X: np.ndarray, raw: np.ndarray, index: np.ndarray, y: np.ndarray, weights: np.ndarray, out: np.ndarray
    ) -> int:
        """Rows that do not go beyond a block of the detector; returns how many were learned."""
        done = 0
        while done < len(out):
            done, waiting = self._panel.learn(X, raw, index, y, weights, done, out)
            if waiting == REFUSED:
                break
            while waiting != LEARNED:
                self.models[waiting].catch_up()
                waiting = self._panel.go_on(waiting)
                done += waiting == LEARNED
        self.rows += done
        if done and self.rows % BLOCK == 0:
            self._look_back()
        return done

    def _look_back(self) -> None:
        recent = self.state.mixture.recent
        rows, errors = int(recent[0]), int(recent[1])
        self.total = Total(self.total.mistakes + errors, self.total.loss + float(recent[2]))
        recent[:] = 0.0
        found = self.detector.update(rows, errors) if rows else None
        if found is not None or (self.rows >= BORDER and self.rows & (self.rows - 1) == 0):
            # when rows have doubled, and after a change; the counts before that are of other errors
            self.detector.buckets = [] if self.task.judge_anew(self.state.mixture) else self.detector.buckets
        if self.rows >= WEIGHED and (self.rows & (self.rows - 1) == 0 or self.rows % AGAIN == 0):
            self._weigh()
        if found is not None:
            event = DriftEvent(self.rows, *found, self._react())
            logger.info(
                "drift at row %d: error rate %.3f, before %.3f; %s", event.row, event.after, event.before, event.action
            )
            self.drift = [*self.drift[1 - EVENTS :], event]

    def _react(self) -> str:
        """Let what is slow to change be quick again. The rest adapts by itself: models that forget gain weight."""
        self.state.cells.slopes[...] = 1.0
        return "the steps of the tables are long again"

    def _weigh(self) -> None:
        """Let models multiply each feature by a power of its relevance, so that those that matter little count little
        in their distances. What they have stored is converted."""
        relevance = self.relevance
        if not relevance.any():
            return
        for model, power, old in zip(self.models, self.state.powers, self.state.importance, strict=True):
            new = np.clip((relevance * len(relevance)) ** power, LEAST, MOST)
            ratio = new / old
            if ratio.max() > MOVED or ratio.min() < 1.0 / MOVED:
                model.rescale_features(ratio)
                old[:] = new
        self.state.current.known[0] = 0

    def rescale_features(self, factors: Any) -> Self:
        for model in self.models:
            model.check_factors(factors)
        for model in self.models:
            model.rescale_features(factors)
        self.state.current.known[0] = 0
        return self

    def expand(self, recipe: Recipe, features: int, mix: Any) -> "Tracker":
        """A new tracker with more features or classes: see `Model.expand`."""
        new = copy.copy(self)
        new.detector, new.drift = copy.deepcopy(self.detector), list(self.drift)
        new.models = [model.expand(recipe.replace(budget=model.recipe.budget), features, mix) for model in self.models]
        new.state = grown(self.task, self.state, features, len(mix), self.dtype)
        new._bind()
        return new

    def check_restored(self) -> None:
        """Refuse arrays of a file that compiled code could not work with."""
        cells = self.state.cells
        recipes: list[Any] = [tuple(model.recipe) for model in self.models]  # type: ignore[arg-type]
        kinds = {tuple(type(part) for part in recipe) for recipe in recipes}
        inside = (cells.crossed >= 0) & (cells.crossed < self.n_features)
        if not inside.all() or len(set(cells.crossed.tolist())) < len(cells.crossed) or cells.rows[0] < 0:
            raise ValueError("its tables are of other features")
        if np.abs(cells.exponent).max(initial=0) > 1000 or not (cells.slopes >= 1.0).all():
            raise ValueError("its tables have impossible units")
        if not all(np.isfinite(array).all() for array in arrays(self.state)):
            raise ValueError("its mixture has values that are not finite")
        importance = self.state.importance
        if not ((importance >= LEAST) & (importance <= MOST)).all() or np.abs(self.state.powers).max() > 1.0:
            raise ValueError("its features have impossible weights")
        if len(kinds) > 1:
            raise ValueError("its models are of different kinds")
        self.state.current.known[0] = 0

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name not in ("_panel", "_one")}

    def __setstate__(self, saved: dict[str, Any]) -> None:
        self.__dict__.update(saved)
        self.state = grown(self.task, self.state, self.n_features, self.n_outputs, self.dtype)  # arrays of its own
        self._bind()

    def __copy__(self) -> "Tracker":
        new = Tracker.__new__(Tracker)
        new.__dict__.update(self.__dict__)
        return new

    def __deepcopy__(self, memo: Any) -> "Tracker":
        new = Tracker.__new__(Tracker)
        new.__setstate__(copy.deepcopy(self.__getstate__(), memo))
        return new
