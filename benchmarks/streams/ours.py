"""kernelstream with default settings: behind River's scaler, on raw features, and with a half-life."""

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


MAIN = "kernelstream"  # the one that is judged

OURS = (
    Learner(
        MAIN, "StandardScaler, then KernelClassifier or KernelRegressor",
        lambda task: _scaled(classifier(task)), lambda task: _scaled(regressor(task)), True, versions=VERSIONS,
    ),
    Learner("ks-raw", "the same without the scaler", classifier, regressor, True, versions=VERSIONS),
    Learner(
        "ks-half-life", f"the same with the scaler and half_life={HALF_LIFE}",
        lambda task: _scaled(classifier(task, half_life=HALF_LIFE)),
        lambda task: _scaled(regressor(task, half_life=HALF_LIFE)), True, versions=VERSIONS,
    ),
)  # fmt: skip
