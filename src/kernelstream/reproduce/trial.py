"""One run of a recipe on one data set, and its results."""

import hashlib
import json
import time
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Any

import numpy as np

from ..datasets import Split, load
from ..estimators import KernelClassifier, KernelRegressor
from ..model import Model
from .recipe_parameters import build, resolved, sought

WARM = 256  # rows that compile the recipe before the clock starts
SAMPLE = 2_000  # training rows that the objective is measured on
BLOCK = 1_000  # rows per batch of a curve


@dataclass(frozen=True)
class Trial:
    """A recipe's parameters, the data, and how it is evaluated.

    protocol: "test" (one pass, then the test rows), "online" (every row predicted, then learned) or "curve" (the test
    rows at several moments of one pass).
    tuning: use only this many training rows, a fifth of them for testing; 0 for a final trial.
    """

    data: str
    paper: str | None
    recipe: Mapping[str, Any]
    seed: int
    protocol: str = "test"
    rows: int | None = None
    tuning: int = 0
    moments: tuple[int, ...] = ()

    @property
    def key(self) -> str:
        """The same for the same trial, in every process and on every machine."""
        return hashlib.sha256(json.dumps(asdict(self), sort_keys=True).encode()).hexdigest()[:16]

    def run(self) -> dict[str, Any]:
        """Results: accuracy, error or rmse, support vectors, seconds of learning."""
        # a data set without a split of its own has one per seed; tuning uses the first
        data = _loaded(self.data, self.paper, 0 if self.tuning else self.seed, self.rows)
        if self.tuning:
            data = _held_back(data, self.tuning, self.seed, online=self.protocol == "online")
        given = resolved(self.recipe, data.X_train)
        if search := sought(given):
            given = search.narrow(lambda value: self._size({**given, search.parameter: value}, data, search.rows))
        return {"parameters": given} | _PROTOCOLS[self.protocol](self, given, data)

    def _size(self, given: Mapping[str, Any], data: Split, rows: int) -> int:
        """The number of support vectors with these parameters."""
        few = data._replace(X_train=data.X_train[:rows], y_train=data.y_train[:rows])
        return int(_estimator(self, given, few).fit(few.X_train, few.y_train).n_support_)


@lru_cache(maxsize=2)
def _loaded(name: str, paper: str | None, seed: int, rows: int | None) -> Split:
    return load(name, paper=paper, seed=seed, rows=rows)


def _held_back(data: Split, rows: int, fold: int, *, online: bool) -> Split:
    """Random training rows, of which one fifth, the `fold`-th, replaces the test rows."""
    picked = np.random.default_rng(0).permutation(len(data.y_train))[:rows]
    if online:
        return data._replace(X_train=data.X_train[picked], y_train=data.y_train[picked])
    test = picked[fold % 5 :: 5]
    rest = np.setdiff1d(picked, test)
    return Split(data.X_train[rest], data.y_train[rest], data.X_train[test], data.y_train[test])


def _estimator(trial: Trial, given: Mapping[str, Any], data: Split) -> Any:
    numbers = data.y_train.dtype.kind == "f"
    kind = KernelRegressor if numbers else KernelClassifier
    return kind(build(given), epochs=1, random_state=trial.seed)


def _warm(trial: Trial, given: Mapping[str, Any], data: Split) -> None:
    """Compile on a few rows that contain every class."""
    first = np.unique(data.y_train, return_index=True)[1] if data.y_train.dtype.kind != "f" else np.arange(0)
    rows = np.concatenate([first, np.arange(min(WARM, len(data.y_train)))])
    model = _estimator(trial, given, data).fit(data.X_train[rows], data.y_train[rows])
    model.predict(data.X_train[:2])


def _score(model: Any, data: Split) -> dict[str, float]:
    found = model.predict(data.X_test)
    if data.y_test.dtype.kind == "f":
        return {"rmse": float(np.sqrt(np.mean((found - data.y_test) ** 2)))}
    return {"accuracy": 100.0 * float(np.mean(found == data.y_test))}


def _tested(trial: Trial, given: Mapping[str, Any], data: Split) -> dict[str, Any]:
    _warm(trial, given, data)
    model = _estimator(trial, given, data)
    start = time.perf_counter()
    model.fit(data.X_train, data.y_train)
    seconds = time.perf_counter() - start
    return _score(model, data) | {
        "svs": int(model.n_support_), "seconds": seconds, "bytes": int(model.model_.nbytes),
        "examples": len(data.y_train),
    }  # fmt: skip


def _online(trial: Trial, given: Mapping[str, Any], data: Split) -> dict[str, Any]:
    """Percentage of errors when every example is predicted before it is learned; two classes."""
    order = np.random.default_rng(trial.seed).permutation(len(data.y_train))
    X, y = data.X_train[order], data.y_train[order].astype(np.float64)

    def begin() -> Model:
        return Model.from_recipe(build(given), X, y, total=len(y), seed=trial.seed)

    begin().learn_one(X[0], y[0]).scores_one(X[0])  # compiles
    model, wrong = begin(), 0
    start = time.perf_counter()
    # not `evaluate.progressive`: to the papers a score of 0 is a mistake, whatever the label
    for x, sign in zip(X, y, strict=True):
        wrong += model.scores_one(x)[0] * sign <= 0.0
        model.learn_one(x, sign)
    seconds = time.perf_counter() - start
    return {
        "error": 100.0 * wrong / len(y), "svs": model.n_support, "seconds": seconds, "bytes": model.nbytes,
        "examples": len(y),
    }  # fmt: skip


def _curve(trial: Trial, given: Mapping[str, Any], data: Split) -> dict[str, Any]:
    """Test score, size, objective and seconds after each of the trial's `moments`."""
    order = np.random.default_rng(trial.seed).permutation(len(data.y_train))
    _warm(trial, given, data)
    model = _estimator(trial, given, data).initialize(
        data.X_train[order[:WARM]], data.y_train[order[:WARM]], _labels(data)
    )
    points, seconds = [], 0.0
    for first, last in _stretches(min(len(order), trial.moments[-1]), trial.moments):
        pick = order[first:last]
        X, y = data.X_train[pick], data.y_train[pick]
        start = time.perf_counter()
        model.partial_fit(X, y)
        seconds += time.perf_counter() - start
        if last in trial.moments:
            point: dict[str, Any] = {"examples": last, "seconds": seconds, "svs": int(model.n_support_)}
            points.append(point | _score(model, data) | {"objective": objective(model, given, data)})
    return {"curve": points, "svs": int(model.n_support_), "seconds": seconds, "examples": last} | _score(model, data)


def objective(model: Any, given: Mapping[str, Any], data: Split) -> float | None:
    """Mean loss + λ/2 ‖f‖² of a classifier on a sample of training rows; None for regression, or without λ."""
    lam, recipe = given.get("lam"), model.model_.recipe
    if lam is None or data.y_train.dtype.kind == "f":
        return None
    X, y = data.X_train[:SAMPLE], data.y_train[:SAMPLE]
    f = model.model_.scores_many(X)
    labels = np.searchsorted(model.classes_, y)
    targets = labels if recipe.loss.target == "class" else 2 * labels - 1
    return mean_loss(recipe.loss, f, targets) + 0.5 * lam * squared_norm(model)


def squared_norm(model: Any) -> float:
    """‖f‖² = Σ a_j · f(x_j) of the function that predicts, without the Gram matrix of all support vectors."""
    sv, a = model.model_.function
    return float(np.sum(a * model.model_.scores_many(sv)))


def mean_loss(loss: Any, f: np.ndarray, targets: np.ndarray) -> float:
    g = np.empty(f.shape[1])
    rows = targets.reshape(len(targets), -1).astype(np.float64)
    return float(np.mean([loss.gradient(score.astype(np.float64), y, g) for score, y in zip(f, rows, strict=True)]))


def _labels(data: Split) -> Any:
    return None if data.y_train.dtype.kind == "f" else np.unique(data.y_train)


def _stretches(total: int, moments: tuple[int, ...]) -> Iterator[tuple[int, int]]:
    """Ranges of rows, split at the moments too.

    >>> list(_stretches(2_500, (500, 2_500)))
    [(0, 500), (500, 1000), (1000, 2000), (2000, 2500)]
    """
    cuts = sorted({*range(0, total, BLOCK), *(moment for moment in moments if moment < total), total})
    yield from pairwise(cuts)


_PROTOCOLS = {"test": _tested, "online": _online, "curve": _curve}


def fitted(trial: Trial) -> tuple[Any, Split]:
    """The fitted estimator of a trial, and its data."""
    data = _loaded(trial.data, trial.paper, trial.seed, trial.rows)
    return _estimator(trial, resolved(trial.recipe, data.X_train), data).fit(data.X_train, data.y_train), data
