"""Detection of drift: recent rows have more errors than those before, and chance does not explain it."""

import math
from typing import NamedTuple

import numpy as np
from scipy.special import xlogy

BLOCK = 64  # rows that are counted together
EACH = 4  # buckets of one size; when there are more, the two oldest become one of twice the size
FALSE_ALARMS = 0.01  # probability of any false alarm in a whole stream


class DriftEvent(NamedTuple):
    """A change of the error rate that chance does not explain."""

    row: int  #: rows learned when it was noticed
    before: float  #: error rate of the rows before the change,
    after: float  #: and since
    since: int  #: rows since the change, approximately
    action: str  #: what was done


class DriftDetector:
    """Compares the error rates of recent and older parts of a stream, in memory O(log rows).

    The parts are those of an exponential histogram, as in ADWIN (Bifet & Gavaldà, SDM 2007): every older part is
    compared with everything since. An alarm is raised if the rows since have more errors and no error rate μ is
    compatible with both: n₀ kl(m₀, μ) < x and n₁ kl(m₁, μ) < x, kl being the relative entropy of two coins. By
    Chernoff's bound, each comparison raises a false alarm with probability 2e^−x at most; x grows with the logarithm of
    the number of comparisons, so that all of them together do with probability `false_alarms` at most. That holds if
    errors are independent and become no more likely: a learner that improves raises no alarm.

    Parameters
    ----------
    false_alarms : float, default 0.01
        The probability of any false alarm in a stream of any length.

    Examples
    --------
    >>> detector = DriftDetector()
    >>> rng = np.random.default_rng(0)
    >>> any(detector.update(BLOCK, int((rng.random(BLOCK) < 0.1).sum())) for _ in range(500))
    False
    >>> next(i for i in range(500) if detector.update(BLOCK, int((rng.random(BLOCK) < 0.3).sum())))
    2
    """

    def __init__(self, false_alarms: float = FALSE_ALARMS):
        self.false_alarms = false_alarms
        self.blocks = 0
        self.buckets: list[tuple[int, int, int]] = []  # blocks, rows and errors of each, the oldest first

    def update(self, rows: int, errors: int) -> tuple[float, float, int] | None:
        """Count a block of rows. On an alarm, the error rates before and since the change, and the rows since it; what
        was before is forgotten."""
        self.blocks += 1
        self.buckets.append((1, rows, errors))
        self._join()
        found = self._change()
        if found is None:
            return None
        split, before, after, since = found
        self.buckets = self.buckets[split:]
        return before, after, since

    def _join(self) -> None:
        i = len(self.buckets)
        while i > EACH:
            # the newest buckets are the smallest; all of one size lie side by side
            size = self.buckets[i - 1][0]
            first = next((k for k in range(i) if self.buckets[k][0] == size), i)
            if i - first <= EACH:
                return
            (a, rows, errors), (b, more, others) = self.buckets[first], self.buckets[first + 1]
            self.buckets[first : first + 2] = [(a + b, rows + more, errors + others)]
            i = first + 1

    def _change(self) -> tuple[int, float, float, int] | None:
        if len(self.buckets) < 2:
            return None
        counts = np.array(self.buckets, np.float64)
        rows = np.concatenate([[0.0], np.cumsum(counts[:, 1])])
        errors = np.concatenate([[0.0], np.cumsum(counts[:, 2])])
        start, split = np.triu_indices(len(rows) - 1, 1)  # an older part from `start` to `split`, and all since
        n0, n1 = rows[split] - rows[start], rows[-1] - rows[split]
        m0, m1 = (errors[split] - errors[start]) / n0, (errors[-1] - errors[split]) / n1
        # after block t there are t²/2 such pairs at most: 2e^−x over all of them, for every t, sums to
        # Σ false_alarms / (t(t + 1)) at most
        x = math.log(self.blocks**3 * (self.blocks + 1.0) / self.false_alarms)
        # kl is at most χ², so that an alarm needs at least this much
        pooled = (errors[-1] - errors[start]) / (n0 + n1)
        needed = x * pooled * (1.0 - pooled)
        likely = np.flatnonzero((m1 > m0) & ((m1 - m0) ** 2 * (n0 * n1 / (n0 + n1)) >= needed))
        if not len(likely):
            return None
        # at the pooled rate, the sum of both is between the evidence and twice as much: many pairs cannot be the best
        both = n0[likely] * kl(m0[likely], pooled[likely]) + n1[likely] * kl(m1[likely], pooled[likely])
        likely = likely[both >= 0.5 * both.max()]
        found = evidence(m0[likely], n0[likely], m1[likely], n1[likely])
        if not found.max() >= x:
            return None
        i = likely[found.argmax()]
        return int(split[i]), float(m0[i]), float(m1[i]), int(n1[i])


def evidence(m0: np.ndarray, n0: np.ndarray, m1: np.ndarray, n1: np.ndarray) -> np.ndarray:
    """The largest x for which no μ has n₀ kl(m₀, μ) < x and n₁ kl(m₁, μ) < x, for each m₀ < m₁.

    >>> evidence(np.array([0.1, 0.1]), np.full(2, 1000.0), np.array([0.5, 0.12]), np.full(2, 100.0)).round(1).tolist()
    [26.0, 0.1]
    """
    low, high = m0.copy(), m1.copy()
    for _ in range(20):
        middle = 0.5 * (low + high)
        # the first grows and the second falls with μ: the best μ is where they are equal
        less = n0 * kl(m0, middle) < n1 * kl(m1, middle)
        low, high = np.where(less, middle, low), np.where(less, high, middle)
    found: np.ndarray = np.maximum(n0 * kl(m0, low), n1 * kl(m1, high))
    return found


def kl(p: np.ndarray, q: np.ndarray) -> np.ndarray:
    """The relative entropy of coins with the probabilities p and q, in nats."""
    q = np.clip(q, 1e-12, 1.0 - 1e-12)
    found: np.ndarray = xlogy(p, p / q) + xlogy(1.0 - p, (1.0 - p) / (1.0 - q))
    return found
