"""A real stream that drifts: test, then train, along the electricity market, with the refit and without."""

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any, NamedTuple

import numpy as np

from benchmarks.data import electricity
from benchmarks.figure import Run
from benchmarks.frontier.part import Line, Part
from benchmarks.report import show, verdict
from kernelstream import KernelClassifier, Recipe, recipes
from kernelstream.datasets import DataUnavailable
from kernelstream.kernels import Gaussian
from kernelstream.output import Last, Refit
from kernelstream.steps import Constant

BUDGET, BATCH = 200, 50
CHOSEN = 5000  # rows that all settings are chosen on; the rows after them are judged
GAMMAS = {False: (3.0, 10.0, 30.0), True: (0.03, 0.1, 0.3, 1.0)}  # for features as they are, and standardised
LAMBDAS, HALF_LIVES = (1e-4, 1e-3, 1e-2), (500.0, 2000.0, 8000.0)
COLUMNS = ("learner", "batch", "scaled", "γ", "λ", "step", "half-life", "chosen on", "judged", "bar", "")


class Choice(NamedTuple):
    """`constant` steps are of length 1 and never fall; else they are the default's, 1/(1 + λt)."""

    scaled: bool
    gamma: float
    lam: float
    constant: bool
    half_life: float = 0.0

    def recipe(self) -> Recipe:
        """The default, with a half-life; without a refit where that is 0."""
        output = Refit(half_life=self.half_life) if self.half_life else Last()
        recipe = recipes.default(Gaussian(self.gamma), lam=self.lam, budget=BUDGET).replace(output=output)
        return recipe.replace(step=Constant(1.0, self.lam)) if self.constant else recipe


class Stream(NamedTuple):
    """The rows in their order: as they are, and with mean 0 and deviation 1 over the rows before their batch."""

    X: np.ndarray
    Z: np.ndarray
    y: np.ndarray

    @classmethod
    def of(cls, X: np.ndarray, y: np.ndarray) -> "Stream":
        Z = np.empty_like(X)
        for start in range(0, len(X), BATCH):
            past = X[: max(start, BATCH)]
            deviation = past.std(axis=0)
            # what has not changed so far has no scale yet
            Z[start : start + BATCH] = (X[start : start + BATCH] - past.mean(axis=0)) / np.where(
                deviation > 1e-9, deviation, 1.0
            )
        return cls(X, Z, y)

    def first(self, rows: int) -> "Stream":
        return Stream(self.X[:rows], self.Z[:rows], self.y[:rows])


def measure(run: Run) -> Iterator[Line]:
    run.tell("reading electricity")
    try:
        X, y = electricity()
    except DataUnavailable as missing:
        run.note(f"electricity is left out: {missing}")
        return
    data = Stream.of(X, y).first(run.choose(len(y), 10_000))
    plain = [
        Choice(scaled, gamma, lam, constant)
        for scaled, gammas in GAMMAS.items()
        for gamma, lam, constant in product(gammas, LAMBDAS, (False, True))
    ]
    refits = [choice._replace(half_life=life) for choice in plain for life in HALF_LIVES]
    chosen, own = _best(run, "refit", data, refits), _best(run, "merging", data, plain)
    sides = {"refit": chosen, "without the refit": chosen._replace(half_life=0.0), "merging, tuned": own}
    lines = []
    for name, choice in sides.items():
        run.tell(name)
        lines.append(_line(name, BATCH, _ours(choice, data), choice))
    try:
        for batch in (BATCH, 1):
            run.tell(f"River's Hoeffding tree, batches of {batch}")
            lines.append(_line("Hoeffding tree", batch, _river(data, batch), None))
    except ImportError:
        run.note('River is not installed, so its tree is left out: pip install "kernelstream[bench]"')
    bar = max(line["judged"] for line in lines[1:])
    yield lines[0] | {"bar": bar, "passed": lines[0]["judged"] > bar}
    yield from lines[1:]


def _best(run: Run, name: str, data: Stream, choices: Sequence[Choice]) -> Choice:
    """The choice that is right most often on the first rows, each predicted before it is learned."""
    scores = []
    for number, choice in enumerate(choices, 1):
        run.tell(f"choosing for {name}, {number} of {len(choices)}")
        scores.append(np.mean(_ours(choice, data.first(CHOSEN))))
    return choices[int(np.argmax(scores))]


def _ours(choice: Choice, data: Stream) -> np.ndarray:
    """Which rows were predicted right. The first batch, when there is nothing to predict with, counts as wrong."""
    X, y = data.Z if choice.scaled else data.X, data.y
    model, right = KernelClassifier(choice.recipe(), random_state=0), np.zeros(len(y), bool)
    for start in range(0, len(y), BATCH):
        rows = slice(start, start + BATCH)
        if start:
            right[rows] = model.predict(X[rows]) == y[rows]
        model.partial_fit(X[rows], y[rows], classes=[-1, 1])
    return right


def _river(data: Stream, batch: int) -> np.ndarray:
    """The same of River's tree, by predict_one and learn_one. Scales do not matter to it."""
    from river.tree import HoeffdingTreeClassifier

    tree, right = HoeffdingTreeClassifier(), np.zeros(len(data.y), bool)
    examples = [(dict(enumerate(x)), label) for x, label in zip(data.X.tolist(), data.y.tolist(), strict=True)]
    for start in range(0, len(examples), batch):
        some = examples[start : start + batch]
        right[start : start + batch] = [tree.scores_one(row) == label for row, label in some]
        for row, label in some:
            tree.learn_one(row, label)
    return right


def _line(name: str, batch: int, right: np.ndarray, choice: Choice | None) -> Line:
    first, rest = (100.0 * float(np.mean(part)) for part in (right[:CHOSEN], right[CHOSEN:]))
    settings = choice and choice._asdict()
    return {
        "part": "drift", "learner": name, "batch": batch, "settings": settings, "chosen_on": first, "judged": rest,
        "all": 100.0 * float(np.mean(right)), "bar": None, "passed": None,
    }  # fmt: skip


def table(lines: Sequence[Line]) -> None:
    title = f"electricity: accuracy (%) before learning, B = {BUDGET}; chosen on the first {CHOSEN}, judged on the rest"
    show(title, COLUMNS, [_cells(line) for line in lines])


def _cells(line: Line) -> tuple[Any, ...]:
    settings = ["", "", "", "", ""]
    if line["settings"]:
        choice = Choice(**line["settings"])
        step = "1" if choice.constant else "1/(1 + λt)"
        life = f"{choice.half_life:g}" if choice.half_life else ""
        settings = ["yes" if choice.scaled else "no", f"{choice.gamma:g}", f"{choice.lam:g}", step, life]
    bar = "" if line["bar"] is None else f"> {line['bar']:.2f}"
    scores = f"{line['chosen_on']:.2f}", f"{line['judged']:.2f}"
    return line["learner"], line["batch"], *settings, *scores, bar, verdict(line["passed"])


DRIFT = Part("electricity, predicted before it is learned, with the refit and without", measure, table)
