"""`kernelstream compare`."""

import time
from pathlib import Path
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
from .plots import check_plot, plot_comparison
from .printable import printable
from .recipe_table import check_recipe, complete_recipe
from .terminal import METRICS, OccasionalLog, err, out, print_json

if TYPE_CHECKING:
    from ..pipeline import Settings
    from ..pipeline.comparison import ComparedRecipe, Comparison
    from ..pipeline.equal_budgets import EqualBudget

Algorithms = Annotated[
    str | None,
    option("--algorithms", "-a", help="Recipes, e.g. default,bsgd,module:name; or all. (default: those with a budget)",
           autocompletion=complete_recipe),
]  # fmt: skip
_WIDE = 110  # columns of a terminal that has room for the papers
Budget = Annotated[
    str | None,
    option("--budget", "-b", help="Budget of every recipe: support vectors, or memory: 200, '64 KiB'. (default: 200)"),
]
Equal = Annotated[
    str | None,
    option("--equal", metavar="vectors|memory", autocompletion=lambda: ("vectors", "memory"),
           help="What is the same for all recipes: the number of support vectors, or the memory. (default: that of "
           "--budget)"),
]  # fmt: skip


@reads(COLUMNS | COMMON)
def compare(
    data: Data,
    algorithms: Algorithms = None,
    budget: Budget = None,
    equal: Equal = None,
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

    The data is read once. Each recipe predicts every row before it learns it. All have the same number of support
    vectors or, with --equal memory, the same memory; random Fourier features count as support vectors. Other
    parameters are passed to the recipes that have them. Recipes without a budget grow with the data: they run only if
    named, or with -a all.

    **Examples**

    `kernelstream compare adult.csv --target income --budget 200 --limit 20000 --plot compare.png`

    `kernelstream compare adult.csv --target income --equal memory --budget '64 KiB'`

    `kernelstream compare board.csv -t y -a default,projectron,my_module:my_recipe --gamma 4`
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
        from ..readers.file_stream import expand_names

        settings, shared, entrants = _entered(given, named, equal)
        check_outputs({"--plot": plot}, expand_names(data))
        comparison = Comparison(data, settings, entrants, skip_bad=skip_bad)
        whole = _run(comparison, quiet)
        ranking = sorted(comparison.recipes, key=_rank)
        title = _title(comparison, shared)
        if plot is not None and ranking[0].curve.now.tested:
            plot_comparison({e.name: e.curve.progress() for e in ranking if e.curve.now.tested}, title, plot)
        if json:
            columns = compare_columns(ranking[0].curve.metric, shared)
            rows = [{column.key: column.value(entrant) for column in columns} for entrant in ranking]
            print_json(rows)
        else:
            _print(ranking, title, shared)
        if not whole:
            fail("Stopped: these are the results until then.", INTERRUPTED, as_json=json)


def _entered(
    given: dict[str, Any], named: tuple[str, ...], equal: str | None
) -> "tuple[Settings, EqualBudget, list[ComparedRecipe]]":
    from ..pipeline import Settings
    from ..pipeline.comparison import compared_recipes, recipes_for
    from ..pipeline.equal_budgets import EqualBudget

    try:
        settings = Settings(**given)
        shared = EqualBudget.of(settings.parameters.get("budget"), equal)
        usual = named in ((), ("all",))
        names = recipes_for(settings.task, every=bool(named)) if usual else named
        return settings, shared, compared_recipes(settings, names, shared)
    except ValueError as error:
        raise UsageError(str(error)) from None


def _run(comparison: "Comparison", quiet: bool) -> bool:
    """To the end; False if it was stopped by Ctrl-C."""
    from threadpoolctl import threadpool_limits

    told, console = 0.0, err()
    log = OccasionalLog(console)
    with threadpool_limits(1, "blas"), console.status("reading") as status:
        try:
            for entrant in comparison.steps():
                fresh = entrant.curve.now.examples == 0
                if quiet or not (fresh or time.monotonic() - told > 0.2):
                    continue
                told = time.monotonic()
                share = 0.0 if fresh else comparison.rows.fraction
                done = f"{100 * share:.0f} % · " if share > 0 else ""
                what = f"{'compiling ' if fresh else ''}{printable(entrant.name)}"
                line = f"{done}{comparison.taken:,} rows · {what}"
                status.update(Text(line))
                if not console.is_terminal:
                    log.print(lambda line=line: line)  # type: ignore[misc]
        except KeyboardInterrupt:
            return False
    return True


def _title(comparison: "Comparison", shared: "EqualBudget") -> str:
    """What was compared: data, rows, budget."""
    files = ["standard input" if file == "-" else Path(file).name for file in comparison.stream.files]
    name = files[0] if len(files) == 1 else f"{files[0]} and {len(files) - 1} more"
    budget = f"at most {shared}" if shared.limit is None else f"at most {shared} of memory"
    return f"{printable(name)}, {comparison.taken:,} rows, {budget} for each recipe"


def _rank(entrant: "ComparedRecipe") -> tuple[bool, float]:
    """The best first, those without a score last."""
    value = entrant.curve.score
    return value != value, -value if entrant.curve.metric == "accuracy" else value


def _print(ranking: "list[ComparedRecipe]", title: str, shared: "EqualBudget") -> None:
    console, best = out(), ranking[0].curve
    table = Table(box=None, padding=(0, 2, 0, 0))
    shown = [column for column in compare_columns(best.metric, shared) if column.title]
    if console.width < _WIDE:  # `kernelstream recipes` has the papers too
        shown = [column for column in shown if column.key != "paper"]
    for column in shown:
        table.add_column(column.title, justify="right" if column.number else "left")
    for entrant in ranking:
        if entrant.curve.now.tested:
            table.add_row(*(column.show(column.value(entrant)) for column in shown))
    metric = METRICS[best.metric]
    recent = f"; recent: the last {best.window_rows:,}" if best.now.tested else ""
    console.print(title)
    console.print(f"{metric[0].upper()}{metric[1:]} of predictions before learning{recent}\n")
    console.print(table)
    for entrant in ranking:
        if entrant.fault:
            after = f" after {entrant.curve.now.examples:,} rows" if entrant.curve.now.examples else ""
            console.print(f"\n{entrant.name} stopped{after}: {printable(entrant.fault)}")
