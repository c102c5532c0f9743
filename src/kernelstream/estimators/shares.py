"""The passes of `fit` on several cores: each learns a share of the rows with a share of the budget.

The support vectors of all shares together are the model's, and the function is the mean of theirs. The refit, which
follows, fits the coefficients over all rows: what matters is where support vectors are, and half as many find the same
regions from half of the rows, in a quarter of the time.
"""

from collections.abc import Sequence

import numpy as np

from ..budgets import Fixed
from ..model import Function, Model
from ..model.counters import sum_counters

LEAST_ROWS, LEAST_BUDGET = 50_000, 500  # of a share: with less it costs accuracy


def shares_of(model: Model, rows: int, jobs: int) -> list[Model]:
    """The models that learn: the given one alone, if there is one job, or too little for several."""
    recipe = model.recipe
    if not (recipe.output.refits and isinstance(recipe.budget, Fixed)) or recipe.kernel.fixed:
        return [model]
    parts = min(jobs, rows // LEAST_ROWS, recipe.budget.size // LEAST_BUDGET)
    if parts < 2:
        return [model]
    sizes = [recipe.budget.size // parts + (i < recipe.budget.size % parts) for i in range(parts)]
    seeds = [int(model.state.run.rng[0]) + i for i in range(parts)]
    return [
        Model(recipe.replace(budget=Fixed(size)), model.n_features, model.n_outputs, model.dtype, seed % 2**31)
        for size, seed in zip(sizes, seeds, strict=True)
    ]


def join(model: Model, shares: Sequence[Model]) -> None:
    """Let the model go on from what the shares have learned."""
    functions = [share.function for share in shares]
    sum_counters(model.state, [share.state.run for share in shares])
    model.adopt(
        Function(
            np.concatenate([part.support_vectors for part in functions]),
            np.concatenate([part.coefficients for part in functions]) / len(shares),
        )
    )
