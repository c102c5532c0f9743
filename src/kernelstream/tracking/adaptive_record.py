"""The record of an adaptive model, and the theorem that holds for its mixture."""

import math
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from ..model.certificates import Certificate, Guarantee
from ..model.certificates.base import number
from ..model.record_summary import in_lines, mean_loss, theorems
from .fixed_share import regret
from .tracker import Tracker

THEOREM = "Herbster & Warmuth 1998, fixed share"


@dataclass(frozen=True)
class AdaptiveRecord:
    """Statistics of a run: the fields of a `Record` that a mixture of models has. `print` gives a summary in words."""

    examples: int
    updates: int
    loss: float  #: sum of the losses of the mixture, each before the example was learned: log-losses, for labels
    mistakes: int  #: wrong labels, or large errors, of the mixture
    maintenance: int  #: acts of budget maintenance, of all models
    #: (2, k): update and number of support vectors of the model that forgets nothing
    sizes: np.ndarray = field(repr=False)
    experts: int  #: functions that are mixed
    share: float  #: of fixed share; 0 where losses are not log-losses

    def __str__(self) -> str:
        now = int(self.sizes[1, -1]) if self.sizes.size else 0
        wrong = "mistakes" if self.share else "mistakes, or large errors"
        rate = self.mistakes / max(self.examples, 1)
        return in_lines(
            {
                "examples learned": f"{self.examples:,} by a mixture of {self.experts} models and tables",
                "mean loss": mean_loss(self.loss, self.examples),
                wrong: f"{self.mistakes:,} ({rate:.1%}), each example predicted before it was learned",
                "support vectors": f"{now:,} in the model that forgets nothing",
                "budget maintenance": f"{self.maintenance:,} times in all models",
                "theorems": theorems(self.certificate),
            }
        )

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
