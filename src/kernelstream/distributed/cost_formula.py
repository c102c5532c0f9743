"""How long distributed training takes, and when one machine is faster: a formula with measured costs.

With N rows in P partitions on W workers, and a tree of fan-in f and L = ⌈log_f P⌉ levels:

    seconds = client + steps · (latency + task · P) + row · N · ⌈P / W⌉ / P
              + L · (join + (f − 1) · result · transfer) + arguments · transfer · ⌈log₂(W + 1)⌉
    bytes   = arguments · W + result · P · f / (f − 1)

`python -m benchmarks.scale_model` measures the costs and compares the formula with runs.
"""

import logging
import math
from typing import NamedTuple

logger = logging.getLogger(__name__)


class Costs(NamedTuple):
    """Seconds and bytes; those of all steps of a run together, unless it says otherwise."""

    client: float  #: s of work between the steps, while workers wait: among it, the fit to a sample
    steps: int
    row: float  #: s per row
    join: float  #: s per level of the tree: the join itself
    result: float  #: bytes of the results of one task
    arguments: float  #: bytes that every worker is sent
    latency: float  #: s per step, until the first task runs and the last result is back
    task: float  #: s per task and step, in the scheduler
    transfer: float  #: s per byte between two workers
    alone: float  #: s of `fit` in one process, whatever the rows
    alone_row: float  #: s per row of `fit` in one process

    def seconds(self, rows: float, workers: int, partitions: int | None = None, fan_in: int = 8) -> float:
        """The time of a distributed run; there are as many partitions as workers unless given."""
        parts = partitions or workers
        levels = math.ceil(round(math.log(parts, fan_in), 9))
        shared = self.row * rows * math.ceil(parts / workers) / parts
        tree = levels * (self.join + (min(fan_in, parts) - 1) * self.result * self.transfer)
        sent = self.arguments * self.transfer * math.ceil(math.log2(workers + 1))
        return self.client + self.steps * (self.latency + self.task * parts) + shared + tree + sent

    def nbytes(self, workers: int, partitions: int | None = None, fan_in: int = 8) -> float:
        """The bytes that are sent in a run, the data not counted."""
        parts = partitions or workers
        return self.arguments * workers + (self.result * parts * fan_in / (fan_in - 1) if parts > 1 else self.result)

    def seconds_alone(self, rows: float) -> float:
        """The time of `fit` in one process."""
        return self.alone + self.alone_row * rows

    def worth(self, workers: int) -> float:
        """The rows from which on so many workers are faster than one process; infinite if they never are.

        Examples
        --------
        >>> round(MEASURED.worth(4), -4)
        70000.0
        """
        saved = self.alone_row - self.row / workers
        return max((self.seconds(0, workers) - self.alone) / saved, 0.0) if saved > 0.0 else math.inf


# covtype (54 features), a budget of 500, 400,000 rows in 8 partitions, one core for each process
MEASURED = Costs(
    client=0.368, steps=5, row=5.36e-6, join=0.0112, result=1.61e6, arguments=3.97e5, latency=0.0144, task=0.00078,
    transfer=0.97e-9, alone=0.0, alone_row=7.72e-6,
)  # fmt: skip


def log_if_one_machine_is_faster(rows: int, workers: int, partitions: int, seconds: float) -> None:
    """Say so, at the level INFO, if the formula says so."""
    alone, predicted = MEASURED.seconds_alone(rows), MEASURED.seconds(rows, workers, partitions)
    if alone < predicted:
        logger.info(
            "Training took %.1f s on Dask. For %s rows in %d partitions on %d workers one machine should be faster: by "
            "the formula in docs/distributed.md, whose costs were measured with 54 features and a budget of 500, %.1f "
            "s instead of %.1f s. If the rows fit into memory, use KernelClassifier or KernelRegressor.",
            seconds, f"{rows:,}", partitions, workers, alone, predicted,
        )  # fmt: skip
