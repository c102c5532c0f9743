"""Every recipe with every kernel through ONNX: how far onnxruntime is from `predict` on 10,000 rows.

Each is learned from data near the origin and from the same data 1000 away from it, where float32 has lost three digits
before anything is computed. The scores are divided by the largest of them; labels are compared as they are.

Compiling some two hundred compositions takes most of an hour of one core. With NUMBA_DISABLE_JIT=1, --learn 100 and
--rows 500 all of them run in pure Python in a few minutes.
"""

import time
import warnings
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from benchmarks.report import arguments, console, failed, progress, show, verdict, write
from kernelstream import KernelClassifier, KernelRegressor, recipes
from kernelstream.estimators.resolution import parameters_of
from kernelstream.export.onnx import to_onnx
from kernelstream.kernels import KERNELS, Gaussian, Kernel, Linear
from kernelstream.recipes import RECIPES

LEARN, TEST, FEATURES, BUDGET = 1000, 10_000, 4, 40
FAR = 1000.0
BAR = 1e-4  # of the largest score
COLUMNS = ("recipe", "kernel", "offset", "in", "difference", "labels", "seconds", "verdict")
CHOICES: dict[str, Kernel | str] = {**KERNELS, "gaussian + linear": Gaussian("scale") + 0.1 * Linear()}
OUTPUTS = ("label", "probabilities", "scores")


class Line(NamedTuple):
    """One model, there and back."""

    recipe: str
    kernel: str
    offset: float
    dtype: str = ""
    difference: float = np.nan  # of scores, where the largest is 1
    labels: int | None = None  # that differ
    seconds: float = np.nan
    refused: str = ""

    @property
    def passed(self) -> bool | None:
        return None if self.refused else bool(self.difference <= BAR and not self.labels)


def combinations(names: list[str], kernels: list[str]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Recipe and kernel by name, and the parameters of the estimator."""
    for name in names:
        if name == "fogd":
            yield name, "fourier", {"algorithm": recipes.fogd(frequencies=BUDGET // 2)}
            continue
        for kernel in kernels:
            yield name, kernel, {"algorithm": name, "kernel": CHOICES[kernel]}
    if "bsgd" in names and "gaussian" in kernels:
        for output in ("mean", "suffix", "random"):
            recipe = recipes.bsgd(kernel=Gaussian("scale"), budget=BUDGET, output=output)
            yield f"bsgd, {output}", "gaussian", {"algorithm": recipe}


def estimator(parameters: dict[str, Any]) -> tuple[KernelClassifier | KernelRegressor, str]:
    """A classifier where the recipe can, and what it learns: two classes, three, or numbers."""
    algorithm = parameters["algorithm"]
    common = parameters | {"random_state": 0, "epochs": 1}
    if not isinstance(algorithm, str):
        return KernelClassifier(**common), "three"
    if "budget" in parameters_of(algorithm):
        common["budget"] = BUDGET
    usual = RECIPES[algorithm]()
    if usual.loss.target == "values":
        return KernelRegressor(**common), "numbers"
    return KernelClassifier(**common), "two" if usual.admission.binary else "three"


def data(task: str, rows: int, offset: float) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(rows, FEATURES))
    value = np.sin(2.0 * X[:, 0]) + X[:, 1] * X[:, 2]
    y = {"two": value > 0.2, "three": np.digitize(value, [-0.5, 0.5]), "numbers": 100.0 + 10.0 * value}[task]
    return (X + offset).astype(np.float32), y


def measure(recipe: str, kernel: str, parameters: dict[str, Any], learn: int, rows: int, offset: float) -> Line:
    import onnxruntime

    start = time.perf_counter()
    try:
        model, task = estimator(parameters)
        X, y = data(task, learn + rows, offset)
        model.fit(X[:learn], y[:learn])
        test = X[learn:]
        graph = to_onnx(model, outputs=None if task == "numbers" else OUTPUTS)
    except ValueError as error:
        return Line(recipe, kernel, offset, refused=str(error))
    session = onnxruntime.InferenceSession(graph.SerializeToString(), providers=["CPUExecutionProvider"])
    found = session.run(None, {"X": test})
    differ = None
    if isinstance(model, KernelRegressor):
        ours, theirs = model.predict(test)[:, None] - model.intercept_, found[0] - model.intercept_
    else:
        ours, theirs = model.decision_function(test).reshape(len(test), -1), found[2]
        differ = int(np.sum(model.predict(test) != found[0]))
    difference = float(np.abs(ours - theirs).max() / np.abs(ours).max())
    doubled = any(node.op_type == "Cast" and node.attribute[0].i == 11 for node in graph.graph.node)
    dtype = "double" if doubled else "float"
    return Line(recipe, kernel, offset, dtype, difference, differ, time.perf_counter() - start)


def cells(line: Line) -> tuple[Any, ...]:
    if line.refused:
        return (line.recipe, line.kernel, f"{line.offset:g}", "", line.refused[:40], "", "", verdict(None))
    labels = "" if line.labels is None else "equal" if not line.labels else f"{line.labels} differ"
    return (
        line.recipe, line.kernel, f"{line.offset:g}", line.dtype, f"{line.difference:.1e}", labels,
        f"{line.seconds:.0f}", verdict(line.passed),
    )  # fmt: skip


def main() -> int:
    parser = arguments(__doc__)
    parser.add_argument("--only", nargs="+", metavar="RECIPE", choices=list(RECIPES), default=list(RECIPES))
    parser.add_argument("--kernels", nargs="+", metavar="KERNEL", choices=list(CHOICES), default=list(CHOICES))
    parser.add_argument("--learn", type=int, default=LEARN, help="rows to learn from")
    parser.add_argument("--rows", type=int, default=TEST, help="rows to compare on")
    options = parser.parse_args()
    found = list(combinations(options.only, options.kernels))
    lines: list[Line] = []
    warnings.simplefilter("ignore", UserWarning)  # recipes that trade their kernel or maintenance for another say so
    with progress() as shown:
        count = shown.add_task("", total=len(found))
        for recipe, kernel, parameters in found:
            shown.update(count, description=f"{recipe}, {kernel}")
            sizes = options.learn, options.rows
            lines += [measure(recipe, kernel, parameters, *sizes, offset) for offset in (0.0, FAR)]
            shown.advance(count)
    show(f"onnxruntime against predict, {options.rows:,} rows", COLUMNS, map(cells, lines), words=2)
    judged = [line for line in lines if line.passed is not None]
    console.print(f"{sum(bool(line.passed) for line in judged)} of {len(judged)} within {BAR:g} and with equal labels.")
    results = [line._asdict() | {"passed": line.passed} for line in lines]
    write(options.json, results)
    return failed(results)


if __name__ == "__main__":
    raise SystemExit(main())
