"""The wheel with compiled code, in a new environment with empty caches: time to a first result, and speed.

    python -m benchmarks.compiled_wheel               # builds the wheel first (minutes)
    python -m benchmarks.compiled_wheel --wheel dist/kernelstream-0.1.0-cp311-….whl --environment /tmp/env

Every measurement is a process of its own, with an empty home. Time is counted from the moment that scikit-learn is
imported: `import kernelstream`, fit, predict. Speed is that of learning, beside the same code compiled on this machine.
"""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.figure import Bar, Result, cells
from benchmarks.report import arguments, console, show, verdict, write

ROOT = Path(__file__).parents[1]
FIRST = 1.2  # seconds
SPEED = 0.95
LARGEST = 20.0  # MB
IMPORT, HELP, MISSING = 0.3, 0.3, 0.5  # seconds

START = """
import json, time
import numpy as np
import sklearn.base, sklearn.utils.validation
from sklearn.datasets import load_iris, load_diabetes
from scipy.sparse import csr_matrix
start = time.perf_counter()
"""
END = """
seconds = time.perf_counter() - start
from kernelstream.core.numba.disk import tally
print(json.dumps({"seconds": seconds, "good": bool(good), "tally": dict(tally)}))
"""
IRIS = "X, y = load_iris(return_X_y=True)\n"
FIT = "from kernelstream import KernelClassifier\nmodel = KernelClassifier(random_state=0).fit(X, y)\n"
RIGHT = "good = (model.predict(X) == y).mean() > 0.9\n"
OTHERS = """
from kernelstream import KernelClassifier
X, y = load_iris(return_X_y=True)
good = all(KernelClassifier(name, random_state=0).fit(X, y).score(X, y) > 0.6 for name in ("bsgd", "projectron"))
"""
PROGRAMS = {
    "iris: three classes": IRIS + FIT + RIGHT,
    "two classes": IRIS + "y = y > 1\n" + FIT + RIGHT,
    "two classes, sparse": IRIS + "X, y = csr_matrix(X), y > 1\n" + FIT + RIGHT,
    "two classes, 64 features": "X = np.random.default_rng(0).normal(size=(500, 64))\ny = X[:, 0] > 0\n" + FIT + RIGHT,
    "bsgd and projectron": OTHERS,
    "regression": "X, y = load_diabetes(return_X_y=True)\nfrom kernelstream import KernelRegressor\n"
    "model = KernelRegressor(random_state=0).fit(X, y)\nmodel.predict(X)\ngood = model.score(X, y) > 0.4\n",
}
RIVER = """
import river.base
start = time.perf_counter()
X, y = load_iris(return_X_y=True)
from kernelstream.river import KernelClassifier
model, right = KernelClassifier(seed=0), []
order = np.r_[np.random.default_rng(0).permutation(100), np.random.default_rng(0).permutation(150)]
for i in order:  # the third class appears after 100 rows
    x = dict(zip("abcd", X[i].tolist()))
    right.append(model.predict_one(x) == y[i])
    model.learn_one(x, int(y[i]))
good = np.mean(right[-100:]) > 0.8
"""
WARM_UP = RIVER.replace("KernelClassifier(seed=0)", "KernelClassifier(seed=0, warm_up=20)")
IMPORTED = """
import json, time
import sklearn.base, sklearn.utils.validation
start = time.perf_counter()
from kernelstream import KernelClassifier
print(json.dumps({"seconds": time.perf_counter() - start}))
"""
COMMAND = """
import json, subprocess, sys, time
start = time.perf_counter()
subprocess.run([sys.executable, "-m", "kernelstream", *{}], capture_output=True)
print(json.dumps(dict(seconds=time.perf_counter() - start)))
"""
SPEEDS = """
import json, time
import numpy as np
from kernelstream import KernelClassifier, Model
from kernelstream.core.numba.disk import tally
from kernelstream.datasets import checkerboard
rng, tasks = np.random.default_rng(0), {}
X, y = checkerboard(60_000, seed=0)
tasks["checkerboard, B = 100"] = KernelClassifier(gamma=4.0, budget=100, random_state=0), X, y
X = rng.normal(size=(10_000, 54))
tasks["54 features, B = 500"] = KernelClassifier(gamma=0.02, random_state=0), X, X[:, 0] * X[:, 1] + X[:, 2] > 0
y = rng.integers(26, size=10_000)
X = rng.normal(size=(26, 16))[y] + rng.normal(size=(10_000, 16))
tasks["26 classes, B = 500"] = KernelClassifier(gamma=0.06, random_state=0), X, y
found = {}
for name, (estimator, X, y) in tasks.items():
    times, first = [], estimator.initialize(X, y).model_
    recipe, targets = estimator.resolve_recipe(len(np.unique(y))), estimator.encode_targets(y)
    rows = X.astype(np.float32)
    for _ in range(4):
        # no refit before so many examples: that is NumPy's work, and not compiled
        model = Model.from_recipe(recipe, X, targets, n_outputs=first.n_outputs, total=10**9)
        start = time.process_time()
        model.learn_many(rows, targets)
        times.append(time.process_time() - start)
    found[name] = 1e6 * min(times[1:]) / len(y)
print(json.dumps({"times": found, "tally": dict(tally)}))
"""


class Environment:
    """A virtual environment with the wheel, and an empty home for every process."""

    def __init__(self, folder: Path, wheel: Path):
        self.python = folder / "bin" / "python"
        if not self.python.exists():
            subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
        install = [str(self.python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        subprocess.run([*install, f"kernelstream[cli,river] @ {wheel.resolve().as_uri()}"], check=True)
        subprocess.run([*install, "--force-reinstall", "--no-deps", str(wheel)], check=True)

    def run(self, program: str, cache: str | None = None, **variables: str) -> dict[str, Any]:
        foreign = ("NUMBA_", "KERNELSTREAM_", "PYTHON", "XDG_")
        plain = {name: value for name, value in os.environ.items() if not name.startswith(foreign)}
        with tempfile.TemporaryDirectory() as home:
            done = subprocess.run(
                [str(self.python), "-c", program], capture_output=True, text=True, cwd=home,
                env=plain | {"HOME": cache or home, "OMP_NUM_THREADS": "1"} | variables,
            )  # fmt: skip
        if done.returncode:
            raise RuntimeError(done.stderr)
        return json.loads(done.stdout)


def first_results(environment: Environment, runs: int) -> list[Result]:
    """Seconds to a first result; everything must have come with the wheel."""
    programs = {name: START + program + END for name, program in PROGRAMS.items()}
    programs |= {"River, a third class": START + RIVER + END, "River, after its warm-up": START + WARM_UP + END}
    results = []
    for name, program in programs.items():
        environment.run(program)  # Python's own bytecode, once for an environment
        found = [environment.run(program) for _ in range(runs)]
        own = all(run["tally"].get("compiled", 0) == 0 and run["good"] for run in found)
        seconds = median(run["seconds"] for run in found)
        results.append(Result(name, seconds, unit="s", bar=Bar(high=FIRST), also=own, details=found[0]))
    return results


def imports(environment: Environment, runs: int) -> list[Result]:
    """The import beyond scikit-learn's, and commands that need neither; the fastest run: others share the machine."""
    results = []
    for name, program, limit in (
        ("import, after scikit-learn", IMPORTED, IMPORT),
        ("kernelstream --help", COMMAND.format(["--help"]), HELP),
        ("predict, missing file", COMMAND.format(["predict", "missing.ks", "rows.csv"]), MISSING),
    ):
        seconds = min(environment.run(program)["seconds"] for _ in range(2 * runs))
        results.append(Result(name, seconds, unit="s", bar=Bar(high=limit)))
    return results


def speeds(environment: Environment) -> list[Result]:
    """Learning by the wheel's code beside the same compiled here, in turns."""
    host = environment.run(
        "import json, llvmlite.binding as b; print(json.dumps({'name': b.get_host_cpu_name()}))"
    )["name"]  # fmt: skip
    with tempfile.TemporaryDirectory() as cache:

        def native() -> dict[str, Any]:
            return environment.run(SPEEDS, cache, NUMBA_CPU_NAME=host)

        native()  # compiles
        pairs = [(environment.run(SPEEDS), native()) for _ in range(3)]
    if any(ours["tally"].get("compiled") or theirs["tally"].get("shipped") for ours, theirs in pairs):
        raise RuntimeError(f"the two kinds of code were not told apart: {pairs[0]}")
    results = []
    for name in pairs[0][0]["times"]:
        ours, here = (min(pair[side]["times"][name] for pair in pairs) for side in (0, 1))
        results.append(Result(f"speed, {name}", ours, here, "µs", here / ours, Bar(low=SPEED)))
    return results


def main() -> int:
    parser = arguments(__doc__)
    parser.add_argument("--wheel", type=Path, help="a wheel with compiled code, instead of a new one")
    parser.add_argument("--environment", type=Path, help="a folder for the virtual environment, which is kept")
    parser.add_argument("--runs", type=int, default=5, help="processes for each time (default 5)")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        wheel = options.wheel
        if wheel is None:
            console.print("building the wheel takes some minutes …")
            subprocess.run([sys.executable, "-m", "tools.build_wheel", "--out", scratch], check=True, cwd=ROOT)
            (wheel,) = (path for path in Path(scratch).glob("*.whl") if "none-any" not in path.name)
        results = [Result("size of the wheel", wheel.stat().st_size / 1e6, unit="MB", bar=Bar(high=LARGEST))]
        environment = Environment(options.environment or Path(scratch) / "environment", wheel)
        results += first_results(environment, options.runs) + imports(environment, options.runs) + speeds(environment)
    columns = ("", "wheel", "compiled here", "ratio", "bar", "")
    show("the wheel with compiled code", columns, [(*cells(r), verdict(r.passed)) for r in results], words=1)
    write(options.json, [result.as_dict() for result in results])
    return sum(result.passed is False for result in results)


if __name__ == "__main__":
    raise SystemExit(main())
