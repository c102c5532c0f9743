"""The passes of `fit` over rows in memory, with an optional progress bar."""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from ..core.inputs import CHUNK
from ..core.parallel import WORTH, in_order
from ..core.warning import warn_caller
from ..model import BadRow, Model
from .shares import join, shares_of

ENOUGH = 50_000  # examples after which one more pass gains little
MOST = 20
HELD, MOST_HELD = 20, 2048  # one row in 20 is held out, at most 2048
FEW = 200  # with fewer rows, none is held out
FEWEST = 32  # held out with a half-life, however short it is
_DRAWN = 1024  # rows between two drawings of the bar

Report = Callable[[Sequence[Model]], None]


def automatic_epochs(rows: int) -> int:
    """The number of passes for `epochs="auto"`: one over many rows, more over few.

    >>> automatic_epochs(1_000_000), automatic_epochs(10_000), automatic_epochs(150)
    (1, 5, 20)
    """
    return min(max(-(-ENOUGH // max(rows, 1)), 1), MOST)


class Passes:
    """All rows, `epochs` times, shuffled before each pass if there is a random generator.

    With a half-life, the refit over all rows weights them as the passes do: a row counts half as much as one that comes
    that many rows later. With several jobs, each learns a share of the rows: see `shares`.

    `refit` is called in place of the refit over these rows, if they are a sample of all.
    `watch` is called once with the indices of rows that have not been learned yet, but soon will be.
    """

    def __init__(
        self, model: Model, X: Any, targets: np.ndarray, weights: np.ndarray, progress: bool,
        half_life: float | None = None, jobs: int = 1, refit: Callable[[], None] | None = None,
    ):  # fmt: skip
        self.model, self.X, self.targets, self.weights, self.progress = model, X, targets, weights, progress
        self.half_life, self.refit = half_life, refit
        self.learners = shares_of(model, X.shape[0], jobs if half_life is None else 1)
        ages = np.arange(len(weights))[::-1]
        self.refit_weights = weights if half_life is None else weights * 0.5 ** (ages / half_life)

    def run(self, epochs: int, rng: np.random.RandomState | None, watch: Callable[[np.ndarray], None]) -> int:
        """Returns the number of passes: fewer, if Ctrl-C has ended them; the model then is that of the rows so far."""
        rows = np.arange(self.X.shape[0])
        holds_back = self.model.recipe.output.holds_back and len(rows) >= FEW and self.refit is None
        held = self._held(rows) if holds_back else rows[:0]
        rest = np.delete(rows, held)
        self.model.state.run.passes[0] = epochs
        epoch = 0
        try:
            with reporting(self.progress, len(rest) * epochs) as report:
                for epoch in range(epochs):
                    self._pass(
                        rest if rng is None else rng.permutation(rest), epoch == 0 and not holds_back, report, watch
                    )
            self._join()
            if self.refit is None:
                self.model.refit(self.X, self.targets, self.refit_weights, held)
            else:
                self.refit()
        except KeyboardInterrupt:
            self._join()
            if self.model.record.examples == 0:
                raise
            warn_caller(
                f"Interrupted in pass {epoch + 1} of {epochs}: the model has learned {self.model.record.examples:,} "
                "examples, and its coefficients are not refitted to all rows."
            )
            epochs = epoch + 1
        if len(held):
            watch(held)
            self._learn(held, lambda models: None)
        return epochs

    def _join(self) -> None:
        if self.learners != [self.model]:
            join(self.model, self.learners)
            self.learners = [self.model]

    def _pass(self, order: np.ndarray, watched: bool, report: "Report", watch: Callable[[np.ndarray], None]) -> None:
        """Learn rows in this order; before the last of them are learned, they are watched."""
        last = len(order) - min(len(order) // 10, MOST_HELD) if watched else len(order)
        self._learn(order[:last], report)
        if last < len(order):
            watch(order[last:])
            self._learn(order[last:], report)

    def _held(self, rows: np.ndarray) -> np.ndarray:
        """Rows that judge the refit and are learned last: some of all or, with a half-life, the latest."""
        if self.half_life is None:
            return rows[HELD - 1 :: max(HELD, len(rows) // MOST_HELD)]
        return rows[-min(len(rows) // HELD, MOST_HELD, max(int(self.half_life) // 4, FEWEST)) :]

    def _learn(self, order: np.ndarray, report: Report) -> None:
        # a chunk of the order at a time, so that the data is never copied whole
        size, models = _DRAWN if self.progress else CHUNK, self.learners
        for start in range(0, len(order), size * len(models)):
            picks = np.array_split(order[start : start + size * len(models)], len(models))
            for _ in in_order(self._learn_some, list(zip(models, picks, strict=True)), WORTH):
                pass
            report(models)

    def _learn_some(self, task: tuple[Model, np.ndarray]) -> None:
        model, pick = task
        try:
            model.learn_many(self.X[pick], self.targets[pick], self.weights[pick])
        except BadRow as bad:
            raise BadRow(int(pick[bad.row]), bad.reason) from None


@contextmanager
def reporting(wanted: bool, total: int) -> Iterator[Report]:
    """A function to call with the model after every chunk; it updates the progress bar, if there is one."""
    if not wanted:
        yield lambda models: None
        return
    try:
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
    except ImportError as error:
        raise ImportError('progress=True draws its bar with rich: pip install "kernelstream[progress]"') from error
    rate, size, loss = "{task.fields[rate]:,.0f}", "{task.fields[size]:,}", "{task.fields[loss]:.4f}"
    facts = TextColumn(f"{rate} examples/s · {size} SVs · mean loss {loss}")
    start = time.perf_counter()
    with Progress(BarColumn(), MofNCompleteColumn(), facts, TimeRemainingColumn()) as bar:
        task = bar.add_task("fit", total=total, rate=0.0, size=0, loss=float("nan"))

        def report(models: Sequence[Model]) -> None:
            records, seconds = [model.record for model in models], time.perf_counter() - start
            seen, losses = sum(each.examples for each in records), sum(each.loss for each in records)
            size = sum(model.n_support for model in models)
            bar.update(task, completed=seen, rate=seen / seconds, size=size, loss=losses / max(seen, 1))

        yield report
