"""Compile recipes ahead of time: the result is kept on disk, and a first fit then starts at once.

What is compiled depends on the types of a recipe's strategies and of the data, not on values: on the task, on sparse or
dense rows, on the dtype, and, where budget and number of features are large, on a look-ahead in blocks.
"""

import tempfile
import time
from collections.abc import Iterable, Iterator, Sequence
from inspect import signature
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from scipy.sparse import csr_matrix

from ..core.look_ahead import LEAST, WIDE
from ..core.numba.disk import tally
from ..core.precision import DEFAULT
from ..readers import FileStream, Options
from ..recipes import RECIPES
from . import KernelClassifier, KernelRegressor

REGRESSORS = {"krls"}  # the others learn labels, and some of them numbers too
TASKS = {
    "two-classes": lambda X: np.arange(len(X)) % 2,
    "classes": lambda X: np.arange(len(X)) % 3,
    "regression": lambda X: X[:, 0],
    "outputs": lambda X: X[:, :2],
}
ROWS = ("dense", "wide", "sparse")
READING = "LIBSVM files"
_COUNT = 24  # rows of each fit


class Warmed(NamedTuple):
    """What was compiled, or found: `compiled` counts the functions that were not there yet."""

    algorithm: str
    data: str
    seconds: float
    compiled: int


def warmup(
    algorithms: Iterable[str] = (),
    *,
    tasks: Iterable[str] = (),
    rows: Iterable[str] = (),
    features: int | None = None,
    budget: int | None = None,
    dtype: str = DEFAULT,
) -> list[Warmed]:
    """Compile learning and prediction, in batches and one by one (River), and keep the result on disk.

    Parameters
    ----------
    algorithms
        Names of recipes; all if none is given, or with a budget all that have one.
    tasks
        Of "two-classes", "classes", "regression", "outputs" (several numbers). By default all of them for the recipe
        "default", and two and several classes for the others.
    rows
        Of "dense", "wide" (dense, 32 features or more) and "sparse". By default all of them for the recipe "default",
        and dense rows for the others.
    features
        The number of features, instead of one that is usual for the rows.
    budget
        The number of support vectors. Only whether it is at least 256 matters, and that for wide rows.
    dtype
        The precision of the support vectors.

    Examples
    --------
    >>> [done.algorithm for done in warmup(["perceptron"], tasks=["two-classes"])]
    ['perceptron']
    """
    return list(warming(algorithms, tasks, rows, features, budget, dtype))


def warming(
    algorithms: Iterable[str], tasks: Iterable[str], rows: Iterable[str], features: int | None, budget: int | None,
    dtype: str,
) -> Iterator[Warmed]:  # fmt: skip
    """`warmup`, one result after the other."""
    names, tasks, rows = list(algorithms), tuple(tasks), tuple(rows)
    _check("task", tasks, TASKS)
    _check("kind of rows", rows, ROWS)
    for name in names:
        RECIPES.find(name)  # or says that it is not one
    everything = not names
    suitable = [name for name, recipe in RECIPES.items() if budget is None or "budget" in signature(recipe).parameters]
    for name in names or suitable:
        for task in tasks or _usual_tasks(name):
            if not _learns(name, task):
                continue
            for kind in rows or (ROWS if name == "default" else ("dense",)):
                with _Measured(name, f"{task}, {kind}") as measured:
                    for width in _widths(kind, features):
                        _fit(name, task, kind == "sparse", width, budget, dtype)
                yield measured.result
    if everything:
        with _Measured("", READING) as measured:
            _read_libsvm()
        yield measured.result


def _check(what: str, names: Sequence[str], known: Iterable[str]) -> None:
    for name in names:
        if name not in known:
            raise ValueError(f"unknown {what} {name!r}. Available: {', '.join(known)}.")


def _usual_tasks(name: str) -> tuple[str, ...]:
    if name in REGRESSORS:
        return ("regression",)
    return tuple(TASKS) if name == "default" else ("two-classes", "classes")


def _learns(name: str, task: str) -> bool:
    """Whether a recipe is for this task."""
    if task in ("regression", "outputs"):
        try:
            KernelRegressor(name).resolve_recipe(2 if task == "outputs" else 1)
        except ValueError:  # its loss is for labels
            return False
        return True
    multi_class = KernelClassifier(name).__sklearn_tags__().classifier_tags.multi_class
    return name not in REGRESSORS and (task == "two-classes" or multi_class)


def _widths(kind: str, features: int | None) -> tuple[int, ...]:
    """Numbers of features: sparse rows are common with few and with many."""
    if features is not None:
        return (features,)
    return {"dense": (10,), "wide": (2 * WIDE,), "sparse": (10, 2 * WIDE)}[kind]


def _fit(name: str, task: str, sparse: bool, features: int, budget: int | None, dtype: str) -> None:
    dense = np.random.default_rng(0).normal(size=(_COUNT, features))
    X, y = csr_matrix(dense) if sparse else dense, TASKS[task](dense)
    kind = KernelRegressor if task in ("regression", "outputs") else KernelClassifier
    if budget is None and features >= WIDE and "budget" in signature(RECIPES.find(name)).parameters:
        budget = 4 * LEAST
    variants: list[dict[str, Any]] = [{"budget": budget}]
    if name == "default" and not sparse:
        variants += [{"budget": budget, "half_life": 1000.0}]
        if task != "outputs":
            _adapt(kind, dense, y, dtype)
    for variant in variants:
        model: Any = kind(name, dtype=dtype, epochs=1, **variant).fit(X, y)
        model.predict(X)
        if not sparse:  # as River does
            model.model_.scores_one(dense[0])
            model.model_.learn_one(dense[0], model.encode_targets(y[:1])[0])


def _adapt(kind: Any, X: np.ndarray, y: np.ndarray, dtype: str) -> None:
    """A stream that nothing is known of, in batches and one by one."""
    classes = {} if kind is KernelRegressor else {"classes": np.unique(y)}
    model = kind(dtype=dtype).initialize(X, y, **classes)
    model.predict_then_learn(X, y)
    model.predict(X)
    model.model_.scores_one(X[0])
    model.model_.learn_one(X[0], float(model.encode_targets(y[:1])[0, 0]))


def _read_libsvm() -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "rows.libsvm"
        path.write_text("1 1:0.5 3:2\n-1 2:1\n")
        FileStream([str(path)], Options(format="libsvm")).close()


class _Measured:
    """Time, and the functions compiled meanwhile."""

    def __init__(self, algorithm: str, data: str):
        self.algorithm, self.data = algorithm, data

    def __enter__(self) -> "_Measured":
        self.start, self.before = time.perf_counter(), tally["compiled"]
        return self

    def __exit__(self, *error: object) -> None:
        seconds = time.perf_counter() - self.start
        self.result = Warmed(self.algorithm, self.data, seconds, tally["compiled"] - self.before)
