"""The data sets of the accuracy table, split and scaled as the peers had them.

The real sets are those of `kernelstream.datasets`, and must be on this machine: in the folder that the environment
variable KERNELSTREAM_DATA names, or in the cache. Their splits are kept as arrays in ~/.cache/kernelstream-benchmarks.
"""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from benchmarks.peers import settings
from kernelstream.datasets import checkerboard, fetch, waveform

CACHE = Path.home() / ".cache" / "kernelstream-benchmarks"
# Part of the cached files' names: raise it when a split or a scaling below changes.
VERSION = 1

Arrays = tuple[NDArray[Any], NDArray[np.int64]]
Split = tuple[NDArray[Any], ...]  # X_train, y_train, X_test, y_test


class Numbers(NamedTuple):
    """Features and targets of a regression, both with mean 0 and deviation 1 over the training rows."""

    X_train: NDArray[np.float64]
    y_train: NDArray[np.float64]
    X_test: NDArray[np.float64]
    y_test: NDArray[np.float64]


class Dataset(NamedTuple):
    """Dense float32 features, integer labels (−1 and +1 if there are two), and the table's γ and λ."""

    X_train: NDArray[np.float32]
    y_train: NDArray[np.int64]
    X_test: NDArray[np.float32]
    y_test: NDArray[np.int64]
    gamma: float
    lam: float


def load(name: str) -> Dataset:
    """Load checkerboard, waveform, ijcnn1, a9a, letter, usps or covtype.

    >>> load("checkerboard").X_test.shape
    (20000, 2)
    """
    chosen = settings(name)
    if name in SYNTHETIC:
        stream = SYNTHETIC[name]
        arrays: Split = (*stream(100_000), *stream(20_000, start=100_000))
    else:
        arrays = _cached(name)
    X_train, y_train, X_test, y_test = arrays
    return Dataset(X_train.astype(np.float32), y_train, X_test.astype(np.float32), y_test, chosen.gamma, chosen.lam)


def dataset(name: str, rows: int | None = None) -> Dataset:
    """A set outside the peers' table, or one with fewer training rows; γ and λ are then the reader's to choose."""
    X_train, y_train, X_test, y_test = _cached(name)
    X, y = X_train.astype(np.float32)[:rows], y_train[:rows]
    return Dataset(X, y, X_test.astype(np.float32), y_test, np.nan, np.nan)


def regression(name: str) -> Numbers:
    """Load cadata (10,000 random rows to learn from, 5,000 to test on) or space_ga (80 and 20 % of its rows)."""
    return Numbers(*_cached(name))


def electricity() -> Arrays:
    """The 45,312 half hours of the electricity market in their order; whether the price goes up (+1) or down (−1)."""
    X, y = _cached("electricity")
    return X, y


def _cached(name: str) -> Split:
    path = CACHE / f"{name}-{VERSION}.npz"
    if not path.exists():
        arrays = FILES[name]()
        CACHE.mkdir(parents=True, exist_ok=True)
        # Written aside and renamed, so that an interrupted run leaves no half file behind.
        part = path.with_name(f"{path.stem}.{os.getpid()}.npz")
        np.savez(part, *arrays)
        part.replace(path)
    with np.load(path) as stored:
        return tuple(stored[key] for key in stored.files)


def _as_split(name: str) -> Split:
    table = fetch(name, download=False)
    assert table.X_test is not None and table.y_test is not None
    return table.X.astype(np.float32), table.y, table.X_test.astype(np.float32), table.y_test


def _ijcnn1() -> Split:
    """All 49,990 training rows, 20,000 random ones of the 91,701 for testing."""
    X_train, y_train, X_test, y_test = _as_split("ijcnn1")
    rows = np.random.default_rng(0).permutation(len(y_test))[:20_000]
    return X_train, y_train, X_test[rows], y_test[rows]


def _covtype(train: int = 100_000) -> Split:
    """Class 2 (+1) against the rest (−1), each feature scaled to [0, 1], so many and 20,000 random rows."""
    X, y, *_ = fetch("covtype", download=False)
    low, high = X.min(axis=0), X.max(axis=0)
    rows = np.random.default_rng(0).permutation(len(y))[: train + 20_000]
    scaled = ((X[rows] - low) / np.where(high > low, high - low, 1.0)).astype(np.float32)
    sign = np.where(y[rows] == 2, 1, -1)
    return scaled[:train], sign[:train], scaled[train:], sign[train:]


def _standardised(name: str, train: int, test: int) -> Split:
    """Random rows, so many to learn from and to test on, brought to mean 0 and deviation 1 by the former."""
    X, y, *_ = fetch(name, download=False)
    rows = np.random.default_rng(0).permutation(len(y))[: train + test]
    table = np.column_stack([X, y])[rows]
    table = (table - table[:train].mean(axis=0)) / table[:train].std(axis=0)
    return table[:train, :-1], table[:train, -1], table[train:, :-1], table[train:, -1]


def _electricity() -> Split:
    """All features lie in [0, 1] but the day of the week, 1 to 7, which is brought there too."""
    X, y, *_ = fetch("electricity", download=False)
    X[:, 1] = (X[:, 1] - 1.0) / 6.0
    return X, y


SYNTHETIC: dict[str, Callable[..., Arrays]] = {"checkerboard": checkerboard, "waveform": waveform}

FILES: dict[str, Callable[[], Split]] = {
    "ijcnn1": _ijcnn1,
    "a9a": lambda: _as_split("a9a"),
    "dna": lambda: _as_split("dna"),
    "letter": lambda: _as_split("letter_scaled"),
    "usps": lambda: _as_split("usps"),
    "covtype": _covtype,
    "covtype-500k": lambda: _covtype(500_000),
    "cadata": lambda: _standardised("cadata", 10_000, 5_000),
    "space_ga": lambda: _standardised("space_ga", 2_486, 621),
    "electricity": _electricity,
}
