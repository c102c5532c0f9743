"""Prediction intervals of a regressor, from the residuals of rows that were predicted before they were learned.

Split conformal prediction (Papadopoulos et al. 2002; Lei et al., JASA 2018): if a new row and n rows that the model had
not learned are exchangeable, the size of the new residual is at most the ⌈(n + 1) · coverage⌉-th smallest of theirs
with at least that probability, whatever the model and the distribution.
"""

import math
from collections.abc import Sequence

import numpy as np

MOST = 2048  # residuals remembered, per output
LEAST = 64  # as many are kept, however few rows were learned
LOCAL = 50  # with fewer, the width of intervals is the same everywhere
SPAN = 0.3  # fraction of residuals that a local size is averaged over
DOUBT = 10  # as many residuals of the mean size are added to that average


class Residuals:
    """The latest residuals y − prediction, beside the predictions, in the units of y: both (n, outputs).

    >>> known = Residuals(np.zeros((9, 1)), np.arange(-4.0, 5.0)[:, None])
    >>> known.widths(np.array([[7.0]]), coverage=0.5).tolist(), known.widths(np.array([[7.0]]), coverage=0.9).tolist()
    ([[2.0]], [[4.0]])
    """

    def __init__(self, predictions: np.ndarray | None = None, errors: np.ndarray | None = None):
        self.predictions = np.empty((0, 1)) if predictions is None else predictions
        self.errors = np.empty((0, 1)) if errors is None else errors

    def __len__(self) -> int:
        return len(self.errors)

    def __repr__(self) -> str:
        return f"Residuals(rows={len(self)})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Residuals) and all(
            np.array_equal(ours, theirs)
            for ours, theirs in ((self.predictions, other.predictions), (self.errors, other.errors))
        )

    __hash__ = None  # type: ignore[assignment]

    def joined(self, predictions: np.ndarray, y: np.ndarray, learned: int) -> "Residuals":
        """With those of more rows. Only the latest are kept, and fewer than half as many as rows were `learned`: early
        residuals of a stream are those of a model that hardly knew anything."""
        fine = np.isfinite(predictions).all(axis=1)
        return Residuals.pooled([self, Residuals(predictions[fine], (y - predictions)[fine])]).latest(
            min(max(learned // 2, LEAST), MOST)
        )

    def latest(self, most: int) -> "Residuals":
        """At most so many."""
        return Residuals(self.predictions[-most:], self.errors[-most:])

    @classmethod
    def pooled(cls, known: Sequence["Residuals"]) -> "Residuals":
        """All of several, one after the other."""
        some = [one for one in known if len(one)]
        if not some:
            return cls()
        return cls(np.concatenate([one.predictions for one in some]), np.concatenate([one.errors for one in some]))

    def thinned(self, most: int) -> "Residuals":
        """At most so many, evenly spread."""
        step = max(-(-len(self) // most), 1)
        return Residuals(self.predictions[::step], self.errors[::step])

    def widths(self, predictions: np.ndarray, coverage: float, local: bool = True) -> np.ndarray:
        """Half the widths of intervals around predictions, (n, outputs)."""
        rank = self._rank(coverage)
        found = np.empty(predictions.shape)
        for k, (known, errors) in enumerate(zip(self.predictions.T, np.abs(self.errors.T), strict=True)):
            own, new = np.ones(len(known)), np.ones(len(predictions))
            if local and len(self) >= LOCAL:
                own, new = (_size(known, errors, at) for at in (known, predictions[:, k]))
            found[:, k] = np.partition(errors / own, rank - 1)[rank - 1] * new
        return found

    def _rank(self, coverage: float) -> int:
        """Which of the sizes of residuals, in order, is the width; a ValueError if there are too few."""
        if not 0.0 < coverage < 1.0:
            raise ValueError(f"predict_interval: coverage is {coverage!r}; it must be between 0 and 1, e.g. 0.9.")
        rank = math.ceil((len(self) + 1) * coverage - 1e-9)
        if rank > len(self):
            fewest = math.ceil(coverage / (1.0 - coverage) - 1e-9)
            raise ValueError(
                f"predict_interval: coverage={coverage:g} needs the residuals of {fewest} rows or more that were "
                f"predicted before they were learned, and there are {len(self)}: `fit` holds out one row in 20, and of "
                "fewer than 200 rows one in 10. Learn more rows, ask for less coverage, or use "
                "model.calibrate(*model.check_rows(X, y)) with rows that the model has not learned."
            )
        return rank


def _size(known: np.ndarray, errors: np.ndarray, at: np.ndarray) -> np.ndarray:
    """The mean size of errors whose predictions are near those `at`: a moving average, interpolated."""
    order, n = np.argsort(known, kind="stable"), len(known)
    span = max(int(SPAN * n), 1)
    start = np.clip(np.arange(n) - span // 2, 0, n - span)
    total = np.concatenate([[0.0], np.cumsum(errors[order])])
    sums = total[start + span] - total[start]
    sizes = (sums + DOUBT * errors.mean()) / (span + DOUBT)
    tiny = np.finfo(np.float64).tiny  # if nothing is wrong anywhere
    found: np.ndarray = np.interp(at, known[order], np.maximum(sizes, tiny))
    return found
