"""A model with all that it needs to take rows as files have them."""

import os
from dataclasses import dataclass, field, replace
from typing import Any

from ..evaluate import as_learner
from ..prepare import RefuseRows
from ..readers import FilePosition, RowBlock, RowReader
from ..saving import read, save
from .curve import Curve
from .intake import Intake
from .learner import Estimator
from .settings import Settings

KEY = "training"  # under which all this stands among a file's extras


@dataclass
class Position:
    """How far a run has come: what is needed to go on as if it had never stopped."""

    sources: list[str]
    place: FilePosition = field(default_factory=FilePosition)
    epoch: int = 0
    taken: int = 0  #: rows of this pass
    bad: int = 0  #: lines left out,
    first_bad: list[str] = field(default_factory=list)  #: and the first few of them
    finished: bool = False

    def as_dict(self) -> dict[str, Any]:
        return vars(self) | {"place": list(self.place)}

    @classmethod
    def from_dict(cls, saved: dict[str, Any]) -> "Position":
        return cls(**saved | {"place": FilePosition(*saved["place"])})


@dataclass
class StreamPipeline:
    """Estimator, intake of rows, and the story of the run."""

    settings: Settings
    intake: Intake
    estimator: Estimator
    curve: Curve
    position: Position

    def learn(self, block: RowBlock, refuse: RefuseRows, *, test: bool) -> None:
        """Test, then train."""
        block, X, y = self.intake.usable(block, refuse, learn=True)
        if len(block):
            learn(self.estimator, self.curve, X, y, test=test)

    def mark(self, rows: RowReader, taken: int) -> None:
        """Remember that rows up to here have been taken and dealt with."""
        policy = rows.policy
        self.position = replace(
            self.position, place=rows.position, taken=self.position.taken + taken, bad=policy.count,
            first_bad=list(policy.first),
        )  # fmt: skip

    def save(self, path: str | os.PathLike[str]) -> None:
        """To a model file, whose extras have the rest."""
        extra = {
            "settings": self.settings.as_dict(),
            "intake": self.intake.as_dict(),
            "curve": self.curve.as_dict(),
            "position": self.position.as_dict(),
        }
        save(self.estimator, path, extra={KEY: extra})

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> "StreamPipeline":
        """From a file that `save` wrote."""
        estimator, about = read(path)
        if KEY not in about.extra:
            raise ValueError(
                f"{os.fspath(path)!s} was not written by `kernelstream train`: it does not say which columns the model "
                "takes, and how they are scaled. Use it from Python: kernelstream.load."
            )
        saved: Any = about.extra[KEY]
        model: Any = estimator
        try:
            return cls(
                Settings.from_dict(saved["settings"]),
                Intake.from_dict(saved["intake"]),
                model,
                Curve.from_dict(saved["curve"]),
                Position.from_dict(saved["position"]),
            )
        except (KeyError, TypeError, AttributeError) as error:
            raise ValueError(
                f"{os.fspath(path)!s} was written by kernelstream {about.version}, whose notes on columns and scaling "
                f"this version does not understand ({error!r})."
            ) from None


def learn(estimator: Estimator, curve: Curve, X: Any, y: Any, *, test: bool) -> None:
    """One batch: predict it, count how many are right, learn it. If it cannot be learned, all stays as it was."""
    before = curve.now
    try:
        if X.shape[1] > estimator.n_features_in_:
            estimator.add_features(X.shape[1])
        if test:
            predicted = as_learner(estimator).test_then_train(X, y)
            assert predicted is not None  # it has been initialized
            curve.test(y, predicted)
        else:
            estimator.partial_fit(X, y)
    except ValueError:
        curve.now = before
        raise
    curve.learned(len(y), estimator.model_.n_support, estimator.model_.nbytes)
