"""Vowpal Wabbit's kernel SVM on a checkerboard, without a budget, as it has none.

Some of its builds crash with this kernel, so it gets a process of its own.
"""

import importlib.util
import json
import subprocess
import sys
from collections.abc import Iterator

import numpy as np

from benchmarks.clock import in_turn, per_row, ratio, seconds
from benchmarks.figure import Figure, Result, Run
from benchmarks.figures.merging import merging
from kernelstream import Model
from kernelstream.datasets import checkerboard

TEST = 2_000
PROGRAM = """
import json, sys, time
from vowpalwabbit import Workspace
from kernelstream.datasets import checkerboard

def text(x, label=""):
    return f"{label} | a:{x[0]:.6f} b:{x[1]:.6f}"

n, test = map(int, sys.argv[1:])
vw = Workspace("--ksvm --kernel rbf --bandwidth 4 --l2 1e-3 --quiet")
X, y = checkerboard(n)
lines = [text(x, label) for x, label in zip(X, y)]
start = time.perf_counter()
for line in lines:
    vw.learn(line)
taken = time.perf_counter() - start
X, y = checkerboard(test, start=n)
right = sum((vw.predict(text(x)) > 0) == (label > 0) for x, label in zip(X, y))
print(json.dumps([taken, 100 * right / test]))
"""


class Crashed(RuntimeError):
    """The process ended without a result."""


def theirs(n: int) -> tuple[float, float]:
    """Seconds to learn n examples, and the accuracy in percent on others."""
    command = [sys.executable, "-c", PROGRAM, str(n), str(TEST)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    if done.returncode != 0:
        raise Crashed(f"{done.stderr.strip().rpartition(chr(10))[2]} (exit status {done.returncode})")
    taken, accuracy = json.loads(done.stdout)
    return taken, accuracy


def vowpal(run: Run) -> Iterator[Result]:
    if importlib.util.find_spec("vowpalwabbit") is None:
        run.note("Vowpal Wabbit is not installed, so its ksvm is left out: pip install vowpalwabbit")
        return
    n = run.choose(20_000, 4_000)
    X, y = checkerboard(n)
    X_test, y_test = checkerboard(TEST, start=n)
    recipe, accuracy = merging(4.0, 1e-5, 500), {"ours": 0.0, "theirs": 0.0}

    def our_pass() -> float:
        model = Model.from_recipe(recipe, X, y)
        taken = seconds(model.learn_many, X, y)
        accuracy["ours"] = 100.0 * float(np.mean(np.sign(model.scores_many(X_test)[:, 0]) == y_test))
        return taken

    def their_pass() -> float:
        taken, accuracy["theirs"] = theirs(n)
        return taken

    run.tell("ksvm and ours, in turn")
    try:
        times = in_turn({"ours": our_pass, "theirs": their_pass}, 2)
    except (Crashed, subprocess.TimeoutExpired) as crash:
        run.note(f"Vowpal Wabbit's --ksvm --kernel rbf fails here, so it is left out: {crash}")
        return
    yield Result(
        f"checkerboard against VW --ksvm ({accuracy['ours']:.1f} %, {accuracy['theirs']:.1f} %)",
        per_row(times["ours"], n), per_row(times["theirs"], n), "µs", ratio(times["ours"], times["theirs"]),
        details={"accuracy": accuracy["ours"], "reference_accuracy": accuracy["theirs"], "examples": n},
    )  # fmt: skip


FIGURES = (Figure("vowpal", "training against Vowpal Wabbit's kernel SVM", vowpal),)
