"""Time and memory as the stream grows: a checkerboard of 10⁵ to 10⁷ examples, generated in chunks as it is learned.

Only learning is timed. On a clean board a better model has fewer losses, so that later examples cost less and the power
of n falls short of 1; with a tenth of the labels flipped the share with a loss stays, and it is shown too. Memory is
what the process has resident after the streams, against what it had after the first 10⁵ examples; /proc says it.
"""

import os
from collections.abc import Iterator
from pathlib import Path
from statistics import median

import numpy as np

from benchmarks.clock import seconds, slope
from benchmarks.figure import Bar, Figure, Result, Run
from benchmarks.figures.merging import merging
from kernelstream import Model
from kernelstream.datasets import batches, checkerboard

BUDGET, CHUNK = 100, 50_000
STATM = Path("/proc/self/statm")


def resident() -> float:
    """Megabytes of this process in memory, NaN where the system does not say."""
    if not STATM.exists():
        return float("nan")
    return int(STATM.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6


def stream_seconds(n: int, noise: float) -> float:
    """Seconds to learn n examples, a chunk at a time."""
    model, total = Model.begin(merging(4.0, 1e-5, BUDGET), *checkerboard(1)), 0.0
    for X, y in batches("checkerboard", n, CHUNK, noise=noise):
        total += seconds(model.learn_many, X.astype(np.float32), y.astype(np.float64)[:, None])
    return total


def growth(sizes: list[int], noise: float, rounds: int) -> tuple[float, list[float]]:
    """The power of n that time grows with, median over rounds through all sizes; microseconds per example at each."""
    times = [[stream_seconds(n, noise) for n in sizes] for _ in range(rounds)]
    return median(slope(sizes, row) for row in times), [
        1e6 * median(column) / n for n, column in zip(sizes, zip(*times, strict=True), strict=True)
    ]


def scaling(run: Run) -> Iterator[Result]:
    sizes = [100_000, 300_000, 1_000_000] + ([] if run.quick else [3_000_000, 10_000_000])
    span = f"n = 10⁵ to 10{'⁶' if run.quick else '⁷'}"
    stream_seconds(sizes[0], 0.0)
    before = resident()
    run.tell(f"checkerboard, {span}")
    power, us = growth(sizes, 0.0, run.choose(3, 2))
    details = {"panel": "examples n", "x": sizes, "us": {"pass": us}}
    yield Result(f"time ∝ n to the power, {span}", us[-1], us[0], "µs", power, Bar(0.95, 1.05), details=details)
    after = resident()
    yield Result("resident memory at the end, of that at 10⁵", after, before, "MB", after / before, Bar(high=1.05))
    run.tell("checkerboard with noise")
    power, us = growth(sizes[:4], 0.1, run.choose(3, 2))
    yield Result("the same, a tenth of the labels flipped", us[-1], us[0], "µs", power, details={"us": us})


FIGURES = (Figure("scaling", "time and memory from 10⁵ to 10⁷ examples", scaling),)
