"""How often each label came along a stream: whether recent rows are like those before them, or the data is sorted."""

from typing import Any, NamedTuple

import numpy as np
from scipy.special import xlogy
from scipy.stats import chi2

from ..evaluate.prequential_results import ThinnedHistory

MOST = 32  # points kept
LEAST, PER_CLASS = 100, 10  # recent rows that are compared, for each class, at least
CHANCE = 1e-9  # of a shift in rows that come in random order; a run looks some hundred times
FAR = 0.3  # the least share of rows whose label would have to be another


class LabelShift(NamedTuple):
    """Recent labels that are far from those before."""

    recent: int  #: rows
    before: int  #: rows
    label: Any  #: whose share has changed most
    recent_share: float
    share_before: float


class LabelHistory:
    """Cumulative counts of labels, thinned evenly, with a bounded number of points.

    >>> history = LabelHistory()
    >>> for labels in (["g"] * 6000, ["h"] * 3000):
    ...     for start in range(0, len(labels), 100):
    ...         history.add(np.array(labels[start : start + 100]))
    >>> history.shift().label, history.shift().recent_share
    ('h', 1.0)
    """

    def __init__(self) -> None:
        self.names: list[Any] = []
        self.counts: list[int] = []
        self.history: ThinnedHistory[list[int]] = ThinnedHistory([], MOST)

    def add(self, labels: np.ndarray) -> None:
        found, counts = np.unique(labels, return_counts=True)
        known, now = {name: i for i, name in enumerate(self.names)}, list(self.counts)
        for label, count in zip(found.tolist(), counts.tolist(), strict=True):
            if label not in known:
                known[label] = len(now)
                self.names.append(label)
                now.append(0)
            now[known[label]] += count
        self.counts = now
        self.history.add(now)

    @property
    def rows(self) -> int:
        return sum(self.counts)

    def shift(self) -> LabelShift | None:
        """How the last tenth of the rows, or a little more, differs from those before; None if chance may explain it,
        or if it is small. Recent rows of a single class are told in any case that chance does not explain."""
        since = min(0.9 * self.rows, self.rows - LEAST)
        past = max((p for p in self.history.kept if sum(p) <= since), key=sum, default=[])
        before = np.array([*past, *[0] * (len(self.counts) - len(past))], np.float64)
        recent = np.array(self.counts) - before
        if recent.sum() < max(LEAST, PER_CLASS * len(self.counts)) or before.sum() < LEAST or len(self.counts) < 2:
            return None
        p, q = before / before.sum(), recent / recent.sum()
        both = (before + recent) / (before + recent).sum()
        # the likelihood-ratio test of one distribution for both
        ratio = 2.0 * sum(n.sum() * (xlogy(r, r) - xlogy(r, both)).sum() for n, r in ((before, p), (recent, q)))
        far = 0.5 * np.abs(p - q).sum() >= FAR or np.count_nonzero(recent) == 1
        if not far or chi2.sf(ratio, np.count_nonzero(both) - 1) > CHANCE:
            return None
        most = int(np.argmax(q - p))
        return LabelShift(int(recent.sum()), int(before.sum()), self.names[most], float(q[most]), float(p[most]))

    def as_dict(self) -> dict[str, Any]:
        """A dict that JSON can hold."""
        history = self.history
        return {"names": self.names, "stride": history.stride, "steps": history.steps, "counts": self.counts,
                "kept": history.kept}  # fmt: skip

    @classmethod
    def from_dict(cls, saved: dict[str, Any]) -> "LabelHistory":
        found = cls()
        found.names, found.counts, past = saved["names"], saved["counts"], found.history
        past.stride, past.steps, past.kept = saved["stride"], saved["steps"], saved["kept"]
        return found
