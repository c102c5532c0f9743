"""One example at a time, against River.

The stream: 20 Gaussian clusters in 10 dimensions, each of one of two classes. River's RBFSampler draws its features for
each dimension apart, so that its model is a sum of functions of one variable; a checkerboard would be beyond it, and
these clusters are not altogether. Its step is the best of 0.01 and 0.1, its γ the best of 0.3 to 4. Accuracies are
progressive: every example is predicted before it is learned.
"""

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

from benchmarks.clock import in_turn, ratio, seconds
from benchmarks.clusters import as_signs, clusters
from benchmarks.figure import Bar, Figure, Result, Run
from benchmarks.figures.merging import merging
from kernelstream import Model

BUDGET, FEATURES, GAMMA = 100, 10, 4.0


class Learner(NamedTuple):
    """A learner, the stream in the form that it takes, and how many examples to time at a turn."""

    name: str
    learn: Callable[[Any, Any], Any]
    predict: Callable[[Any], Any]
    right: Callable[[Any, Any], bool]
    rows: list[Any]
    targets: list[Any]
    timed: int

    def accuracy(self) -> float:
        """Progressive, in percent; leaves the learner trained."""
        hits = 0
        for x, y in zip(self.rows, self.targets, strict=True):
            hits += bool(self.right(self.predict(x), y))
            self.learn(x, y)
        return 100.0 * hits / len(self.rows)

    def learning(self) -> float:
        return seconds(self._learn_all) / self.timed

    def predicting(self) -> float:
        return seconds(self._predict_all) / self.timed

    def _learn_all(self) -> None:
        learn = self.learn
        for x, y in zip(self.rows[: self.timed], self.targets[: self.timed], strict=True):
            learn(x, y)

    def _predict_all(self) -> None:
        predict = self.predict
        for x in self.rows[: self.timed]:
            predict(x)


def ours(X: np.ndarray, y: np.ndarray) -> Learner:
    Y = as_signs(y)
    model = Model.from_recipe(merging(GAMMA, 1e-5, BUDGET), X, Y)
    return Learner(
        "ours", model.learn_one, model.scores_one, lambda f, y: f[0] * y > 0.0, list(X), Y[:, 0].tolist(), len(X)
    )


def river(X: np.ndarray, y: np.ndarray) -> list[Learner]:
    from river import feature_extraction, forest, linear_model, optim, tree

    features = feature_extraction.RBFSampler(gamma=GAMMA, n_components=BUDGET, seed=1)
    models = {
        "River RBFSampler": (features | linear_model.LogisticRegression(optimizer=optim.SGD(0.01)), 10),
        "River Hoeffding tree": (tree.HoeffdingTreeClassifier(), 2),
        "River ARF": (forest.ARFClassifier(n_models=10, seed=1), 20),
    }
    rows, targets = [dict(enumerate(x)) for x in X.tolist()], (y == 1).tolist()
    return [
        Learner(name, model.learn_one, model.predict_one, lambda f, y: f == y, rows, targets, len(X) // fewer)
        for name, (model, fewer) in models.items()
    ]


def latency(run: Run) -> Iterator[Result]:
    X, y = clusters(run.choose(5_000, 2_000), FEATURES, centres=20, spread=0.5)
    turns = run.choose(7, 3)
    us = ours(X, y)
    run.tell("learn_one and predict_one")
    accuracy = us.accuracy()
    times = in_turn({"learn": us.learning, "predict": us.predicting}, turns)
    where = f"B={BUDGET} d={FEATURES}"
    yield Result(f"learn_one, {where}", 1e6 * float(np.median(times["learn"])), bar=Bar(high=3.0))
    yield Result(f"predict_one, {where}", 1e6 * float(np.median(times["predict"])))
    try:
        peers = river(X, y)
    except ImportError:
        run.note("River is not installed, so learn_one is not compared with it: pip install river")
        return
    for peer in peers:
        run.tell(f"{peer.name}, in turn")
        theirs = peer.accuracy()
        times = in_turn({"ours": us.learning, "peer": peer.learning}, turns)
        barred = peer.name == "River RBFSampler"
        yield Result(
            f"learn_one against {peer.name} ({accuracy:.1f} %, {theirs:.1f} %)", 1e6 * float(np.median(times["ours"])),
            1e6 * float(np.median(times["peer"])), "µs", ratio(times["peer"], times["ours"]),
            Bar(low=20.0) if barred else None, also=accuracy >= theirs,
            details={"accuracy": accuracy, "reference_accuracy": theirs, "examples": len(X)},
        )  # fmt: skip


FIGURES = (Figure("latency", "learn_one and predict_one, against River", latency),)
