"""The columns of `kernelstream compare`: one entry here is a column of the table and a key of the JSON."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

from .recipe_table import recipe_info
from .terminal import METRICS, score, size

if TYPE_CHECKING:
    from ..pipeline.comparison import ComparedRecipe
    from ..pipeline.equal_budgets import EqualBudget


class Column(NamedTuple):
    """`value` is what JSON has, `show` makes a cell of the table of it; without a title there is no such column."""

    key: str
    value: "Callable[[ComparedRecipe], Any]"
    title: str = ""
    show: Callable[[Any], str] = str
    number: bool = True


def compare_columns(metric: str, budget: "EqualBudget") -> list[Column]:
    """All columns, for accuracy or RMSE."""

    def show_score(value: float | None) -> str:
        return score(value, metric)

    return [
        Column("recipe", lambda e: e.name, "recipe", number=False),
        Column("examples", lambda e: e.curve.now.examples),
        Column("metric", lambda e: e.curve.metric),
        Column("budget", lambda e: str(budget)),
        Column("score", lambda e: _tested(e, e.curve.score), METRICS[metric], show_score),
        Column("recent_score", lambda e: _tested(e, e.curve.window), "recent", show_score),
        Column("recent_rows", lambda e: e.curve.window_rows),
        Column("support_vectors", lambda e: e.curve.now.support, "SVs", lambda n: f"{n:,}"),
        Column("bytes", lambda e: e.curve.now.nbytes, "memory", size),
        Column("examples_per_second", lambda e: e.rate, "rows/s", lambda rate: f"{rate:,.0f}" if rate else ""),
        Column("error", lambda e: e.fault or None),
        Column("paper", lambda e: recipe_info(e.name).paper, "paper", number=False),
    ]


def _tested(entrant: "ComparedRecipe", value: float) -> float | None:
    return value if entrant.curve.now.tested else None
