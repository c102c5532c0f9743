"""The whole of it: survey, rounds of learning and merging, refit. It runs wherever there are `Workers`."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np
from sklearn.base import clone
from sklearn.utils import check_random_state

from ..estimators import KernelClassifier
from ..estimators.passes import HELD, MOST_HELD
from . import tasks
from .parcel import Parcel
from .parts import stacked
from .refit import refit
from .tasks import Estimator, Node, Plan, Survey

SAMPLE = 8192  # rows that decide γ and the scale of targets


class Workers(Protocol):
    """Who has the parts of the data, and does tasks on them."""

    count: int

    def each(self, task: Callable[..., Any], *told: Any) -> list[Any]:
        """[task(part, index, *told), …] in the order of the parts."""

    def joined(self, task: Callable[..., Any], join: Callable[[Sequence[Any]], Any], *told: Any) -> Any:
        """The same made one by a tree of joins, which the indices decide and not who comes first."""


class Outcome(NamedTuple):
    estimator: Estimator
    rows: int
    bounds: list[float]  #: of each round: how far the merged function may be from the mean of all parts


def train(estimator: Estimator, workers: Workers, rounds: int) -> Outcome:
    """Learn in all parts, merge, and send the result out again, `rounds` times; then refit, if the recipe does."""
    rng = check_random_state(estimator.random_state)
    labelled = isinstance(estimator, KernelClassifier)
    sample = max(SAMPLE // workers.count, 1)
    surveys: list[Survey] = workers.each(tasks.survey, sample, estimator.dtype, labelled)
    rows = sum(each.rows for each in surveys)
    some = [each for each in surveys if each.rows]
    if not some:
        raise ValueError("There are no rows to learn from: all partitions are empty.")
    classes = None if some[0].labels is None else np.unique(np.concatenate([each.labels for each in some]))
    begun = clone(estimator).set_params(random_state=int(rng.randint(2**31 - 1)))
    given = {} if classes is None else {"classes": classes}
    begun.initialize(
        stacked([each.X for each in some]), stacked([each.y for each in some]), total=rows * rounds, **given
    )
    plan = Plan(Parcel(begun), workers.count, int(rng.randint(2**31 - 1)), max(HELD, rows // MOST_HELD))
    bounds = []
    for turn in range(rounds):
        node: Node = workers.joined(tasks.learn, tasks.join, plan, turn)
        plan = plan._replace(estimator=node.estimator)
        bounds.append(node.bound)
    found: Estimator = plan.estimator.content
    held = [pair for each in workers.each(tasks.chosen, plan, None) for pair in each]
    X, y = (stacked([pair[i] for pair in held]) for i in range(2))
    if found.model_.recipe.output.refits:
        refit(found, plan, workers, rows - len(y), X, y)
    found.calibrate(X, y)
    found.n_iter_, found.random_state = rounds, estimator.random_state
    return Outcome(found, rows, bounds)
