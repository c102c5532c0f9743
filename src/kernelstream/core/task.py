"""The interface of a task: what a panel predicts, and how the predictions of its experts are mixed."""

from typing import Any

import numpy as np

from .strategy import Strategy, lowered
from .types import Array


class Task(Strategy):
    """Labels or numbers. `m` is the state of a mixture, which has at least the fields

    - `logits` (experts, width): what each expert says, written by `take_scores` and by the tables,
    - `mixed` (width,): the prediction,
    - `weights`: of the functions that are mixed, (gates + experts,),
    - `losses` (experts,): recent losses, by which models are compared,
    - `errors` (experts + 2,): recent mistakes or squared errors of the experts and of the mixture, and rows,
    - `recent`: rows, errors and loss since they were last read.
    """

    __slots__ = ()

    @property
    def share(self) -> float:
        """Of fixed share."""
        raise NotImplementedError

    def factor(self, m: Any, model: int) -> float:
        """What makes logits of the scores of a model."""
        return 1.0

    def new_mixture(self, models: int, tables: int, outputs: int) -> Any:
        """A mixture that has learned nothing, of models with this many outputs."""
        raise NotImplementedError

    def start(self, m: Any, y: np.ndarray) -> None:
        """Take the units of targets from those of the first rows."""

    def judge_anew(self, m: Any) -> bool:
        """Say from the latest rows what an error is; False if that is always the same."""
        return False

    def table_scores(self, state: Any, other: Any) -> np.ndarray:
        """The scores of the tables of a panel in the units of another."""
        found: np.ndarray = state.cells.scores.astype(np.float64)
        return found

    def units(self, m: Any) -> tuple[float, float]:
        """Mean and scale: a score of a model times the scale, plus the mean, is a target."""
        return 0.0, 1.0

    def width(self, outputs: int) -> int:
        """How many numbers a prediction consists of."""
        raise NotImplementedError

    @lowered
    def take_scores(self, m: Any, scores: Array) -> None:
        """Write the scores of the models, (models, 1, outputs), into `m.logits`."""
        raise NotImplementedError

    @lowered
    def combine(self, m: Any) -> None:
        """Write the prediction into `m.mixed`."""
        raise NotImplementedError

    @lowered
    def learn_weights(self, m: Any, index: int, y: float, trust: float) -> None:
        """The target was class `index`, or the number `y`; `trust` is 1 for a whole example, less for a part of one."""
        raise NotImplementedError

    @lowered
    def learn_table(self, m: Any, cells: Any, table: int, expert: int, index: int, y: float, weight: float) -> None:
        """A step of a table of cells; `expert` is its number among the experts."""
        raise NotImplementedError

    @lowered
    def model_target(self, m: Any, y: float) -> float:
        """What the models learn."""
        return y

    @lowered
    def model_weight(self, weight: float) -> float:
        """The weight of a row to the models."""
        return weight

    @lowered
    def follow(self, m: Any, y: float, trust: float) -> None:
        """Move the units of targets, after everything but the models has learned the row."""
