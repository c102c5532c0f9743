"""Two cores against one, by the wall clock: `fit` of 500,000 rows of covtype with 2,000 support vectors.

`python -m benchmarks.untuned.cores` times `KernelClassifier(budget=2000, n_jobs=…)`, told nothing else, with one core
and with two, each in a new process that has compiled beforehand, in turn. Two must be at least 1.6 times as fast. It
needs two idle cores: the load of the machine is printed beside.
"""

import json
import os
import subprocess
import sys
import time
from inspect import signature
from statistics import median
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.report import arguments, console, failed, show, verdict, write
from benchmarks.untuned import sets
from kernelstream import KernelClassifier

ROWS, BUDGET, BAR, TURNS, TEST = 500_000, 2_000, 1.6, 1, 20_000
SEED = 0  # of the permutation of rows, and of the classifier
REHEARSAL = 3_000  # rows that compile what is used
COLUMNS = ("n_jobs", "wall s", "CPU s", "accuracy (%)", "load before")
Line = dict[str, Any]


def covtype(rows: int) -> tuple[NDArray[np.float64], NDArray[np.bool_], NDArray[np.float64], NDArray[np.bool_]]:
    """Class 2 against the rest: the first rows of a permutation to learn from, standardised, and later ones to test."""
    from sklearn.datasets import load_svmlight_file

    X, y = load_svmlight_file(str(sets.path_of("covtype.bz2")))
    order = np.random.default_rng(SEED).permutation(len(y))[: rows + TEST]
    A, known = X[order].toarray(), y[order] == 2
    deviation = A[:rows].std(axis=0)
    A = (A - A[:rows].mean(axis=0)) / np.where(deviation > 0.0, deviation, 1.0)
    return A[:rows], known[:rows], A[rows:], known[rows:]


def fit_once(jobs: int, rows: int, budget: int) -> Line:
    """One fit in this process."""
    X, y, X_test, y_test = covtype(rows)
    model = KernelClassifier(budget=budget, random_state=SEED, n_jobs=jobs)  # type: ignore[call-arg, unused-ignore]
    model.fit(X[:REHEARSAL], y[:REHEARSAL])
    begun, start = time.perf_counter(), time.process_time()
    model.fit(X, y)
    wall, cpu = time.perf_counter() - begun, time.process_time() - start
    return {"jobs": jobs, "wall": wall, "cpu": cpu, "score": 100.0 * float(model.score(X_test, y_test))}


def apart(jobs: int, rows: int, budget: int) -> Line:
    """One fit in a new process, whose threads are not limited from outside."""
    free = {name: value for name, value in os.environ.items() if not name.endswith("_NUM_THREADS")}
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else None
    words = [sys.executable, "-m", "benchmarks.untuned.cores", "--rows", str(rows), "--budget", str(budget)]
    done = subprocess.run([*words, "--alone", str(jobs)], env=free, stdout=subprocess.PIPE, text=True, check=True)
    return {"part": "cores", "passed": None, "load": load, **json.loads(done.stdout.splitlines()[-1])}


def judged(lines: list[Line]) -> Line:
    """How many times as fast two cores are: the ratio of the medians over the turns."""
    one, two = (median(line["wall"] for line in lines if line["jobs"] == jobs) for jobs in (1, 2))
    return {"part": "ratio", "one": one, "two": two, "ratio": one / two, "bar": BAR, "passed": one / two >= BAR}


def main(words: list[str] | None = None) -> int:
    parser = arguments(__doc__)
    parser.add_argument("--rows", type=int, default=ROWS, metavar="N", help=f"default {ROWS:,}")
    parser.add_argument("--budget", type=int, default=BUDGET, metavar="B", help=f"default {BUDGET:,}")
    parser.add_argument("--turns", type=int, default=TURNS, metavar="N", help=f"fits of each (default {TURNS})")
    parser.add_argument("--alone", type=int, metavar="JOBS", help="one fit with so many cores, its figures as JSON")
    chosen = parser.parse_args(words)
    reason = sets.lacking(sets.SETS["covtype"])
    if "n_jobs" not in signature(KernelClassifier).parameters:
        reason = "Nothing is measured: this version of KernelClassifier has no n_jobs."
    if reason:
        console.print(reason, markup=False)
        return 0
    if chosen.alone is not None:
        print(json.dumps(fit_once(chosen.alone, chosen.rows, chosen.budget)))
        return 0
    lines = [apart(jobs, chosen.rows, chosen.budget) for _ in range(chosen.turns) for jobs in (1, 2)]
    found = judged(lines)
    show(f"covtype, {chosen.rows:,} rows, B = {chosen.budget:,}", COLUMNS, map(cells, lines))
    console.print(f"two cores: {found['ratio']:.2f} × as fast, bar {BAR} ×,", verdict(found["passed"]))
    write(chosen.json, [*lines, found])
    return failed([found])


def cells(line: Line) -> tuple[str, ...]:
    load = "" if line["load"] is None else f"{line['load']:.1f}"
    return str(line["jobs"]), f"{line['wall']:.1f}", f"{line['cpu']:.1f}", f"{line['score']:.2f}", load


if __name__ == "__main__":
    raise SystemExit(main())
