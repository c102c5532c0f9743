"""`kernelstream compare`."""

import time
from typing import TYPE_CHECKING, Annotated, Any

from rich.table import Table
from rich.text import Text

from . import model_options as options
from .compare_columns import compare_columns
from .exit_status import INTERRUPTED, UsageError, exit_on_error, fail
from .input_files import check_inputs
from .input_options import COLUMNS, COMMON, Data, Limit, SkipBad, commas, reads
from .model_options import option
from .output_files import check_outputs
from .plots import check_plot, plot_learning_curve
from .printable import printable
from .recipe_table import check_recipe, complete_recipe
from .terminal import err, out, print_json

if TYPE_CHECKING:
    from ..pipeline import Settings
    from ..pipeline.comparison import ComparedRecipe, Comparison

Algorithms = Annotated[
    str | None,
    option("--algorithms", "-a", help="Recipes, e.g. default,bsgd,module:name; or all. (default: those with a budget)",
           autocompletion=complete_recipe),
]  # fmt: skip


@reads(COLUMNS | COMMON)
def compare(
    data: Data,
    algorithms: Algorithms = None,
    budget: options.Budget = None,
    gamma: options.Gamma = None,
    lam: options.Lam = None,
    loss: options.Loss = None,
    kernel: options.Kernel = None,
    own: options.Own = None,
    task: options.Task = None,
    seed: options.Seed = None,
    scale: options.Scale = None,
    missing: options.Missing = None,
    hashed: options.Hash = None,
    classes: options.Classes = None,
    scan: options.Scan = None,
    first: options.First = None,
    limit: Limit = None,
    skip_bad: SkipBad = False,
    plot: options.Plot = None,
    json: options.Json = False,
    quiet: options.Quiet = False,
    reading: Any = None,
) -> None:
    """Compare recipes on one stream: a table of accuracy, size and speed.

    The data is read once. Each recipe predicts every row before it learns it. A parameter is passed to the recipes
    that have it. Recipes without a budget grow with the data: they run only if named, or with -a all.

    **Examples**

    `kernelstream compare adult.csv --target income --budget 200 --limit 20000 --plot compare.png`

    `kernelstream compare board.csv -t y -a default,oskl,projectron --gamma 4`
    """
    with exit_on_error(json):
        check_plot(plot)
        given = options.settings(
            parameters=options.parameters(budget, gamma, lam, loss, kernel, own), task=task, scale=scale,
            missing=missing, hashed=hashed, classes=classes, scan=scan, first=first, seed=seed, limit=limit,
            reading=reading,
        )  # fmt: skip
        named = commas(algorithms)
        for name in () if named == ("all",) else named:
            check_recipe(name)
        check_inputs(None, data)
        from ..pipeline.comparison import Comparison
        from ..readers.source_names import local_files

        settings, entrants = _entered(given, named)
        check_outputs({"--plot": plot}, local_files(data))
        comparison = Comparison(data, settings, entrants, skip_bad=skip_bad)
        whole = _run(comparison, quiet)
        ranking = sorted(comparison.recipes, key=_rank)
        if plot is not None and ranking[0].curve.now.tested:
            plot_learning_curve({e.name: e.curve.progress() for e in ranking if e.curve.now.tested}, plot)
        if json:
            columns = compare_columns(ranking[0].curve.metric)
            rows = [{column.key: column.value(entrant) for column in columns} for entrant in ranking]
            print_json(rows)
        else:
            _print(ranking, comparison)
        if not whole:
            fail("Stopped: these are the results until then.", INTERRUPTED, as_json=json)


def _entered(given: dict[str, Any], named: tuple[str, ...]) -> "tuple[Settings, list[ComparedRecipe]]":
    from ..pipeline import Settings
    from ..pipeline.comparison import compared_recipes, recipes_for

    try:
        settings = Settings(**given)
        usual = named in ((), ("all",))
        return settings, compared_recipes(settings, recipes_for(settings.task, every=bool(named)) if usual else named)
    except ValueError as error:
        raise UsageError(str(error)) from None


def _run(comparison: "Comparison", quiet: bool) -> bool:
    """To the end; False if it was stopped by Ctrl-C."""
    from threadpoolctl import threadpool_limits

    told = 0.0
    with threadpool_limits(1, "blas"), err().status("reading") as status:
        try:
            for entrant in comparison.steps():
                fresh = entrant.curve.now.examples == 0
                if not quiet and (fresh or time.monotonic() - told > 0.2):
                    told = time.monotonic()
                    name = printable(entrant.name)
                    status.update(Text(f"{comparison.taken:,} rows · {'compiling ' if fresh else ''}{name}"))
        except KeyboardInterrupt:
            return False
    return True


def _rank(entrant: "ComparedRecipe") -> tuple[bool, float]:
    """The best first, those without a score last."""
    value = entrant.curve.score
    return value != value, -value if entrant.curve.metric == "accuracy" else value


def _print(ranking: "list[ComparedRecipe]", comparison: "Comparison") -> None:
    console, best = out(), ranking[0].curve
    table = Table(box=None, padding=(0, 2, 0, 0))
    shown = [column for column in compare_columns(best.metric) if column.title]
    for column in shown:
        table.add_column(column.title, justify="right" if column.number else "left")
    for entrant in ranking:
        if entrant.curve.now.tested:
            table.add_row(*(column.show(column.value(entrant)) for column in shown))
    recent = f"recent: the last {best.window_rows:,}" if best.now.tested else "none tested"
    console.print(f"{comparison.taken:,} rows, each predicted before it was learned; {recent}\n")
    console.print(table)
    for entrant in ranking:
        if entrant.fault:
            after = f" after {entrant.curve.now.examples:,} rows" if entrant.curve.now.examples else ""
            console.print(f"\n{entrant.name} stopped{after}: {printable(entrant.fault)}")
