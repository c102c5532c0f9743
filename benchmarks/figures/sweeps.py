"""Cost per example as the model grows in one direction: support vectors, features, classes. For the plots; no bars.

Clusters with a tenth of the labels redrawn, so that some examples always have a loss. A first pass fills the model, a
second one is timed, in turn with kernel rows; the least of the turns counts, as other work on the machine only adds.
"""

import copy
from collections.abc import Iterator
from typing import Any

import numpy as np

from benchmarks.clock import in_turn, seconds, slope
from benchmarks.clusters import as_signs, clusters
from benchmarks.figure import Figure, Result, Run
from benchmarks.figures.merging import merging
from benchmarks.kernel_rows import row_seconds
from kernelstream import Model
from kernelstream.losses import CrammerSinger, Hinge

USUAL: dict[str, Any] = {"budget": 200, "features": 16, "classes": None}  # None: two, as −1 and +1
SWEEPS: dict[str, tuple[str, list[int]]] = {
    "budget": ("support vectors B", [50, 100, 200, 400, 800, 1600, 3200]),
    "features": ("features d", [8, 16, 32, 64, 128, 256, 512, 1024]),
    "classes": ("classes", [2, 4, 8, 16, 32, 64]),
}


def point(budget: int, features: int, classes: int | None, rows: int, turns: int) -> tuple[float, float]:
    """Microseconds per example of a pass, and of kernel rows."""
    X, y = clusters(rows + 12 * budget, features, classes=classes or 2, centres=64)
    rng = np.random.default_rng(1)
    y = np.where(rng.random(len(y)) < 0.1, rng.integers(classes or 2, size=len(y)), y)
    targets = y.astype(np.float64)[:, None] if classes else as_signs(y)
    recipe = merging(2.0, 1e-5, budget, CrammerSinger() if classes else Hinge())
    filled = Model.from_recipe(recipe, X, targets, n_outputs=classes).learn_many(X, targets)
    X, targets = X[:rows], targets[:rows]
    sides = {
        "pass": lambda: seconds(copy.deepcopy(filled).learn_many, X, targets),
        "rows": lambda: row_seconds(filled, X),
    }
    times = in_turn(sides, turns)
    return 1e6 * min(times["pass"]) / rows, 1e6 * min(times["rows"]) / rows


def sweeps(run: Run) -> Iterator[Result]:
    for what, (label, values) in SWEEPS.items():
        found = []
        values = values[:: run.choose(1, 2)]
        for value in values:
            run.tell(f"{label} = {value}")
            found.append(point(**USUAL | {what: value}, rows=run.choose(5_000, 2_000), turns=run.choose(9, 3)))
        by_pass, by_row = ([pair[i] for pair in found] for i in (0, 1))
        yield Result(
            f"time ∝ {label} to the power, {values[0]} to {values[-1]}", by_pass[-1], by_pass[0], "µs",
            slope(values, by_pass), details={"panel": label, "x": values, "us": {"pass": by_pass, "rows": by_row}},
        )  # fmt: skip


FIGURES = (Figure("sweeps", "cost per example against support vectors, features and classes", sweeps),)
