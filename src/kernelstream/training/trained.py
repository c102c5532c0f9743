"""A model with all that it needs to take rows as files have them."""

import os
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from ..files import read, save
from ..prepare import Preparation, Refuse, Target, target_from_dict
from ..readers import Block, Place, Rows, Schema
from .curve import Curve
from .learner import Estimator
from .settings import Settings

_KEY = "training"  # under which all this stands among a file's extras


@dataclass
class Position:
    """How far a run has come: what is needed to go on as if it had never stopped."""

    sources: list[str]
    place: Place = field(default_factory=Place)
    epoch: int = 0
    taken: int = 0  #: rows of this pass
    bad: int = 0  #: lines left out,
    first_bad: list[str] | None = None  #: and the first few of them
    finished: bool = False

    def as_dict(self) -> dict[str, Any]:
        return vars(self) | {"place": list(self.place), "first_bad": list(self.first_bad or [])}

    @classmethod
    def from_dict(cls, saved: dict[str, Any]) -> "Position":
        return cls(**saved | {"place": Place(*saved["place"])})


@dataclass
class Trained:
    """Estimator, preparation of rows, meaning of targets, and the story of the run."""

    settings: Settings
    schema: Schema
    preparation: Preparation
    target: Target
    estimator: Estimator
    curve: Curve
    position: Position

    def usable(self, block: Block, refuse: Refuse, *, learn: bool) -> tuple[Block, Any, np.ndarray]:
        """The rows whose targets and features can be used; they as a matrix; their targets."""
        assert block.target is not None
        wrong = self.target.read(block.target)[1]
        if wrong:
            where = "label" if self.schema.pairs else f"column {self.schema.target!r}"
            block = refuse(block, np.array(sorted(wrong)), [(where, wrong[row]) for row in sorted(wrong)])
        block, X = self.preparation.rows(block, refuse, self.settings.dtype, learn=learn)
        assert block.target is not None
        return block, X, self.target.read(block.target)[0]

    def learn(self, block: Block, refuse: Refuse, *, test: bool) -> int:
        """Test, then train; how many rows could be used."""
        block, X, y = self.usable(block, refuse, learn=True)
        if len(block):
            if self.preparation.width > self.estimator.n_features_in_:
                self.estimator.widen(self.preparation.width)
            if test:
                self.curve.test(y, self.estimator.predict(X))
            self.estimator.partial_fit(X, y)
        model = self.estimator.model_
        self.curve.learned(len(block), model.n_support, model.nbytes)
        return len(block)

    def features(self, block: Block, refuse: Refuse) -> tuple[Block, Any]:
        """Rows to predict, as they are and as a matrix."""
        return self.preparation.rows(block, refuse, self.settings.dtype)

    def save(self, path: str | os.PathLike[str]) -> None:
        """To a model file, whose extras have the rest."""
        extra = {
            "settings": self.settings.as_dict(),
            "schema": {name: list(v) if isinstance(v, tuple) else v for name, v in self.schema.as_dict().items()},
            "preparation": self.preparation.as_dict(),
            "target": self.target.as_dict(),
            "curve": self.curve.as_dict(),
            "position": self.position.as_dict(),
        }
        save(self.estimator, path, extra={_KEY: extra})

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> "Trained":
        """From a file that `save` wrote."""
        model, about = read(path)
        return cls.of(model, about.extra, os.fspath(path))

    @classmethod
    def of(cls, estimator: Any, extra: dict[str, Any], name: Any) -> "Trained":
        if _KEY not in extra:
            raise ValueError(
                f"{name} was not written by `kernelstream train`: it does not say which columns the model takes, and "
                "how they are scaled. Use it from Python: kernelstream.load."
            )
        saved = extra[_KEY]
        schema = Schema.from_dict(saved["schema"])
        return cls(
            Settings.from_dict(saved["settings"]),
            schema,
            Preparation.from_dict(saved["preparation"], schema),
            target_from_dict(saved["target"]),
            estimator,
            Curve.from_dict(saved["curve"]),
            Position.from_dict(saved["position"]),
        )

    def mark(self, rows: Rows, taken: int) -> None:
        """Remember that rows up to here have been taken and dealt with."""
        policy = rows.policy
        self.position = replace(
            self.position, place=rows.place, taken=self.position.taken + taken, bad=policy.count,
            first_bad=list(policy.first),
        )  # fmt: skip
