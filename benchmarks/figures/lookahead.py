"""Looking ahead: scores of the rows to come computed many at a time, and mended where a step changes the model.

It pays where the model is large and few examples change it: a second pass over 1,000 well separated clusters with 2,000
support vectors. Both ways must arrive at the same coefficients.
"""

import copy
from collections.abc import Iterator
from functools import partial

import numpy as np

from benchmarks.clock import in_turn, per_row, ratio, seconds
from benchmarks.clusters import as_signs, clusters
from benchmarks.figure import Bar, Figure, Result, Run
from benchmarks.figures.merging import merging
from kernelstream import Model, Recipe

FEATURES, BUDGET = 123, 2000


def difference(a: Model, b: Model) -> float:
    """The greatest difference of two models' coefficients; infinite if they do not have the same support vectors."""
    f, g = a.function, b.function
    if f.coefficients.shape != g.coefficients.shape:
        return float("inf")
    return float(np.abs(f.coefficients - g.coefficients).max())


def look_ahead(run: Run) -> Iterator[Result]:
    if "look_ahead" not in Recipe._fields:
        run.note("lookahead is left out: Recipe has no field look_ahead.")
        return
    n = run.choose(20_000, 8_000)
    X, classes = clusters(n, FEATURES, centres=1000)
    y = as_signs(classes)
    recipe = merging(2.0, 1e-6, BUDGET)
    ways = {"ahead": recipe.replace(look_ahead=None), "rows": recipe.replace(look_ahead=0)}
    run.tell("first pass")
    filled = {name: Model.from_recipe(way, X, y).learn_many(X, y) for name, way in ways.items()}
    after: dict[str, Model] = {}

    def second_pass(name: str) -> float:
        after[name] = copy.deepcopy(filled[name])
        return seconds(after[name].learn_many, X, y)

    run.tell("second pass, in turn")
    times = in_turn({name: partial(second_pass, name) for name in ways}, run.choose(9, 3))
    apart, lossy = difference(after["ahead"], after["rows"]), filled["rows"].record.examples_with_loss
    share = (after["rows"].record.examples_with_loss - lossy) / n
    yield Result(
        f"look-ahead, B={after['rows'].n_support} d={FEATURES}, v {share:.1%}, {apart:.0e} apart",
        per_row(times["ahead"], n), per_row(times["rows"], n), "µs", ratio(times["rows"], times["ahead"]),
        Bar(low=1.6), also=apart <= 1e-4, details={"share_with_loss": share, "difference": apart, "examples": n},
    )  # fmt: skip


FIGURES = (Figure("lookahead", "scores computed ahead against row by row, few examples with a loss", look_ahead),)
