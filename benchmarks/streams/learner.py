"""What a learner is: a name, and how to make a model that knows nothing but a seed."""

import os
import shutil
from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from typing import Any, NamedTuple


class Task(NamedTuple):
    """What may be known beforehand. Only MOA, which cannot do without them, uses the features and labels."""

    seed: int
    features: int
    labels: tuple[int, ...] = ()  #: none in a regression


Maker = Callable[[Task], Any]


class Learner(NamedTuple):
    """A model has River's `predict_proba_one` (or `predict_one`, in a regression) and `learn_one`."""

    name: str
    about: str
    classifier: Maker | None = None
    regressor: Maker | None = None
    ours: bool = False
    needs: tuple[str, ...] = ("river",)  #: packages; "java" is the program
    versions: tuple[str, ...] = ("river",)  #: a stored result is used again only if these are the same

    def maker(self, regression: bool) -> Maker | None:
        return self.regressor if regression else self.classifier


def lacking(learner: Learner) -> str | None:
    """Why a learner cannot run here, as a sentence; None if it can."""
    missing = [name for name in learner.needs if not _present(name)]
    if not missing:
        return None
    return f"{learner.name} is left out: {' and '.join(missing)} {'is' if len(missing) == 1 else 'are'} not installed."


def _present(name: str) -> bool:
    if name == "java":
        return bool(shutil.which("java") or os.environ.get("JAVA_HOME"))
    return find_spec(name) is not None


def imported(name: str) -> Learner:
    """A learner of your own, `module:function`: the function takes a seed and returns a River estimator."""
    module, _, function = name.partition(":")
    make = getattr(import_module(module), function)

    def maker(task: Task) -> Any:
        return make(task.seed)

    classifies = hasattr(make(0), "predict_proba_one")
    return Learner(name, "your own", maker if classifies else None, None if classifies else maker, versions=())
