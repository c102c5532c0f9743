"""Peers from River, on raw features, with River's default settings and the seed."""

from importlib import import_module
from typing import Any

from benchmarks.streams.learner import Learner, Maker, Task


def river(path: str, seeded: bool = True, **settings: Any) -> Maker:
    """Makes an estimator of River, named as `module.Class`."""

    def make(task: Task) -> Any:
        module, _, name = path.rpartition(".")
        seed = {"seed": task.seed} if seeded else {}
        return getattr(import_module(f"river.{module}"), name)(**settings, **seed)

    return make


def _leveraging_bagging(task: Task) -> Any:
    # River has no default for the model; the paper and MOA have Hoeffding trees
    from river import ensemble, tree

    return ensemble.LeveragingBaggingClassifier(tree.HoeffdingTreeClassifier(), seed=task.seed)


def _mean(task: Task) -> Any:
    from river import dummy, stats

    return dummy.StatisticRegressor(stats.Mean())


ARF, SRP = "ARF", "SRP"
BASELINES = ("last-label", "majority", "mean")  # those that do not look at the features

PEERS = (
    Learner(
        ARF, "adaptive random forest, 10 trees",
        river("forest.ARFClassifier", n_models=10), river("forest.ARFRegressor", n_models=10),
    ),
    Learner(SRP, "streaming random patches, 10 models", river("ensemble.SRPClassifier", n_models=10)),
    Learner("LevBag", "leveraging bagging of 10 Hoeffding trees", _leveraging_bagging),
    Learner(
        "HAT", "Hoeffding adaptive tree",
        river("tree.HoeffdingAdaptiveTreeClassifier"), river("tree.HoeffdingAdaptiveTreeRegressor"),
    ),
    Learner("HT", "Hoeffding tree", river("tree.HoeffdingTreeClassifier", seeded=False)),
    Learner("last-label", "repeats the last label", river("dummy.NoChangeClassifier", seeded=False)),
    Learner("majority", "the frequencies of the labels so far", river("dummy.PriorClassifier", seeded=False)),
    Learner("mean", "the mean so far", None, _mean),
)  # fmt: skip
