"""The CPU time of single calls of River's `learn_one`, with default settings, over a long stream that is reversed.

`python -m benchmarks.latency` takes a minute or two: a million rows of a checkerboard, then 10,000 with the labels
flipped. It prints quantiles of the time beside their bars, accuracy after the change, and memory.
"""

import time
from argparse import Namespace
from typing import Any

import numpy as np

from benchmarks.report import arguments, failed, show, write
from kernelstream.datasets import checkerboard
from kernelstream.river import KernelClassifier

ROWS, AFTER, FIRST = 1_000_000, 10_000, 200  # rows before and after the change; the first compile and are left out
QUANTILES = (0.5, 0.99, 0.999, 1.0)


def options(words: list[str] | None) -> Namespace:
    parser = arguments(__doc__)
    parser.add_argument(
        "--rows", type=int, default=ROWS, metavar="N", help=f"rows before the change (default {ROWS:,})"
    )
    parser.add_argument(
        "--budget", type=int, metavar="B", help="support vectors of all models (default: the estimator's)"
    )
    return parser.parse_args(words)


def measure(rows: int, budget: int | None) -> dict[str, float]:
    """Times in milliseconds, accuracy after the change, and the growth of memory."""
    X, y = checkerboard(rows + AFTER, seed=77)
    y = y.copy()
    y[rows:] *= -1
    model = KernelClassifier(seed=1, budget=budget)
    times, right, early = np.empty(len(y)), np.zeros(len(y), bool), 0
    for i, (x, label) in enumerate(zip(X.tolist(), y.tolist(), strict=True)):
        row: dict[Any, float] = {"a": x[0], "b": x[1]}
        if i >= rows:
            right[i] = model.predict_one(row) == label
        start = time.thread_time()
        model.learn_one(row, label)
        times[i] = time.thread_time() - start
        early = model.nbytes if i == rows // 10 else early
    ordered = np.sort(times[FIRST:]) * 1e3
    found = {f"{q:.1%}": float(ordered[min(int(q * len(ordered)), len(ordered) - 1)]) for q in QUANTILES}
    found["accuracy"] = float(right[rows + 2000 : rows + 4000].mean())
    found["memory"] = model.nbytes / early
    return found


def main(words: list[str] | None = None) -> int:
    chosen = options(words)
    found = measure(chosen.rows, chosen.budget)
    bars = [
        ("learn_one, half of the calls (ms)", found["50.0%"], None),
        ("learn_one, 99 % of the calls (ms)", found["99.0%"], None),
        ("learn_one, 99.9 % of the calls (ms)", found["99.9%"], 0.5),
        ("learn_one, the slowest call (ms)", found["100.0%"], 2.0),
        ("error in rows 2,000 to 4,000 after the reversal", 1.0 - found["accuracy"], 0.05),
        ("memory at the end ÷ after a tenth of the rows", found["memory"], 1.0),
    ]
    results = [
        {"figure": name, "found": value, "bar": bar, "passed": bar is None or value <= bar} for name, value, bar in bars
    ]
    show(
        f"{chosen.rows:,} rows, one by one", ("figure", "found", "at most"),
        [(one["figure"], f"{one['found']:.3f}", "" if one["bar"] is None else f"{one['bar']:g}") for one in results],
        words=1,
    )  # fmt: skip
    write(chosen.json, results)
    return failed(results)


if __name__ == "__main__":
    raise SystemExit(main())
