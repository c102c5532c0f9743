"""Values, rows, targets and weights that no one should send."""

from typing import Any

import numpy as np
from scipy import sparse

NUMBERS: tuple[float, ...] = (
    0.0, -0.0, 1.0, -1.0, 1e-320, 1e-30, 1e6, 1e18, 1e38, 4e38, 1e150, 1e300, 1e306, 1.7e308,
    float("inf"), float("-inf"), float("nan"),
)  # fmt: skip


def number(rng: np.random.Generator) -> float:
    return float(rng.choice(NUMBERS)) * float(rng.choice([1.0, -1.0, 3.7]))  # of Python, which does not warn


def rows(rng: np.random.Generator, features: int) -> Any:
    """Rows as somebody might pass them."""
    count = int(rng.choice([0, 1, 2, 7, 40]))
    X = rng.normal(size=(count, features))
    kinds = {
        "plain": lambda: X,
        "float32": lambda: X.astype(np.float32),
        "integers": lambda: (10 * X).astype(np.int64),
        "booleans": lambda: X > 0,
        "fortran": lambda: np.asfortranarray(X),
        "strided": lambda: np.repeat(X, 2, axis=0)[::2],
        "read-only": lambda: _read_only(X),
        "list": X.tolist,
        "object": lambda: X.astype(object),
        "hostile": lambda: _spoilt(rng, X),
        "huge": lambda: X * 10.0 ** int(rng.integers(-300, 300)),
        "strings": lambda: X.astype(str),
        "complex": lambda: X + 1j,
        "dates": lambda: np.full(X.shape, np.datetime64("2020-01-01")),
        "wide": lambda: rng.normal(size=(count, features + int(rng.integers(1, 4)))),
        "narrow": lambda: X[:, : max(features - 1, 0)],
        "one dimension": lambda: X.ravel(),
        "three dimensions": lambda: X[None],
        "nothing": lambda: None,
        "integers beyond float64": lambda: [[10**400] * features] * max(count, 1),
        "csr": lambda: sparse.csr_matrix(X * (rng.random(X.shape) < 0.5)),
        "csc": lambda: sparse.csc_array(X),
        "coo": lambda: sparse.coo_matrix(X),
        "broken csr": lambda: broken(rng, count, features),
    }
    kind = str(rng.choice(list(kinds)))
    return kinds[kind]()


def _read_only(X: np.ndarray) -> np.ndarray:
    X = X.copy()
    X.flags.writeable = False
    return X


def _spoilt(rng: np.random.Generator, X: np.ndarray) -> np.ndarray:
    X = X.copy()
    if X.size:
        X[int(rng.integers(len(X))), int(rng.integers(X.shape[1]))] = number(rng)
    return X


def broken(rng: np.random.Generator, count: int, features: int) -> Any:
    """A CSR matrix whose parts contradict its shape."""
    count = max(count, 2)
    X = sparse.csr_matrix(rng.normal(size=(count, features)))
    what = int(rng.integers(7))
    if what == 0:
        X.indices[int(rng.integers(X.nnz))] = rng.choice([features, features + 1, 5_000_000, 2**31 - 1])
    elif what == 1:
        X.indices[int(rng.integers(X.nnz))] = -int(rng.choice([1, 7, 100_000, 2**31 - 1]))
    elif what == 2:
        X.indptr[1] = X.indptr[-1] + int(rng.choice([1, 1000, 10**8]))
    elif what == 3:
        X.indptr[-1] = -5
    elif what == 4:
        X.indptr[1], X.indptr[2] = X.indptr[2], X.indptr[1] - 1
    elif what == 5:
        X.data = X.data[:-2]
    else:
        X.indices = X.indices[::-1].copy()  # unsorted: legal
        X.has_sorted_indices = False
    return X


def targets(rng: np.random.Generator, count: int, classes: int) -> Any:
    """Targets for this many rows, mostly well formed."""
    good: Any = rng.integers(classes, size=count) if classes else rng.normal(size=count)
    kind = int(rng.integers(14))
    if kind < 6:
        return good
    bad: list[Any] = [
        good[:-1], np.append(good, 0), good.astype(object), [None] * count, np.full(count, np.nan),
        np.full(count, number(rng)), good.astype(str), rng.integers(50, size=count),
    ]  # fmt: skip
    return bad[kind - 6]


def weights(rng: np.random.Generator, count: int) -> Any:
    kind = int(rng.integers(10))
    if kind < 6:
        return None
    if kind == 6:
        return rng.random(count)
    if kind == 7:
        return np.full(count, abs(number(rng)))
    if kind == 8:
        return np.ones(count + 1)
    w = np.ones(count)
    if count:
        w[int(rng.integers(count))] = number(rng)
    return w
