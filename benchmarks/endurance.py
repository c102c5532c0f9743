"""Long runs over nasty rows: everything stays finite, the budget is kept, and memory does not grow.

`python -m benchmarks.endurance` runs each recipe over 2 million rows in float32 (`--quick`: 40,000). After every chunk
the state, the scores of some rows and the number of support vectors are checked, and resident memory is measured; what
the arrays of a growing model take is subtracted. `--scale-run` learns 10⁸ rows of `bsgd` and `default` and reports
resident memory at intervals. The exit status is 1 if a check failed.
"""

import resource
import sys
import time
from collections.abc import Callable, Iterator
from math import sqrt
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from benchmarks.nasty_rows import NastyRows, Rows, plain_chunks
from benchmarks.report import arguments, console, failed, write
from kernelstream import Model, Recipe, kernels, losses, recipes
from kernelstream.core.state import PASSING, arrays

CHUNK, SCALE_CHUNK = 20_000, 100_000
WARM = 0.1  # share of the rows before memory is compared: buffers are allocated and code is loaded at first
FLAT, SCALE_FLAT = 0.03, 0.01
GAUSSIAN = kernels.Gaussian(1.0)


class Endured(NamedTuple):
    """A recipe with parameters that keep it bounded over `rows` rows, and the most support vectors it may have."""

    recipe: Recipe
    most: float
    pool: int | None = None  # see NastyRows


def _chance(expected: float) -> float:
    """A number that a sum of rare independent events with this expectation does not exceed."""
    return expected + 8.0 * sqrt(expected) + 8.0


def polk(rows: int) -> Endured:
    # A far-away support vector decays from η to the tolerance in log(η/ε)/(ηλ) rows, and is then removed.
    eta, lam, parsimony = 0.5, 0.01, 0.2
    return Endured(
        recipes.polk(GAUSSIAN, losses.Logistic(), eta, lam, parsimony),
        most=np.log(eta / (parsimony * eta**1.5)) / (eta * lam) + 100,
    )


def oskl(rows: int) -> Endured:
    G = max(rows / 2000, 1.0)  # one row in G is admitted, at most
    return Endured(recipes.oskl(GAUSSIAN, G=G), most=_chance(rows / G))


def nbsgd(rows: int) -> Endured:
    # The budget may be exceeded at rows t > β, with probability 1 − β/t each.
    beta = rows - 20.0 * sqrt(rows)
    return Endured(
        recipes.nbsgd(GAUSSIAN, losses.Hinge(), 1e-4, 100, beta=beta),
        most=100 + _chance((rows - beta) ** 2 / (2.0 * rows)),
    )


def projectron(rows: int) -> Endured:
    # η bounds the number of support vectors by a packing number of the input space, whatever the number of rows.
    return Endured(recipes.projectron(GAUSSIAN, eta=0.6, plus=True), most=500, pool=50)


def krls(rows: int) -> Endured:
    return Endured(recipes.krls(GAUSSIAN, nu=0.3), most=500, pool=50)


RECIPES: dict[str, Callable[[int], Endured]] = {
    "polk": polk,
    "oskl": oskl,
    "nbsgd": nbsgd,
    "projectron++": projectron,
    "krls": krls,
    "default": lambda rows: Endured(recipes.default(GAUSSIAN, budget=100), most=100),
    "bsgd": lambda rows: Endured(recipes.bsgd(GAUSSIAN, budget=50), most=50),
    "olrd": lambda rows: Endured(recipes.olrd(GAUSSIAN, budget=100), most=100),
}
SCALE_RUN: dict[str, Endured] = {
    "bsgd": Endured(recipes.bsgd(kernels.Gaussian(4.0), budget=50), most=50),
    "default": Endured(recipes.default(kernels.Gaussian(4.0), budget=50), most=50),
}


def resident() -> int:
    """Bytes of memory that this process has now; the most it has had where the system does not tell."""
    statm = Path("/proc/self/statm")
    if statm.exists():
        return int(statm.read_text().split()[1]) * resource.getpagesize()
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)


def fault(model: Model, probe: np.ndarray, most: float) -> str | None:
    """What is wrong with a model, in words."""
    if not np.isfinite(model.scores_many(probe)).all():
        return "a score is not finite"
    for name, node in zip(model.state._fields, model.state, strict=True):
        # support-vector merging marks pairs that cannot merge by an infinite loss
        improper = np.isnan if name == "maintenance" else lambda a: ~np.isfinite(a)
        if name not in PASSING and any(improper(a).any() for a in arrays(node)):
            return f"a number in state.{name} is not finite"
    if model.n_support > most:
        return f"{model.n_support} support vectors, and at most {most:.0f} are allowed"
    return None


def endure(endured: Endured, chunks: Iterator[Rows], rows: int, flat: float, tell: Callable[[str], None]) -> dict:
    """Learn all chunks, checking after each; figures of the run, and what was wrong first, if anything was."""
    model, before, most_memory, wrong, seconds, done = None, 0, 0, None, 0.0, 0
    for X, y in chunks:
        if model is None:
            model = Model.from_recipe(endured.recipe, X, y, total=rows, dtype="float32")
            probe = X[:: max(len(X) // 500, 1)].copy()
            model.copy().learn_many(X[:1], y[:1]).scores_many(probe)  # compiles
        start = time.perf_counter()
        try:
            model.learn_many(X, y)
        except ValueError as error:
            wrong = f"rows {done:,} to {done + len(X):,} are refused: {error}"
            break
        seconds += time.perf_counter() - start
        done += len(X)
        memory = resident() - model.nbytes
        if done <= max(WARM * rows, len(X)):
            before = most_memory = memory
        most_memory = max(most_memory, memory)
        wrong = fault(model, probe, endured.most)
        if wrong is None and most_memory > (1.0 + flat) * before:
            wrong = f"resident memory has grown from {before / 1e6:.1f} to {most_memory / 1e6:.1f} MB"
        tell(f"{done:,} rows, {seconds:.0f} s, {model.n_support} support vectors, resident {resident() / 1e6:.1f} MB")
        if wrong:
            break
    assert model is not None
    return {
        "rows": done, "seconds": round(seconds, 1), "microseconds_per_row": round(1e6 * seconds / max(done, 1), 2),
        "largest_score": float(np.abs(model.scores_many(probe)).max()),
        "support_vectors": model.n_support, "most_support_vectors": round(endured.most),
        "memory_mb": round(before / 1e6, 1),
        "memory_growth_percent": round(100 * (most_memory / max(before, 1) - 1), 2),
        "wrong": wrong, "passed": wrong is None,
    }  # fmt: skip


def line(name: str, found: dict[str, Any]) -> str:
    return (
        f"{name:<13} {found['rows']:>11,} rows  {found['microseconds_per_row']:>7.2f} µs/row  "
        f"{found['support_vectors']:>5} of {found['most_support_vectors']} support vectors  "
        f"scores up to {found['largest_score']:.1f}  "
        f"memory {found['memory_mb']:.0f} MB {found['memory_growth_percent']:+.2f} %  "
        f"{found['wrong'] or 'finite, flat'}"
    )


def main() -> int:
    parser = arguments(__doc__)
    parser.add_argument("--rows", type=int, help="rows per recipe (default 2,000,000, or 10⁸ with --scale-run)")
    parser.add_argument("--recipes", nargs="+", metavar="NAME", choices=RECIPES, help="these recipes only")
    parser.add_argument("--quick", action="store_true", help="2 %% of the rows")
    parser.add_argument(
        "--scale-run", action="store_true", help="10⁸ plain rows of bsgd and default; memory at intervals"
    )
    options = parser.parse_args()
    names = options.recipes or [*(SCALE_RUN if options.scale_run else RECIPES)]
    if options.scale_run and not set(names) <= set(SCALE_RUN):
        parser.error(f"--scale-run is for {' and '.join(SCALE_RUN)}.")
    rows = options.rows or (10**8 if options.scale_run else 2_000_000) // (50 if options.quick else 1)
    found = []
    for name in names:
        if options.scale_run:
            last = [0.0]

            def tell(what: str, last: list[float] = last, name: str = name) -> None:
                if time.monotonic() - last[0] > 15.0:
                    last[0] = time.monotonic()
                    console.print(f"{name}: {what}")

            result = endure(SCALE_RUN[name], plain_chunks(rows, SCALE_CHUNK), rows, SCALE_FLAT, tell)
        else:
            endured = RECIPES[name](rows)
            stream = NastyRows(pool=endured.pool).chunks(rows, min(CHUNK, max(rows // 20, 1) // 1000 * 1000 or 1000))
            result = endure(endured, stream, rows, FLAT, lambda what: None)
        console.print(line(name, result), highlight=False, soft_wrap=True)
        found.append({"recipe": name, **result})
    write(options.json, found)
    return failed(found)


if __name__ == "__main__":
    raise SystemExit(main())
