"""Our River estimator against River's own way to kernels, on the stream of `latency`: dicts in, labels out."""

from collections.abc import Iterator

import numpy as np

from benchmarks.clock import in_turn, ratio
from benchmarks.clusters import clusters
from benchmarks.figure import Bar, Figure, Result, Run
from benchmarks.figures.latency import BUDGET, FEATURES, GAMMA, Learner
from benchmarks.figures.latency import river as peers
from benchmarks.figures.merging import merging


def natives(X: np.ndarray, y: np.ndarray) -> list[Learner]:
    from kernelstream.river import KernelClassifier

    models = {
        "merging": KernelClassifier(merging(GAMMA, 1e-5, BUDGET), seed=1),
        "the default": KernelClassifier(gamma=GAMMA, budget=BUDGET, seed=1),
    }
    rows, targets = [dict(enumerate(x)) for x in X.tolist()], (y == 1).tolist()
    return [
        Learner(name, model.learn_one, model.predict_one, lambda f, y: f == y, rows, targets, len(X))
        for name, model in models.items()
    ]


def river(run: Run) -> Iterator[Result]:
    X, y = clusters(run.choose(5_000, 2_000), FEATURES, centres=20, spread=0.5)
    turns = run.choose(7, 3)
    try:
        sampler, *_ = peers(X, y)
    except ImportError:
        run.note("River is not installed, so this is left out: pip install river")
        return
    run.tell(f"{sampler.name} alone")
    theirs = sampler.accuracy()
    for us in natives(X, y):
        run.tell(f"{us.name} and {sampler.name}, in turn")
        accuracy = us.accuracy()
        sides = {"ours": us.learning, "theirs": sampler.learning, "predict": us.predicting}
        times = in_turn(sides | {"their predict": sampler.predicting}, turns)
        for what, own, other in (("learn_one", "ours", "theirs"), ("predict_one", "predict", "their predict")):
            yield Result(
                f"River {what} of {us.name}, against RBFSampler ({accuracy:.1f} %, {theirs:.1f} %)",
                1e6 * float(np.median(times[own])), 1e6 * float(np.median(times[other])), "µs",
                ratio(times[other], times[own]), Bar(low=20.0) if what == "learn_one" else None,
                also=accuracy >= theirs,
                details={"accuracy": accuracy, "reference_accuracy": theirs, "examples": len(X)},
            )  # fmt: skip


FIGURES = (Figure("river", "learn_one of the River estimator, against RBFSampler with a linear model", river),)
