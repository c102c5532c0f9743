"""What is counted while a model is served: predictions, times, labels and errors. It starts at zero with the server."""

import bisect
import threading
import time
from collections import Counter, deque
from typing import Any

from ..readers.blocks import CategoricalColumn, Column

#: upper ends of the buckets in seconds; one more has all above
BUCKETS = (0.0005, 0.001, 0.002, 0.003, 0.005, 0.01, 0.015, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
LAST = 20  # errors kept
SENTENCE = 300  # characters of each


class Histogram:
    """Durations in buckets.

    >>> times = Histogram()
    >>> for seconds in (0.0004, 0.0015, 0.0015, 0.02):
    ...     times.observe(seconds)
    >>> found = times.as_dict()
    >>> found["count"], found["median"], found["p99"]
    (4, 0.0015, 0.0246)
    """

    def __init__(self) -> None:
        self._counts, self._sum, self._lock = [0] * (len(BUCKETS) + 1), 0.0, threading.Lock()

    def observe(self, seconds: float) -> None:
        at = bisect.bisect_left(BUCKETS, seconds)
        with self._lock:
            self._counts[at] += 1
            self._sum += seconds

    def as_dict(self) -> dict[str, Any]:
        """Counts of the buckets, number and sum of all, and two quantiles, estimated within their bucket."""
        with self._lock:
            counts, total = list(self._counts), self._sum
        quantiles = {"median": _quantile(counts, 0.5), "p99": _quantile(counts, 0.99)}
        return {"buckets": counts, "count": sum(counts), "sum": total} | quantiles


class ModelTally:
    """The counts of one model; with `on` False nothing is counted."""

    def __init__(self, on: bool = True):
        self.on, self.predictions = on, 0
        self.predict, self.commit = Histogram(), Histogram()
        self.labels, self.errors = Counter[str](), Counter[int]()
        self.last_errors = deque[dict[str, Any]](maxlen=LAST)
        self._lock = threading.Lock()

    def predicted(self, rows: int, seconds: float) -> None:
        """A request for predictions was answered."""
        if self.on:
            with self._lock:
                self.predictions += rows
            self.predict.observe(seconds)

    def committed(self, seconds: float) -> None:
        """A request to write is on the disk, this long after it was checked."""
        if self.on:
            self.commit.observe(seconds)

    def learned(self, target: Column) -> None:
        """Labels of rows that were learned."""
        if not self.on:
            return
        if isinstance(target, CategoricalColumn):
            found = {target.categories[code]: n for code, n in Counter(target.codes.tolist()).items() if code >= 0}
        else:
            found = {f"{value:.15g}": n for value, n in Counter(target.tolist()).items()}
        with self._lock:
            self.labels.update(found)

    def failed(self, status: int, request: str, sentence: str) -> None:
        """A request to this model was refused, or failed."""
        if self.on:
            with self._lock:
                self.errors[status] += 1
                error = {"time": time.time(), "status": status, "request": request, "error": sentence[:SENTENCE]}
                self.last_errors.append(error)

    def as_dict(self) -> dict[str, Any]:
        with self._lock:
            return {
                "predictions": self.predictions,
                "predict_seconds": self.predict.as_dict(),
                "commit_seconds": self.commit.as_dict(),
                "labels": dict(self.labels.most_common()),
                "errors": {str(status): count for status, count in sorted(self.errors.items())},
                "last_errors": list(self.last_errors),
            }


def _quantile(counts: list[int], share: float) -> float | None:
    """Within its bucket the durations are taken to be even; what is above all buckets is their upper end."""
    wanted, below = share * sum(counts), 0
    if not wanted:
        return None
    for at, count in enumerate(counts[:-1]):
        if below + count >= wanted:
            low = BUCKETS[at - 1] if at else 0.0
            return round(low + (BUCKETS[at] - low) * (wanted - below) / count, 6)
        below += count
    return BUCKETS[-1]
