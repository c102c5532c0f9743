"""`kernelstream compare`."""

import json as json_module
import time
from typing import TYPE_CHECKING, Annotated, Any

from rich.table import Table

from . import choices, pictures
from .catalogue import CATALOGUE
from .choices import option
from .endings import INTERRUPTED, WrongCommand, endings, fail
from .reading import COLUMNS, COMMON, Data, SkipBad, commas, reads
from .screen import err, out, score, size

if TYPE_CHECKING:
    from ..pipeline import Settings
    from ..pipeline.comparison import ComparedRecipe, Comparison

Algorithms = Annotated[
    str | None,
    option("--algorithms", "-a", help="E.g. default,bsgd,oskl; all; else those that keep to a budget.",
           autocompletion=choices.names),
]  # fmt: skip


@reads(COLUMNS | COMMON)
def compare(
    data: Data,
    algorithms: Algorithms = None,
    budget: choices.Budget = None,
    gamma: choices.Gamma = None,
    lam: choices.Lam = None,
    loss: choices.Loss = None,
    kernel: choices.Kernel = None,
    own: choices.Own = None,
    task: choices.Task = None,
    scale: choices.Scale = None,
    missing: choices.Missing = None,
    hashed: choices.Hash = None,
    classes: choices.Classes = None,
    scan: choices.Scan = None,
    first: choices.First = None,
    seed: choices.Seed = None,
    limit: choices.Limit = None,
    skip_bad: SkipBad = False,
    plot: choices.Plot = None,
    json: choices.Json = False,
    quiet: choices.Quiet = False,
    reading: Any = None,
) -> None:
    """Run several recipes over one stream, which is read once: a table, and a picture with --plot.

    Each predicts every row before it learns it. A parameter goes to the recipes that have it. Those without a budget
    grow with the data: they take part if they are named, or with -a all.

    **Examples**

    `kernelstream compare adult.csv --target income --budget 200 --limit 20000 --plot compare.png`

    `kernelstream compare board.csv -t y -a default,oskl,projectron --gamma 4`
    """
    with endings(json):
        pictures.can_draw(plot)
        given = choices.settings(
            parameters=choices.parameters(budget, gamma, lam, loss, kernel, own), task=task, scale=scale,
            missing=missing, hashed=hashed, classes=classes, scan=scan, first=first, seed=seed, limit=limit,
            reading=reading,
        )  # fmt: skip
        named = commas(algorithms)
        unknown = [name for name in named if name not in CATALOGUE and named != ("all",)]
        if unknown:
            raise WrongCommand(f"unknown recipe {unknown[0]!r}. Available: {', '.join(CATALOGUE)}.")
        from ..pipeline.comparison import Comparison

        settings, entrants = _entered(given, named)
        comparison = Comparison(data, settings, entrants, skip_bad=skip_bad)
        whole = _run(comparison, quiet)
        ranking = sorted(comparison.recipes, key=_rank)
        if plot is not None and ranking[0].curve.now.tested:
            pictures.learning_curve({e.name: e.curve.progress() for e in ranking if e.curve.now.tested}, plot)
        if json:
            print(json_module.dumps([_as_dict(entrant) for entrant in ranking], ensure_ascii=False))
        else:
            _tell(ranking, comparison)
        if not whole:
            fail("Stopped: this is what was measured until then.", INTERRUPTED, as_json=json)


def _entered(given: dict[str, Any], named: tuple[str, ...]) -> "tuple[Settings, list[ComparedRecipe]]":
    from ..pipeline import Settings
    from ..pipeline.comparison import compared_recipes, recipes_for

    try:
        settings = Settings(**given)
        usual = named in ((), ("all",))
        names = recipes_for(settings.task, every=bool(named)) if usual else named
        return settings, compared_recipes(settings, names)
    except ValueError as error:
        raise WrongCommand(str(error)) from None


def _run(comparison: "Comparison", quiet: bool) -> bool:
    """To the end; False if Ctrl-C was first."""
    from threadpoolctl import threadpool_limits

    told = 0.0
    with threadpool_limits(1, "blas"), err().status("reading") as status:
        try:
            for entrant in comparison.steps():
                fresh = entrant.curve.now.examples == 0
                if not quiet and (fresh or time.monotonic() - told > 0.2):
                    told = time.monotonic()
                    status.update(f"{comparison.taken:,} rows · {'compiling ' if fresh else ''}{entrant.name}")
        except KeyboardInterrupt:
            return False
    return True


def _rank(entrant: "ComparedRecipe") -> tuple[bool, float]:
    """The best first, those who could not take part last."""
    value = entrant.curve.score
    return value != value, -value if entrant.curve.metric == "accuracy" else value


def _as_dict(entrant: "ComparedRecipe") -> dict[str, Any]:
    curve = entrant.curve
    known = curve.now.tested > 0
    return {
        "recipe": entrant.name,
        "examples": curve.now.examples,
        "metric": curve.metric,
        "score": curve.score if known else None,
        "score_lately": curve.window if known else None,
        "support_vectors": curve.now.support,
        "bytes": curve.now.nbytes,
        "examples_per_second": entrant.rate,
        "fault": entrant.fault or None,
    }


def _tell(ranking: "list[ComparedRecipe]", comparison: "Comparison") -> None:
    console, metric = out(), ranking[0].curve.metric
    table = Table(box=None, padding=(0, 2, 0, 0))
    table.add_column("recipe")
    for column in ("right" if metric == "accuracy" else "rmse", "lately", "SVs", "memory", "rows/s"):
        table.add_column(column, justify="right")
    table.add_column("paper", style="dim")
    for entrant in ranking:
        curve, now = entrant.curve, entrant.curve.now
        if now.tested:
            rate = f"{entrant.rate:,.0f}" if entrant.rate else ""
            row = (score(curve.score, metric), score(curve.window, metric), f"{now.support:,}", size(now.nbytes), rate)
            table.add_row(entrant.name, *row, CATALOGUE[entrant.name].paper)
    console.print(f"{comparison.taken:,} rows, each predicted before it was learned; lately: the last tenth\n")
    console.print(table)
    for entrant in ranking:
        if entrant.fault:
            after = f" after {entrant.curve.now.examples:,} rows" if entrant.curve.now.examples else ""
            console.print(f"\n{entrant.name} left{after}: {entrant.fault}")
