"""Several recipes compared on one stream, which is read once."""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

from ..estimators.resolution import parameters_of
from ..readers import FileStream, RaiseOnBad, RowReader, SkipBad
from ..recipes import RECIPES
from .curve import Curve
from .equal_budgets import EqualBudget
from .first_rows import FirstRows, prepare_first_rows
from .settings import Estimator, Settings, accepted, estimator_for
from .stream_pipeline import learn
from .training import batch_size


@dataclass
class ComparedRecipe:
    """A recipe and its results; `fault` is the error that stopped it, if any."""

    name: str
    estimator: Estimator
    curve: Curve
    seconds: float = 0.0  #: for all batches but the first, which includes compilation
    fault: str = ""
    first: int = 0  #: rows of the first batch
    sized: Callable[[FirstRows], Estimator] | None = None  #: makes the estimator when the first rows are known

    def begin(self, first: FirstRows) -> None:
        """Take features, classes and γ from the first rows."""
        if self.sized is None:
            first.initialize(self.estimator)
        else:
            self.estimator = self.sized(first)

    @property
    def rate(self) -> float | None:
        """Rows predicted and learned per second, without compilation."""
        return (self.curve.now.examples - self.first) / self.seconds if self.seconds > 0 else None


def recipes_for(task: str, *, every: bool = False) -> list[str]:
    """Recipes of bounded size: those with a budget or a fixed number of features; with `every`, all.

    >>> "krls" in recipes_for("classification", every=True), "pegasos" in recipes_for("classification")
    (False, False)
    """
    kind = estimator_for(task)
    names = [name for name in RECIPES if kind.loss_named(name, None).target in kind.target_kinds]
    return names if every else [n for n in names if {"budget", "frequencies"} & parameters_of(n).keys()]


def compared_recipes(
    settings: Settings, names: Sequence[str], budget: EqualBudget = EqualBudget()
) -> list[ComparedRecipe]:
    """Untrained recipes with the same budget. Each other parameter goes to the recipes that have it."""
    given = settings.parameters
    for name in given:
        same = "frequencies" if name == "budget" else name  # a budget is also one of random features
        if not any(accepted(recipe, {name: None, same: None}) for recipe in names):
            raise ValueError(f"None of the recipes {', '.join(names)} has a parameter {name}.")
    compared = []
    for name in names:
        estimator, sized = budget.estimator(settings, name)
        compared.append(ComparedRecipe(name, estimator, Curve(settings.metric), sized=sized))
    return compared


class Comparison:
    """Recipes that predict and learn the same batches in turn."""

    def __init__(
        self, sources: Sequence[str], settings: Settings, recipes: Sequence[ComparedRecipe], *, skip_bad: bool = False
    ):
        # rows are prepared once for all recipes, so none of them scales inside
        self.settings, self.recipes, self.taken = replace(settings, adapt=False), recipes, 0
        self.stream = FileStream(sources, settings.reading)
        self.rows = RowReader(self.stream, policy=SkipBad() if skip_bad else RaiseOnBad())

    @property
    def running(self) -> list[ComparedRecipe]:
        return [recipe for recipe in self.recipes if not recipe.fault]

    def steps(self) -> Iterator[ComparedRecipe]:
        """Train; yields a recipe before each of its batches."""
        limit = self.settings.limit
        try:
            first = prepare_first_rows(self.settings, self.stream, self.rows)
            for recipe in self.running:
                _attempt(recipe, lambda _, own=recipe: own.begin(first))  # type: ignore[misc]
            while self.running:
                count = batch_size(self.taken)
                block = self.rows.take(count if limit is None else min(count, limit - self.taken))
                if block is None:
                    return
                self.taken += len(block)
                block, X, y = first.intake.usable(block, self.rows.refuse, learn=True)
                for recipe in self.running if len(block) else ():
                    yield recipe
                    start, fresh = time.perf_counter(), recipe.curve.now.examples == 0
                    _attempt(recipe, partial(learn, curve=recipe.curve, X=X, y=y, test=True))
                    if fresh:
                        recipe.first = len(y)
                    else:
                        recipe.seconds += time.perf_counter() - start
        finally:
            self.rows.close()


def _attempt(recipe: ComparedRecipe, step: Callable[[Estimator], None]) -> None:
    """A recipe whose step fails is stopped; the others continue."""
    try:
        step(recipe.estimator)
    except ValueError as error:
        recipe.fault = str(error)
