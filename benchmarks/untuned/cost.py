"""What the search of `fit` and its refit cost, as multiples of one pass of support-vector merging over the same rows.

`python -m benchmarks.untuned.cost` fits six sets at 500 and at 2,000 support vectors, with `tune=False` and with the
default, each with the automatic number of passes and with one. The pass of merging has the γ, λ and loss of the fit
with `tune=False`; where it ends with fewer support vectors than the budget, it has not merged at all, and a ratio tells
little. Rows are those of the other figures, at most 20,000; `--rows` takes more, where a set has them. All on one
thread, in turn; medians of the turns, by the CPU and by the wall clock.
"""

import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from statistics import median
from typing import Any

from threadpoolctl import threadpool_limits

from benchmarks.clock import in_turn, ratio
from benchmarks.report import arguments, console, failed, show, verdict, write
from benchmarks.untuned import sets
from kernelstream import KernelClassifier, Model, recipes
from kernelstream.kernels import Gaussian

NAMES = ("covtype", "ijcnn1", "letter", "usps", "a9a", "magic04")
BARS = {500: 3.0, 2000: 5.0}  # times of one pass of merging, the median over the sets
TURNS = 3
PASS = "merging"
FITS: Mapping[str, dict[str, Any]] = {
    "tune=False": {"tune": False}, "tune=False, 1 pass": {"tune": False, "epochs": 1},
    "default": {}, "default, 1 pass": {"epochs": 1},
}  # fmt: skip
COLUMNS = ("data", "rows", "B", "", "passes", "CPU s", "merging CPU s", "merges", "CPU ratio", "wall ratio")
Line = dict[str, Any]


def merging(rows: sets.Rows, fitted: KernelClassifier, budget: int) -> Callable[[], Model]:
    """One pass over the rows, with the kernel, λ and loss of a fitted classifier."""
    loss, targets = fitted.model_.recipe.loss, fitted.encode_targets(rows.y_train)
    recipe = recipes.bsgd(Gaussian(fitted.gamma_), loss, fitted.lam_, budget=budget, maintenance="merge")
    X, size = rows.X_train, fitted.model_.n_outputs

    def learn() -> Model:
        return Model.from_recipe(recipe, X, targets, n_outputs=size, total=len(targets)).learn_many(X, targets)

    return learn


def timed(work: Callable[[], Any], cpu: list[float]) -> float:
    """Seconds by the wall clock; those of the CPU are noted."""
    begun, start = time.perf_counter(), time.process_time()
    work()
    cpu.append(time.process_time() - start)
    return time.perf_counter() - begun


def measure(name: str, budget: int, turns: int, cap: int) -> list[Line]:
    """A line for each fit of a set."""
    rows = sets.split(sets.SETS[name], 1, cap)
    models = {fit: KernelClassifier(budget=budget, random_state=0, **own) for fit, own in FITS.items()}
    works: dict[str, Callable[[], Any]] = {
        fit: partial(model.fit, rows.X_train, rows.y_train) for fit, model in models.items()
    }
    works[PASS] = one_pass = merging(rows, models["tune=False"].fit(rows.X_train, rows.y_train), budget)
    merges = one_pass().record.maintenance
    cpu: dict[str, list[float]] = {side: [] for side in works}
    wall = in_turn({side: partial(timed, work, cpu[side]) for side, work in works.items()}, turns)
    cpu = {side: seconds[1:] for side, seconds in cpu.items()}  # without the turn that compiled
    return [
        {
            "part": "cost", "data": name, "rows": len(rows.y_train), "budget": budget, "fit": fit,
            "passes": model.n_iter_, "cpu": cpu[fit], "merging": cpu[PASS], "wall": wall[fit], "merges": merges,
            "ratio": ratio(cpu[fit], cpu[PASS]), "wall_ratio": ratio(wall[fit], wall[PASS]), "passed": None,
        }
        for fit, model in models.items()
    ]  # fmt: skip


def judged(lines: Sequence[Line]) -> list[Line]:
    """The median over the sets, for every fit and budget; open while sets are missing, or where there is no bar."""
    found = []
    for budget, fit in dict.fromkeys((line["budget"], line["fit"]) for line in lines):
        own = [line["ratio"] for line in lines if (line["budget"], line["fit"]) == (budget, fit)]
        bar, middle = BARS.get(budget), median(own)
        passed = None if bar is None or len(own) < len(NAMES) else middle <= bar
        found.append({"part": "median", "budget": budget, "fit": fit, "sets": len(own), "ratio": middle, "bar": bar,
                      "passed": passed})  # fmt: skip
    return found


def cells(line: Line) -> tuple[str, ...]:
    return (line["data"], f"{line['rows']:,}", f"{line['budget']:,}", line["fit"], str(line["passes"]),
            f"{median(line['cpu']):.2f}", f"{median(line['merging']):.3f}", f"{line['merges']:,}",
            f"{line['ratio']:.2f}", f"{line['wall_ratio']:.2f}")  # fmt: skip


def main(words: list[str] | None = None) -> int:
    parser = arguments(__doc__)
    parser.add_argument("--sets", default=",".join(NAMES), metavar="NAMES", help="only these sets, as a,b")
    parser.add_argument("--budgets", default=",".join(map(str, BARS)), metavar="B", help="as 500,2000")
    parser.add_argument("--turns", type=int, default=TURNS, metavar="N", help=f"default {TURNS}")
    parser.add_argument("--rows", type=int, default=sets.CAP, metavar="N", help=f"at most (default {sets.CAP:,})")
    chosen = parser.parse_args(words)
    names, budgets = chosen.sets.split(","), [int(word) for word in chosen.budgets.split(",")]
    lines: list[Line] = []
    for name in names:
        if name not in NAMES:
            parser.error(f"unknown set {name}. Available: {', '.join(NAMES)}.")
        reason = sets.lacking(sets.SETS[name])
        if reason:
            console.print(reason, markup=False)
            continue
        with threadpool_limits(1):
            for budget in budgets:
                lines += measure(name, budget, chosen.turns, chosen.rows)
                show(f"{name}, B = {budget:,}", COLUMNS, map(cells, lines[-len(FITS) :]))  # a run of many minutes
    medians = judged(lines)
    show(
        "medians over the sets, CPU time",
        ("B", "", "sets", "ratio", "bar", "verdict"),
        [
            (f"{line['budget']:,}", line["fit"], line["sets"], f"{line['ratio']:.2f}",
             f"≤ {line['bar']:g}" if line["bar"] else "", "open" if line["passed"] is None else verdict(line["passed"]))
            for line in medians
        ],
    )  # fmt: skip
    write(chosen.json, [*lines, *medians])
    return failed(medians)


if __name__ == "__main__":
    raise SystemExit(main())
