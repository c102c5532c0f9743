"""kernelstream with default settings, as a single model, behind River's scaler, and with a half-life."""

from typing import Any

from benchmarks.streams.learner import Learner, Task

HALF_LIFE = 1_000
VERSIONS = ("kernelstream", "source", "river")


def _scaled(estimator: Any) -> Any:
    from river.preprocessing import StandardScaler

    return StandardScaler() | estimator


def classifier(task: Task, **settings: Any) -> Any:
    from kernelstream.river import KernelClassifier

    return KernelClassifier(seed=task.seed, **settings)


def regressor(task: Task, **settings: Any) -> Any:
    from kernelstream.river import KernelRegressor

    return KernelRegressor(seed=task.seed, **settings)


def single(task: Task) -> Any:
    return classifier(task, adapt=False)


MAIN = "kernelstream"  # the one that is judged

OURS = (
    Learner(
        MAIN, "KernelClassifier or KernelRegressor, told nothing but a seed", classifier, regressor, True,
        versions=VERSIONS,
    ),
    Learner("ks-single", "the classifier with adapt=False", single, regressor, True, versions=VERSIONS),
    Learner(
        "ks-scaler", "the default behind River's StandardScaler",
        lambda task: _scaled(classifier(task)), lambda task: _scaled(regressor(task)), True, versions=VERSIONS,
    ),
    Learner(
        "ks-half-life", f"a single model with half_life={HALF_LIFE}",
        lambda task: classifier(task, half_life=HALF_LIFE),
        lambda task: regressor(task, half_life=HALF_LIFE), True, versions=VERSIONS,
    ),
)  # fmt: skip
