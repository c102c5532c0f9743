"""How long a user waits in a new process: for the import, and for the first fit of a named recipe.

With an empty cache everything is compiled; with a filled one it is loaded. After two classes of dense rows, another
shape of data, more classes, sparse rows or numbers as targets, compiles only what depends on it. The figure is the
slowest recipe's, or shape's, so that no choice is worse.
"""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from statistics import median

from benchmarks.figure import Bar, Figure, Result, Run

RECIPES = ("default", "bsgd", "oskl", "polk", "projectron")
SHAPES = ("three classes", "sparse rows", "regression")  # after two classes, in dense rows
PROGRAM = """
import json, sys, time
moments = [time.perf_counter()]
import kernelstream
moments.append(time.perf_counter())
from kernelstream import KernelClassifier, KernelRegressor
moments.append(time.perf_counter())
import numpy as np
from scipy.sparse import csr_matrix
recipe, shape = sys.argv[1:]
X = np.random.default_rng(0).normal(size=(1000, 5))
z = X[:, 0] * X[:, 1]
y = {"three classes": np.digitize(z, [-0.5, 0.5]), "regression": z}.get(shape, z > 0.0)
learner = (KernelRegressor if shape == "regression" else KernelClassifier)(recipe, epochs=1)
X = csr_matrix(X) if shape == "sparse rows" else X
ready = time.perf_counter()
learner.fit(X, y)
print(json.dumps([moments[1] - moments[0], moments[2] - moments[1], time.perf_counter() - ready]))
"""


def new_process(recipe: str, cache: str, shape: str = "two classes") -> tuple[float, float, float]:
    """Seconds for the import, for that of the estimators and for the first fit, in a process of their own."""
    environment = os.environ | {"NUMBA_CACHE_DIR": cache}
    command = [sys.executable, "-c", PROGRAM, recipe, shape]
    done = subprocess.run(command, capture_output=True, text=True, env=environment)
    if done.returncode != 0:
        raise RuntimeError(f"The measured process failed: {done.stderr.strip()}")
    bare, estimators, fit = json.loads(done.stdout)
    return bare, estimators, fit


def startup(run: Run) -> Iterator[Result]:
    cold: dict[str, float] = {}
    warm: dict[str, float] = {}
    second: dict[str, float] = {}
    imports: list[tuple[float, float]] = []
    for name in RECIPES[: run.choose(len(RECIPES), 2)]:
        # a cache of its own for each recipe: none finds what another has compiled
        with tempfile.TemporaryDirectory() as cache:
            run.tell(f"{name}, empty cache")
            *_, cold[name] = new_process(name, cache)
            run.tell(f"{name}, filled cache")
            times = [new_process(name, cache) for _ in range(run.choose(3, 1))]
            warm[name] = median(fit for *_, fit in times)
            imports.extend((bare, estimators) for bare, estimators, _ in times)
            for shape in SHAPES if name == "default" else ():
                run.tell(f"{name}, {shape}")
                *_, second[shape] = new_process(name, cache, shape)
    for what, found, limit in (("an empty", cold, 8.0), ("a filled", warm, 0.8)):
        worst = max(found, key=found.__getitem__)
        yield Result(
            f"first fit, {what} cache, slowest of {len(found)}: {worst}", found[worst], unit="s", bar=Bar(high=limit),
            details=found,
        )  # fmt: skip
    worst = max(second, key=second.__getitem__)
    yield Result(
        f"first fit of another shape, slowest of {len(second)}: {worst}", second[worst], unit="s", bar=Bar(high=3.0),
        details=second,
    )  # fmt: skip
    bare, estimators = (median(column) for column in zip(*imports, strict=True))
    yield Result("import kernelstream", bare, unit="s", bar=Bar(high=1.5))
    yield Result("its estimators, and scikit-learn", estimators, unit="s")


FIGURES = (Figure("startup", "import and first fit in a new process", startup),)
