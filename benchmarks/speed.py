"""Time per example of budgeted SGD with merging, in units of the one thing it cannot do without.

An example costs at least one row κ(x, all B support vectors). What the rest of the loop adds, merging included, is the
ratio in this table. Rows and pass are timed in turn, and the ratio is the median over the turns, because other work on
the machine slows both.
"""

import os
import time
from collections.abc import Callable, Iterator
from statistics import median
from typing import Any, NamedTuple

import numpy as np

from benchmarks.data import load
from benchmarks.report import arguments, console, failed, progress, show, verdict, write
from kernelstream import Model, Recipe, recipes
from kernelstream._cache import specialise
from kernelstream.bounds import Free
from kernelstream.kernels import Gaussian
from kernelstream.rows import sqnorm

BAR = 4.0
COLUMNS = ("data", "B", "d", "µs/example", "µs/row", "ratio", "bar", "", "with a loss", "examples/s")


# budget and turns: a short pass is a noisy one
STREAMS = {"checkerboard": (100, 41), "waveform": (500, 15), "covtype": (2000, 7)}


class Task(NamedTuple):
    """A stream of −1 and +1, float32 and C-contiguous, and the recipe that learns it in one pass."""

    name: str
    recipe: Recipe
    X: np.ndarray
    y: np.ndarray
    turns: int


def tasks(turns: int | None) -> Iterator[Task]:
    """The three streams; a real one only where its file is."""
    for name, (budget, usual) in STREAMS.items():
        if name == "covtype" and not os.environ.get("KERNELSTREAM_DATA"):
            console.print("covtype is left out: KERNELSTREAM_DATA does not name the folder of the LIBSVM files.")
            continue
        data = load(name)
        y = np.where(data.y_train == 0, 1, -1) if name == "waveform" else data.y_train
        recipe = recipes.bsgd(Gaussian(data.gamma), lam=data.lam, budget=budget, offset=2.0, bound=Free())
        yield Task(name, recipe, np.ascontiguousarray(data.X_train), y.astype(np.float64)[:, None], turns or usual)


def rows(h: Any, X: np.ndarray, out: np.ndarray) -> float:
    """Entry point: a row of kernel values per example. The sum keeps the compiler from leaving them out."""
    ex, kernel, scratch = h.state.expansion, h.recipe.kernel, h.state.scratch
    total = 0.0
    for i in range(X.shape[0]):
        kernel.row(ex.sv, ex.sq, X[i], sqnorm(X[i]), ex.n[0], out, scratch)
        total += out[i % ex.n[0]]
    return total


def learned(task: Task, examples: int | None = None) -> tuple[Model, float]:
    """A new model after one pass, and the seconds that the pass took."""
    X, y = task.X[:examples], task.y[:examples]
    model = Model.begin(task.recipe, X, y)
    start = time.perf_counter()
    model.learn_many(X, y)
    return model, time.perf_counter() - start


def row_seconds(model: Model, X: np.ndarray) -> float:
    """Seconds for a row of every example against the support vectors of a trained model."""
    out = np.empty(model._dims.capacity, model.dtype)
    compiled = specialise(rows, "speed", False)
    start = time.perf_counter()
    compiled(model._handle, X, out)
    return time.perf_counter() - start


def measure(task: Task, advance: Callable[[], None]) -> dict[str, Any]:
    """Medians over the turns of rows and pass."""
    learned(task, 200)  # compiles
    model, _ = learned(task)
    row_seconds(model, task.X[:10])  # compiles
    by_row, by_pass = [], []
    for _ in range(task.turns):
        by_row.append(row_seconds(model, task.X))
        model, seconds = learned(task)
        by_pass.append(seconds)
        advance()
    n = len(task.X)
    ratio = median(a / b for a, b in zip(by_pass, by_row, strict=True))
    return {
        "data": task.name, "budget": model.n_support, "features": model.n_features, "examples": n, "turns": task.turns,
        "us_per_example": 1e6 * median(by_pass) / n, "us_per_row": 1e6 * median(by_row) / n,
        "ratio": ratio, "bar": BAR, "passed": ratio <= BAR,
        "share_with_loss": model.record.examples_with_loss / n, "examples_per_second": n / median(by_pass),
    }  # fmt: skip


def main() -> int:
    parser = arguments(__doc__)
    parser.add_argument("--turns", type=int, help="turns of rows and pass (default: 7 to 41, more for shorter passes)")
    options = parser.parse_args()
    todo, results = list(tasks(options.turns)), []
    with progress() as bar:
        count = bar.add_task("", total=sum(task.turns for task in todo))
        for task in todo:
            bar.update(count, description=f"{task.name}: turns of rows and pass")
            results.append(measure(task, lambda: bar.advance(count)))
    show("one pass of bsgd with merging: hinge, Gaussian, offset, float32, one thread", COLUMNS, map(cells, results))
    write(options.json, results)
    return failed(results)


def cells(result: dict[str, Any]) -> tuple[Any, ...]:
    return (
        result["data"], result["budget"], result["features"], f"{result['us_per_example']:.2f}",
        f"{result['us_per_row']:.2f}", f"{result['ratio']:.2f}", f"≤ {BAR:g}", verdict(result["passed"]),
        f"{result['share_with_loss']:.1%}", f"{result['examples_per_second']:,.0f}",
    )  # fmt: skip


if __name__ == "__main__":
    raise SystemExit(main())
