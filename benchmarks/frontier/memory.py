"""Memory of the default in a long stream: what the model keeps, and what the process occupies."""

import os
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

from benchmarks.figure import Run
from benchmarks.frontier.part import Line, Part
from benchmarks.peers import settings
from benchmarks.plots import short
from benchmarks.report import show, verdict
from kernelstream import KernelClassifier
from kernelstream.datasets import batches

BUDGET, BATCH = 100, 10_000
GROWTH = 4 * 2**20  # bytes by which the process may grow from one length to the next: the allocator's, not ours
COLUMNS = ("examples", "model (bytes)", "process (MiB)", "accuracy before learning (%)", "bar", "")


def measure(run: Run, longest: int) -> Iterator[Line]:
    chosen = settings("checkerboard")
    model = KernelClassifier(gamma=chosen.gamma, lam=chosen.lam, budget=BUDGET, random_state=0)
    lengths = [10**power for power in range(5, 8) if 10**power <= (10**5 if run.quick else longest)]
    lengths = [lengths[0] // 10, *lengths] if run.quick else lengths
    done, first, right = 0, None, 0
    for X, y in batches("checkerboard", lengths[-1], BATCH):
        right += 0 if done == 0 else int((model.predict(X) == y).sum())
        model.partial_fit(X, y, classes=[-1, 1])
        done += len(y)
        if done not in lengths:
            continue
        run.tell(f"{done:,} examples")
        line = {"part": "memory", "examples": done, "nbytes": model.model_.nbytes, "resident": _resident()}
        # the first batch is learned before anything can be predicted
        line["accuracy"], first = 100.0 * right / (done - BATCH) if done > BATCH else None, first or line
        yield line | {"passed": None if line is first else _same(first, line)}


def _same(first: Line, line: Line) -> bool:
    grown = 0 if line["resident"] is None else line["resident"] - first["resident"]
    return bool(line["nbytes"] == first["nbytes"] and grown <= GROWTH)


def _resident() -> int | None:
    """Bytes that the process occupies now; None where the system does not say."""
    path = Path("/proc/self/statm")
    return int(path.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") if path.exists() else None


def table(lines: Sequence[Line]) -> None:
    rows = []
    for line in lines:
        resident = "" if line["resident"] is None else f"{line['resident'] / 2**20:.1f}"
        bar = "" if line["passed"] is None else f"the same, + {GROWTH // 2**20} MiB"
        accuracy = "" if line["accuracy"] is None else f"{line['accuracy']:.2f}"
        rows.append((short(line["examples"]), f"{line['nbytes']:,}", resident, accuracy, bar, verdict(line["passed"])))
    show(f"memory along a checkerboard stream, partial_fit, B = {BUDGET}", COLUMNS, rows)


def memory(longest: int) -> Part:
    """Up to so many examples."""
    return Part("memory after 10⁵ and 10⁶ examples of a stream", partial(measure, longest=longest), table)
