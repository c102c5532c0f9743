"""The data sets and their rows: only those that played no part in the design are judged.

Half of every set, the first of a fixed permutation of its files' rows, was used to design the search. A shuffle takes
its rows from the other half: two thirds, at most 20,000, to learn from, and at most 20,000 of the rest to test on.
"""

import os
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from benchmarks.streams.stream import VARIABLE, path_of

DESIGN = 12345  # seed of the permutation whose first half was used for design
CAP = 20_000  # rows to learn from, and rows to test on


class DataSet(NamedTuple):
    """Files of the folder that KERNELSTREAM_DATA names, in the order in which they are concatenated."""

    name: str
    files: tuple[str, ...]
    regression: bool = False
    against: int | None = None  #: the class that is told from all others


class Rows(NamedTuple):
    """Features, and numbers if it is a regression, have mean 0 and deviation 1 over the rows to learn from."""

    X_train: NDArray[np.float64]
    y_train: NDArray[Any]
    X_test: NDArray[np.float64]
    y_test: NDArray[Any]


def _with_test(name: str) -> DataSet:
    return DataSet(name, (f"{name}.bz2", f"{name}.t.bz2"))


SETS = {
    each.name: each
    for each in (
        _with_test("a9a"), _with_test("ijcnn1"), DataSet("covtype", ("covtype.bz2",), against=2),
        DataSet("letter", ("letter.bz2",)), _with_test("usps"), DataSet("magic04", ("magic04.bz2",)),
        _with_test("dna"), DataSet("skin", ("skin_nonskin.bz2",)), DataSet("electricity", ("electricity.bz2",)),
        _with_test("pendigits"), DataSet("weather", ("streams/weather.bz2",)),
        DataSet("airlines", ("streams/airlines.bz2",)), DataSet("cadata", ("cadata.bz2",), True),
        DataSet("space_ga", ("space_ga.bz2",), True), DataSet("abalone", ("abalone.bz2",), True),
        DataSet("bike", ("streams/bike.bz2",), True), DataSet("fried", ("streams/fried.bz2",), True),
    )
}  # fmt: skip


def lacking(data: DataSet) -> str | None:
    """Why a set cannot be read here, as a sentence; None if it can."""
    missing = [file for file in data.files if path_of(file) is None]
    if not missing:
        return None
    folder = os.environ.get(VARIABLE)
    where = f"the folder {folder}, which {VARIABLE} names, has no such file" if folder else f"{VARIABLE} is not set"
    return f"{data.name} is left out: it needs {' and '.join(missing)}, but {where}."


def judged_half(rows: int) -> NDArray[np.int64]:
    """The rows that were not used for design.

    >>> len(judged_half(7)), len(np.intersect1d(judged_half(7), np.random.default_rng(12345).permutation(7)[:3]))
    (4, 0)
    """
    return np.random.default_rng(DESIGN).permutation(rows)[rows // 2 :]


@lru_cache(maxsize=1)
def judged_rows(data: DataSet) -> tuple[Any, NDArray[Any]]:
    """Sparse features and targets of the judged half, kept until another set is asked for."""
    from scipy.sparse import vstack
    from sklearn.datasets import load_svmlight_file

    parts = [load_svmlight_file(str(path_of(file))) for file in data.files]
    features = max(X.shape[1] for X, _ in parts)
    for X, _ in parts:
        X.resize((X.shape[0], features))
    X, y = vstack([X for X, _ in parts]).tocsr(), np.concatenate([y for _, y in parts])
    half = judged_half(len(y))
    return X[half], y[half]


def split(data: DataSet, shuffle: int, cap: int | None = None) -> Rows:
    """The rows of one shuffle, at most `cap` to learn from; all figures but costs are of CAP."""
    X, y = judged_rows(data)
    if data.against is not None:
        y = y == data.against
    order = np.random.default_rng(shuffle).permutation(len(y))
    train = min(CAP if cap is None else cap, 2 * len(y) // 3)
    learned, tested = order[:train], order[train : train + CAP]
    A, B, known, hidden = X[learned].toarray(), X[tested].toarray(), y[learned], y[tested]
    mean, deviation = A.mean(axis=0), A.std(axis=0)
    deviation[deviation == 0.0] = 1.0
    A, B = (A - mean) / deviation, (B - mean) / deviation
    if data.regression:
        return Rows(A, (known - known.mean()) / known.std(), B, (hidden - known.mean()) / known.std())
    return Rows(A, known.astype(np.int64), B, hidden.astype(np.int64))
