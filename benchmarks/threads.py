"""Predict with a model while it learns: `python -m benchmarks.threads [--seconds 60] [--readers 8] [--writers 2]`.

The model has two outputs that are trained with y and −y, so that every state between two rows gives scores f and −f,
exactly. A reader that sees anything else has seen a model half changed. At the end the model must have counted every
row of every writer. The cost is the CPU time of the thread that learns, with readers beside it and alone. Exits with 1
if something is wrong or a bar is missed.
"""

import argparse
import sys
import threading
import time
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from kernelstream import Model, recipes
from kernelstream.kernels import Gaussian
from kernelstream.losses import Squared

FEATURES, CHUNK = 8, 500
BAR = 1.03  # CPU time of learning beside readers, as a multiple of learning alone


class Found(NamedTuple):
    learned: int  # rows
    counted: int
    predictions: int
    torn: int  # predictions from a state between two outputs
    errors: tuple[str, ...]

    @property
    def fine(self) -> bool:
        return self.learned == self.counted > 0 and self.predictions > 0 and not self.torn and not self.errors


def rows(count: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    X = np.random.default_rng(seed).normal(size=(count, FEATURES))
    y = np.sin(X[:, 0]) + X[:, 1] * X[:, 2]
    return X, np.column_stack([y, -y])


def new_model(kind: str) -> Model:
    """A model that grows for as long as it learns, or one that keeps a budget."""
    kernel, loss = Gaussian(0.1), Squared()
    recipe = recipes.olk(kernel, loss, eta=0.1) if kind == "growing" else recipes.bsgd(kernel, loss, 1e-3, budget=100)
    X, y = rows(10, 0)
    return Model.from_recipe(recipe, X, y)


def stress(kind: str, seconds: float, readers: int, writers: int) -> Found:
    """Learn and predict at the same time, one row or many per call."""
    X, y = rows(CHUNK, 1)
    new_model(kind).learn_many(X, y).scores_many(X)  # compiles
    new_model(kind).scores_one(X[0])
    model, end = new_model(kind), time.monotonic() + seconds
    learned, predictions, torn = [0] * writers, [0] * readers, [0] * readers
    errors: list[str] = []

    def write(i: int) -> None:
        while time.monotonic() < end and model.n_support < 20_000:
            if i % 2:
                model.learn_many(X[:1], y[:1])
                learned[i] += 1
            else:
                model.learn_many(X, y)
                learned[i] += CHUNK

    def read(i: int) -> None:
        while time.monotonic() < end:
            scores = model.scores_many(X[:64]) if i % 2 else model.scores_one(X[0])[None]
            predictions[i] += 1
            torn[i] += int((scores[:, 0] != -scores[:, 1]).any())
            if i == 0:
                model.copy()
            time.sleep(0.0005)

    def guarded(job: Callable[[int], None], i: int) -> None:
        try:
            job(i)
        except Exception as error:
            errors.append(f"{type(error).__name__}: {error}")

    threads = [threading.Thread(target=guarded, args=(write, i)) for i in range(writers)]
    threads += [threading.Thread(target=guarded, args=(read, i)) for i in range(readers)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return Found(sum(learned), model.record.examples, sum(predictions), sum(torn), tuple(errors))


def cost(readers: int, repeats: int = 15) -> float:
    """CPU time of `learn_many` with this many readers, each of which predicts ten rows a hundred times per second, as a
    multiple of the same alone: the median of runs in turn."""
    X, y = rows(40_000, 2)

    def learning(beside: int) -> float:
        model, done = new_model("budgeted").learn_many(X[:2000], y[:2000]), threading.Event()

        def read() -> None:
            while not done.wait(0.01):
                model.scores_many(X[:10])

        threads = [threading.Thread(target=read) for _ in range(beside)]
        for thread in threads:
            thread.start()
        start = time.thread_time()
        model.learn_many(X, y)
        taken = time.thread_time() - start
        done.set()
        for thread in threads:
            thread.join()
        return taken

    return float(np.median([learning(readers) / learning(0) for _ in range(repeats)]))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--readers", type=int, default=8)
    parser.add_argument("--writers", type=int, default=2)
    given = parser.parse_args()
    fine = True
    for kind in ("growing", "budgeted"):
        found = stress(kind, given.seconds, given.readers, given.writers)
        fine &= found.fine
        print(
            f"{kind}: {found.learned:,} rows learned, {found.counted:,} counted, {found.predictions:,} predictions, "
            f"{found.torn} of them torn, errors: {'; '.join(found.errors) or 'none'}",
            flush=True,
        )
    ratio = cost(given.readers)
    print(f"CPU time of learn_many with {given.readers} readers ÷ alone: {ratio:.3f} (bar {BAR})")
    return 0 if fine and ratio <= BAR else 1


if __name__ == "__main__":
    sys.exit(main())
