"""The data sets of the accuracy table, split and scaled as the peers had them.

The real sets are LIBSVM text files, compressed with bzip2, in the folder that the environment variable
KERNELSTREAM_DATA names. Parsed once, they are kept as arrays in ~/.cache/kernelstream-benchmarks.
"""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.datasets import load_svmlight_file

from benchmarks.peers import settings
from kernelstream.datasets import checkerboard, waveform

CACHE = Path.home() / ".cache" / "kernelstream-benchmarks"
# Part of the cached files' names: raise it when a split or a scaling below changes.
VERSION = 1

Arrays = tuple[NDArray[Any], NDArray[np.int64]]
Split = tuple[NDArray[Any], ...]  # X_train, y_train, X_test, y_test


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
    return Dataset(
        X_train.astype(np.float32), y_train, X_test.astype(np.float32), y_test, chosen.gamma, chosen.lam
    )


def dataset(name: str, rows: int | None = None) -> Dataset:
    """A set outside the peers' table, or one with fewer training rows; γ and λ are then the reader's to choose."""
    X_train, y_train, X_test, y_test = _cached(name)
    X, y = X_train.astype(np.float32)[:rows], y_train[:rows]
    return Dataset(X, y, X_test.astype(np.float32), y_test, np.nan, np.nan)


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


def _read(file: str, features: int) -> Arrays:
    folder = os.environ.get("KERNELSTREAM_DATA")
    if not folder:
        raise FileNotFoundError(
            f"{file} is needed, but KERNELSTREAM_DATA is not set: let it name the folder of the LIBSVM files."
        )
    path = Path(folder) / file
    if not path.is_file():
        raise FileNotFoundError(
            f"KERNELSTREAM_DATA={folder} has no file {file}: copy it there (LIBSVM text, bzip2)."
        )
    X, y = load_svmlight_file(str(path), n_features=features, dtype=np.float64)
    return X.toarray(), y.astype(np.int64)


def _as_split(train: str, test: str, features: int) -> Split:
    X_train, y_train = _read(train, features)
    X_test, y_test = _read(test, features)
    return X_train.astype(np.float32), y_train, X_test.astype(np.float32), y_test


def _ijcnn1() -> Split:
    """All 49,990 training rows, 20,000 random ones of the 91,701 for testing."""
    X_train, y_train, X_test, y_test = _as_split("ijcnn1.bz2", "ijcnn1.t.bz2", 22)
    rows = np.random.default_rng(0).permutation(len(y_test))[:20_000]
    return X_train, y_train, X_test[rows], y_test[rows]


def _covtype() -> Split:
    """Class 2 (+1) against the rest (−1), each feature scaled to [0, 1], 100,000 and 20,000 random rows."""
    X, y = _read("covtype.bz2", 54)
    low, high = X.min(axis=0), X.max(axis=0)
    rows = np.random.default_rng(0).permutation(len(y))[:120_000]
    scaled = ((X[rows] - low) / np.where(high > low, high - low, 1.0)).astype(np.float32)
    sign = np.where(y[rows] == 2, 1, -1)
    return scaled[:100_000], sign[:100_000], scaled[100_000:], sign[100_000:]


SYNTHETIC: dict[str, Callable[..., Arrays]] = {"checkerboard": checkerboard, "waveform": waveform}

FILES: dict[str, Callable[[], Split]] = {
    "ijcnn1": _ijcnn1,
    "a9a": lambda: _as_split("a9a.bz2", "a9a.t.bz2", 123),
    "dna": lambda: _as_split("dna.bz2", "dna.t.bz2", 180),
    "letter": lambda: _as_split("letter.scale.bz2", "letter.scale.t.bz2", 16),
    "usps": lambda: _as_split("usps.bz2", "usps.t.bz2", 256),
    "covtype": _covtype,
}
