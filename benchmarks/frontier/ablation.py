"""What each piece of the default is worth: the same pass with pieces left out, or others in their place."""

from collections.abc import Callable, Iterator, Sequence
from statistics import mean

from benchmarks.data import Dataset
from benchmarks.figure import Run
from benchmarks.frontier.accuracy import BARS, NAMES, SHUFFLES
from benchmarks.frontier.learners import cooked, default, default_recipe, learned, streamed
from benchmarks.frontier.part import Line, Part
from benchmarks.report import console
from kernelstream import Recipe
from kernelstream.output import Last, Refit
from kernelstream.recipes.default import MOVES
from kernelstream.recipes.names import maintenance_named
from kernelstream.steps import InverseTime

Change = Callable[[Recipe], Recipe]


def _refit(passes: int, moves: int = 0) -> Change:
    return lambda recipe: recipe.replace(output=Refit(max_passes=passes, move_passes=moves))


def _offset(offset: float) -> Change:
    def change(recipe: Recipe) -> Recipe:
        lam = recipe.step.regularisation
        return recipe.replace(step=InverseTime(lam, offset / lam))

    return change


def _maintained(name: str) -> Change:
    return lambda recipe: recipe.replace(maintenance=maintenance_named(name))


# Refit(max_passes=1) evaluates the objective where it starts and stops; each pass more is a step, or a shorter one
CHANGES: dict[str, Change | None] = {
    "merging alone": lambda recipe: recipe.replace(output=Last()),
    "+ scale of the start": _refit(1),
    "+ 1 pass": _refit(2),
    "+ 3 passes": _refit(4),
    "+ 10 passes": _refit(11),
    "+ up to 20 passes": _refit(20),
    f"+ up to {MOVES} moves": _refit(20, MOVES),
    "default": lambda recipe: recipe,
    "default, streamed": None,
    "default, offset 2": _offset(2.0),
    "default, offset 0.5": _offset(0.5),
    "default, removing at random": _maintained("random"),
    "default, projecting": _maintained("project"),
}


def measure(run: Run) -> Iterator[Line]:
    for name in NAMES:
        data = run.data(name)
        if data is None:
            continue
        for budget in BARS:
            for label, change in CHANGES.items():
                run.tell(f"{name}, B = {budget}, {label}")
                seeds = range(run.choose(SHUFFLES, 1))
                found = [_accuracy(data, budget, change, seed) for seed in seeds]
                yield {
                    "part": "ablation", "data": name, "budget": budget, "variant": label, "accuracies": found,
                    "passed": None,
                }  # fmt: skip


def _accuracy(data: Dataset, budget: int, change: Change | None, seed: int) -> float:
    if change is None:
        return streamed(default(data, budget, seed), data, seed)
    return learned(cooked(change(default_recipe(data, budget)), seed), data)


def tables(lines: Sequence[Line]) -> None:
    """One table for each budget, in Markdown, for the documentation."""
    for budget in BARS:
        some = [line for line in lines if line["budget"] == budget]
        found = {(line["data"], line["variant"]): mean(line["accuracies"]) for line in some}
        names = [name for name in NAMES if any(data == name for data, _ in found)]
        rows = [[f"B = {budget}", *names], ["---", *("--:" for _ in names)]]
        for label in CHANGES:
            rows.append([label, *(f"{found[name, label]:.1f}" if (name, label) in found else "–" for name in names)])
        for row in rows:
            console.print("| " + " | ".join(row) + " |", soft_wrap=True, highlight=False)
        console.print()


ABLATION = Part("what each piece of the default is worth", measure, tables)
