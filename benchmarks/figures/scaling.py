"""Time and memory as the stream grows: a checkerboard of 10⁵ to 10⁷ examples, generated in chunks as it is learned.

Only learning is timed. On a clean board a better model has fewer losses, so that later examples cost less and the power
of n falls short of 1; with a tenth of the labels flipped the share with a loss stays, and it is shown too. Memory is
what a process of its own, where no earlier figure has left room, has resident at the end of the stream, against what it
had after the first 10⁵ examples; /proc says it.
"""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from statistics import median

import numpy as np

from benchmarks.clock import seconds, slope
from benchmarks.figure import Bar, Figure, Result, Run
from benchmarks.figures.merging import merging
from kernelstream import Model
from kernelstream.datasets import batches, checkerboard

BUDGET, CHUNK, FIRST = 100, 50_000, 100_000
STATM = Path("/proc/self/statm")


def resident() -> float:
    """Megabytes of this process in memory, NaN where the system does not say."""
    if not STATM.exists():
        return float("nan")
    return int(STATM.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6


def stream(n: int, noise: float = 0.0) -> Iterator[float]:
    """Learn n examples a chunk at a time; the seconds of each."""
    model = Model.from_recipe(merging(4.0, 1e-5, BUDGET), *checkerboard(1))
    for X, y in batches("checkerboard", n, CHUNK, noise=noise):
        yield seconds(model.learn_many, X.astype(np.float32), y.astype(np.float64)[:, None])


def tell_memory(n: int) -> None:
    """Print the megabytes after the first 10⁵ examples and after all."""
    sizes = [resident() for _ in stream(n)]
    print(json.dumps([sizes[FIRST // CHUNK - 1], sizes[-1]]))


def memory(n: int) -> tuple[float, float]:
    """The same, of a new process."""
    program = f"from benchmarks.figures.scaling import tell_memory; tell_memory({n})"
    root = Path(__file__).parents[2]
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, cwd=root)
    if done.returncode != 0:
        raise RuntimeError(f"The measured process failed: {done.stderr.strip()}")
    before, after = json.loads(done.stdout)
    return before, after


def growth(sizes: list[int], noise: float, rounds: int) -> tuple[float, list[float]]:
    """The power of n that time grows with, median over rounds through all sizes; microseconds per example at each."""
    times = [[sum(stream(n, noise)) for n in sizes] for _ in range(rounds)]
    return median(slope(sizes, row) for row in times), [
        1e6 * median(column) / n for n, column in zip(sizes, zip(*times, strict=True), strict=True)
    ]


def scaling(run: Run) -> Iterator[Result]:
    sizes = [FIRST, 300_000, 1_000_000] + ([] if run.quick else [3_000_000, 10_000_000])
    span = f"n = 10⁵ to 10{'⁶' if run.quick else '⁷'}"
    sum(stream(FIRST))  # compiles
    run.tell(f"checkerboard, {span}")
    power, us = growth(sizes, 0.0, run.choose(3, 2))
    details = {"panel": "examples n", "x": sizes, "us": {"pass": us}}
    yield Result(f"time ∝ n to the power, {span}", us[-1], us[0], "µs", power, Bar(0.95, 1.05), details=details)
    run.tell("memory")
    before, after = memory(sizes[-1])
    if np.isnan(after):
        run.note("Memory is left out: this system has no /proc/self/statm.")
    else:
        yield Result("resident memory at the end, of that at 10⁵", after, before, "MB", after / before, Bar(high=1.05))
    run.tell("checkerboard with noise")
    power, us = growth(sizes[:4], 0.1, run.choose(3, 2))
    yield Result("time ∝ n to the power, a tenth of the labels flipped", us[-1], us[0], "µs", power, details={"us": us})


FIGURES = (Figure("scaling", "time and memory from 10⁵ to 10⁷ examples", scaling),)
