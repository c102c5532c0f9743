"""Training against scikit-learn's way to learn a kernel from a stream: features, then a linear model by partial_fit.

Nystroem (or RBFSampler) is fitted on the first batch; every batch of 1,000 is transformed and learned. Kernel, λ, B and
the order of rows are the same on both sides. Being faster counts only at an accuracy that is at least as high.

Plain SGD is the faster reference, but its last iterate differs much between shuffles; averaged SGD (ASGD) is the
more accurate one. The bar holds against both.
"""

import time
from collections.abc import Iterator
from functools import partial
from statistics import mean
from typing import Any

import numpy as np
from sklearn.kernel_approximation import Nystroem, RBFSampler
from sklearn.linear_model import SGDClassifier

from benchmarks.clock import in_turn, per_row, ratio, seconds
from benchmarks.data import Dataset
from benchmarks.figure import Bar, Figure, Result, Run
from benchmarks.figures.merging import merging
from kernelstream import Model
from kernelstream.losses import CrammerSinger, Hinge

BUDGET, BATCH = 500, 1000
BARS = {"ijcnn1": 0.3, "covtype": 0.3, "usps": 0.5, "letter": 0.5}
# features, whether SGD is averaged, whether there is a bar
PEERS = {
    "Nystroem + SGD": (Nystroem, False, True),
    "Nystroem + ASGD": (Nystroem, True, True),
    "RBFSampler + ASGD": (RBFSampler, True, False),
}


class Contest:
    """One pass of every contestant over one shuffle after another; each collects its accuracies."""

    def __init__(self, data: Dataset, rows: int):
        self.data, self.rows = data, rows
        self.classes, self.labels = np.unique(data.y_train, return_inverse=True)
        binary = len(self.classes) == 2
        self.recipe = merging(data.gamma, data.lam, BUDGET, Hinge() if binary else CrammerSinger())
        self.accuracies: dict[str, list[float]] = {}

    def shuffled(self, name: str) -> tuple[np.ndarray, np.ndarray, int]:
        seed = len(self.accuracies.setdefault(name, []))
        order = np.random.default_rng(seed).permutation(len(self.labels))[: self.rows]
        return self.data.X_train[order], self.labels[order], seed

    def note(self, name: str, predicted: np.ndarray) -> None:
        self.accuracies[name].append(100.0 * float(np.mean(self.classes[predicted] == self.data.y_test)))

    def ours(self) -> float:
        X, labels, seed = self.shuffled("ours")
        y = 2 * labels - 1 if len(self.classes) == 2 else labels
        start = time.perf_counter()
        model = Model.from_recipe(self.recipe, X, y, seed=seed).learn_many(X, y)
        taken = time.perf_counter() - start
        f = model.scores_many(self.data.X_test)
        self.note("ours", f.argmax(axis=1) if f.shape[1] > 1 else (f[:, 0] > 0.0).astype(int))
        return taken

    def pipeline(self, name: str) -> float:
        X, labels, seed = self.shuffled(name)
        kind, average, _ = PEERS[name]
        features = kind(gamma=self.data.gamma, n_components=BUDGET, random_state=seed)
        linear = SGDClassifier(alpha=self.data.lam, average=average, random_state=seed)
        taken = seconds(learn, features, linear, X, labels, np.arange(len(self.classes)))
        self.note(name, linear.predict(features.transform(self.data.X_test)))
        return taken


def learn(features: Any, linear: Any, X: np.ndarray, labels: np.ndarray, classes: np.ndarray) -> None:
    features.fit(X[:BATCH])
    for start in range(0, len(X), BATCH):
        batch = features.transform(X[start : start + BATCH])
        linear.partial_fit(batch, labels[start : start + BATCH], classes=classes)


def pipelines(run: Run) -> Iterator[Result]:
    for name, bar in BARS.items():
        data = run.data(name)
        if data is None:
            continue
        run.tell(f"{name}, in turn")
        n = run.choose(len(data.y_train), min(len(data.y_train), 15_000))
        contest = Contest(data, n)
        sides = {"ours": contest.ours} | {peer: partial(contest.pipeline, peer) for peer in PEERS}
        times = in_turn(sides, run.choose(5, 2))
        accuracy = {side: mean(values) for side, values in contest.accuracies.items()}
        for peer, (*_, barred) in PEERS.items():
            yield Result(
                f"{name} against {peer} ({accuracy['ours']:.1f} %, {accuracy[peer]:.1f} %)",
                per_row(times["ours"], n), per_row(times[peer], n), "µs", ratio(times["ours"], times[peer]),
                Bar(high=bar) if barred else None, also=accuracy["ours"] >= accuracy[peer],
                details={"accuracy": accuracy["ours"], "reference_accuracy": accuracy[peer], "examples": n},
            )  # fmt: skip


FIGURES = (Figure("pipelines", "training against Nystroem or RBFSampler with SGDClassifier", pipelines),)
