"""xRFM: kernel machines on every training row that learn the scales of features too, by gradient outer products.

Beaglehole, Holzmüller, Radhakrishnan & Belkin, "xRFM: Accurate, scalable, and interpretable feature learning models for
tabular data", 2025. All settings are the defaults of the package `xrfm`, on the CPU. It is not part of the extra
`bench`, since it needs torch: `pip install xrfm`. It chooses among its iterations by held-out rows, here a fifth as in
its README. That advises against standardised columns of 0 and 1, which a9a and dna have; all learners get the same
rows.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.untuned.sets import Rows

HELD_OUT = 0.2  # of the training rows


class Machine:
    """With the score of a classifier or regressor of scikit-learn; the package's own is the metric that it tunes by."""

    def __init__(self, fitted: Any, classes: NDArray[Any] | None):
        self.fitted, self.classes = fitted, classes

    def score(self, X: NDArray[np.float64], y: NDArray[Any]) -> float:
        from sklearn.metrics import accuracy_score, r2_score

        found = self.fitted.predict(X.astype(np.float32)).ravel()
        return float(r2_score(y, found) if self.classes is None else accuracy_score(y, self.classes[found]))


def fit(rows: Rows, regression: bool, seed: int, budget: int) -> tuple[Any, dict[str, Any]]:
    """Labels become 0, 1, …, as the package wants them; its numbers are of single precision."""
    from xrfm import xRFM  # type: ignore[import-not-found, unused-ignore]

    X = rows.X_train.astype(np.float32)
    classes: NDArray[Any] | None = None
    y: NDArray[Any] = rows.y_train.astype(np.float32)
    if not regression:
        classes, y = np.unique(rows.y_train, return_inverse=True)
    held, learned = held_out(len(y), seed)
    model = xRFM(device="cpu", n_threads=1, random_state=seed, verbose=False)
    model.fit(X[learned], y[learned], X[held], y[held])
    return Machine(model, classes), {}


def held_out(rows: int, seed: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Rows to choose by, and rows to learn from.

    >>> held, learned = held_out(10, seed=1)
    >>> len(held), sorted([*held, *learned]) == list(range(10))
    (2, True)
    """
    order = np.random.default_rng(seed).permutation(rows)
    return order[: int(HELD_OUT * rows)], order[int(HELD_OUT * rows) :]
