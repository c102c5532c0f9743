"""The record of an adaptive model, and the theorem that holds for its mixture."""

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ..model.certificates import Certificate, Guarantee
from ..model.certificates.base import number
from .fixed_share import regret
from .tracker import Tracker

THEOREM = "Herbster & Warmuth 1998, fixed share"


@dataclass(frozen=True)
class AdaptiveRecord:
    """Statistics of a run: the fields of a `Record` that a mixture of models has."""

    examples: int
    updates: int
    loss: float  #: sum of the losses of the mixture, each before the example was learned: log-losses, for labels
    mistakes: int  #: wrong labels, or large errors, of the mixture
    maintenance: int  #: acts of budget maintenance, of all models
    sizes: np.ndarray  #: (2, k): update and number of support vectors of the model that forgets nothing
    experts: int  #: functions that are mixed
    share: float  #: of fixed share; 0 where losses are not log-losses

    @cached_property
    def certificate(self) -> Certificate:
        """The bound of fixed share on the log-loss."""
        if not self.share or not self.examples:
            return Certificate((), ())
        bound = regret(self.experts, self.share, self.examples, 0)
        change = regret(self.experts, self.share, self.examples, 1) - bound
        sentence = (
            f"The log-loss over {self.examples:,} rows, {number(self.loss)}, exceeds that of the best sequence of "
            f"{self.experts} functions by at most {number(bound)}, and {number(change)} for each change in it."
        )
        return Certificate(
            (
                Guarantee(
                    THEOREM, sentence, "regret against the best single function", bound, self.loss,
                    "log-loss of the mixture", {"experts": self.experts, "share": self.share},
                ),
            ),
            (),
        )  # fmt: skip


def record_of(tracker: Tracker | None, rows: int) -> AdaptiveRecord:
    if tracker is None:
        return AdaptiveRecord(rows, rows, math.nan, 0, 0, np.zeros((2, 0)), 0, 0.0)
    records = [model.record for model in tracker.models]
    return AdaptiveRecord(
        rows, rows, tracker.total.loss, tracker.total.mistakes, sum(record.maintenance for record in records),
        records[0].sizes, len(tracker.state.mixture.weights), tracker.task.share if tracker.width > 1 else 0.0,
    )  # fmt: skip
