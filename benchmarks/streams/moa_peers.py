"""MOA's ensembles of 30 trees through CapyMOA, where it and Java are installed.

MOA has to know the features and labels beforehand. Its CPU time includes Java's compiler and garbage collector, which
run in this process; its memory is not measured.
"""

from importlib import import_module
from typing import Any

import numpy as np

from benchmarks.streams.learner import Learner, Maker, Task

MODELS = 30


class MoaClassifier:
    """A CapyMOA classifier that is spoken to like one of River. Features are the numbers from 0."""

    def __init__(self, name: str, task: Task):
        instances, Schema = _instances(), import_module("capymoa.stream").Schema
        self._labels = list(task.labels)
        self._index = {label: i for i, label in enumerate(self._labels)}
        features = [f"x{i}" for i in range(task.features)]
        self._schema = Schema.from_custom(
            [*features, "y"], "y", categories={"y": [str(label) for label in self._labels]}, name="stream"
        )
        self._row, self._labelled = instances.Instance.from_array, instances.LabeledInstance.from_array
        self._model = getattr(import_module("capymoa.classifier"), name)(
            self._schema, random_seed=task.seed, ensemble_size=MODELS
        )

    def predict_proba_one(self, x: dict[int, float]) -> dict[int, float]:
        votes = self._model.predict_proba(self._row(self._schema, np.array(list(x.values()))))
        # MOA's votes end with the last class that has any
        return {} if votes is None else dict(zip(self._labels, np.asarray(votes).tolist(), strict=False))

    def learn_one(self, x: dict[int, float], y: int) -> None:
        self._model.train(self._labelled(self._schema, np.array(list(x.values())), self._index[y]))


def _instances() -> Any:
    """The module of instances, which older versions call `capymoa.instance`."""
    try:
        return import_module("capymoa.core")
    except ModuleNotFoundError:
        return import_module("capymoa.instance")


def _moa(name: str) -> Maker:
    def make(task: Task) -> Any:
        return MoaClassifier(name, task)

    return make


NEEDS = ("capymoa", "java")

MOA = (
    Learner(
        "MOA-ARF", f"MOA's adaptive random forest, {MODELS} trees", _moa("AdaptiveRandomForestClassifier"),
        needs=NEEDS, versions=("capymoa",),
    ),
    Learner(
        "MOA-SRP", f"MOA's streaming random patches, {MODELS} models", _moa("StreamingRandomPatches"),
        needs=NEEDS, versions=("capymoa",),
    ),
)  # fmt: skip
