"""How long a user waits in a new process: for the import, and for the first fit once the cache is filled.

Each figure is the median over new processes; the one before them, not counted, compiles whatever the cache lacks.
"""

import json
import subprocess
import sys
from statistics import median
from typing import Any

from benchmarks.report import arguments, failed, progress, show, verdict, write

BARS = {"import kernelstream": 1.5, "its estimators, and scikit-learn": None, "first fit": 1.0}
PROGRAM = """
import json, time
moments = [time.perf_counter()]
import kernelstream
moments.append(time.perf_counter())
from kernelstream import KernelClassifier
moments.append(time.perf_counter())
import numpy as np
X = np.random.default_rng(0).normal(size=(1000, 5))
y = X[:, 0] * X[:, 1] > 0.0
ready = time.perf_counter()
KernelClassifier().fit(X, y)
print(json.dumps([moments[1] - moments[0], moments[2] - moments[1], time.perf_counter() - ready]))
"""


def new_process() -> list[float]:
    """Seconds for the import, for that of the estimators and for the first fit, in a process of their own."""
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(f"The measured process failed: {done.stderr.strip()}")
    return json.loads(done.stdout)


def main() -> int:
    parser = arguments(__doc__)
    parser.add_argument("--repeats", type=int, default=5, help="new processes (default 5)")
    options = parser.parse_args()
    runs = []
    with progress() as bar:
        count = bar.add_task("filling the cache", total=options.repeats + 1)
        for _ in range(options.repeats + 1):
            runs.append(new_process())
            bar.update(count, description="import and first fit in a new process", advance=1)
    results: list[dict[str, Any]] = []
    for (what, limit), first, *seconds in zip(BARS.items(), *runs, strict=True):
        middle = median(seconds)
        results.append({
            "what": what, "seconds": middle, "slowest": max(seconds), "first_process": first, "bar": limit,
            "passed": None if limit is None else middle < limit,
        })  # fmt: skip
    title = f"a new process with a filled cache, median of {options.repeats}"
    show(title, ("what", "seconds", "slowest", "bar", ""), map(cells, results))
    write(options.json, results)
    return failed(results)


def cells(result: dict[str, Any]) -> tuple[Any, ...]:
    limit = "" if result["bar"] is None else f"< {result['bar']:g}"
    return result["what"], f"{result['seconds']:.2f}", f"{result['slowest']:.2f}", limit, verdict(result["passed"])


if __name__ == "__main__":
    raise SystemExit(main())
