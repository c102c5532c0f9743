"""A trained model together with the preparation of its rows: from raw rows to predictions."""

import os
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from ..estimators import KernelClassifier
from ..prepare import ClassTarget, Preparation, RefuseRows, Target, target_from_dict
from ..readers import RowBlock, RowReader, Schema, ShuffledReader
from ..readers.blocks import Column
from ..saving import Saved, read, save
from ..saving.load_model import PIPELINE as KEY
from .curve import Curve
from .on_raw_rows import OnRawRows
from .position import Position
from .same_input import with_digests
from .settings import Estimator, Settings


@dataclass
class Intake:
    """Raw rows to matrices: columns, preparation of the features, encoding of the targets."""

    schema: Schema
    preparation: Preparation
    target: Target
    dtype: str
    notes: list[str] = field(default_factory=list)  #: sentences about columns that are not used as they are
    warnings: list[str] = field(default_factory=list)  #: about columns that may mislead
    grows: bool = True  #: whether new categories, and missing values of other columns, get columns of their own

    def usable(self, block: RowBlock, refuse: RefuseRows, *, learn: bool) -> tuple[RowBlock, Any, np.ndarray]:
        """The rows with valid targets and features, their feature matrix, and their targets."""
        assert block.target is not None
        if learn:
            self.target.learn(block)
        wrong = self.target.read(block.target)[1]
        if wrong:
            places = [(self._place(block.target, row), wrong[row]) for row in sorted(wrong)]
            block = refuse(block, np.array(sorted(wrong)), places)
        if block.weight is not None and not (block.weight >= 0.0).all():  # or missing
            bad = np.flatnonzero(~(block.weight >= 0.0))
            why = "the weight is missing or negative."
            block = refuse(block, bad, [(f"column {self.schema.weight!r}", why)] * len(bad))
        block, X = self.preparation.rows(block, refuse, self.dtype, learn=learn and self.grows)
        assert block.target is not None
        return block, X, self.target.read(block.target)[0]

    def _place(self, column: Column, row: int) -> str:
        """Where the target of a row, which is wrong, stands."""
        if self.schema.pairs:
            return "label"
        wrong = 0
        if isinstance(column, np.ndarray) and column.ndim == 2:
            wrong = int(np.argmin(np.isfinite(column[row])))
        return f"column {self.schema.targets[wrong]!r}"

    def features(self, block: RowBlock, refuse: RefuseRows) -> tuple[RowBlock, Any]:
        """The rows with valid features, and their feature matrix, to predict."""
        return self.preparation.rows(block, refuse, self.dtype)

    def as_dict(self) -> dict[str, Any]:
        """A dict that JSON can hold."""
        return {
            "schema": {name: list(v) if isinstance(v, tuple) else v for name, v in self.schema._asdict().items()},
            "preparation": self.preparation.as_dict(),
            "target": self.target.as_dict(),
            "dtype": self.dtype,
            "notes": self.notes,
            "warnings": self.warnings,
            "grows": self.grows,
        }

    @classmethod
    def from_dict(cls, saved: dict[str, Any]) -> "Intake":
        schema = Schema.from_dict(saved["schema"])
        preparation = Preparation.from_dict(saved["preparation"], schema)
        return cls(
            schema, preparation, target_from_dict(saved["target"]), saved["dtype"], saved["notes"], saved["warnings"],
            saved["grows"],
        )  # fmt: skip


@dataclass(repr=False)
class StreamPipeline(OnRawRows):
    """A model that takes raw rows: an estimator with its settings, the preparation of its rows, its learning curve and
    the position of its run.

    Raw rows are files, data frames (pandas, polars), Arrow tables, a dict of one row, a list of dicts, or a dict of
    columns. Columns are matched by name, and others are ignored. A cell means what it means in a file.

    Parameters
    ----------
    settings : Settings
        How the model was trained.
    intake : Intake
        The preparation of raw rows: columns, scaling, categories, labels.
    estimator : KernelClassifier or KernelRegressor
        The model. It takes the matrix that `prepare` returns.
    curve : Curve
        The scores over the stream, of predictions before learning.
    position : Position
        How far the run has read its data.

    See Also
    --------
    load : A pipeline from a model file.
    kernelstream.pipeline.Settings : What `train` can be told.
    kernelstream.readers.Options : How files are read.
    KernelClassifier : The estimator inside, for matrices.

    Notes
    -----
    Made by `StreamPipeline.train` or `kernelstream.load`, rarely by hand.

    Examples
    --------
    >>> import numpy as np
    >>> x = np.random.default_rng(0).uniform(-3, 3, 2000).round(2)
    >>> data = {"x": x, "sign": np.where(x > 0, "+", "-")}
    >>> pipeline = StreamPipeline.train(data, target="sign", gamma=4.0, budget=40, scale="none")
    >>> pipeline.predict([{"x": 2}, {"x": "-1.5"}]).tolist(), pipeline.predict({"x": 1.0, "colour": "red"}).tolist()
    (['+', '-'], ['+'])
    >>> pipeline.evaluate({"x": [-2.0, 0.5], "sign": ["-", "-"]}).report()["accuracy"]
    0.5
    """

    settings: Settings
    intake: Intake
    estimator: Estimator  #: takes the matrix that `prepare` returns
    curve: Curve
    position: Position
    lock: Any = field(default_factory=threading.RLock, init=False, compare=False)  #: of a thread that learns or saves

    @classmethod
    def train(
        cls,
        data: Any,
        target: str | Sequence[str] | None = None,
        *,
        path: str | os.PathLike[str] | None = None,
        skip_bad: bool = False,
        watch: Callable[[Any], None] | None = None,
        **settings: Any,
    ) -> "StreamPipeline":
        """Train as `kernelstream train` does, with the same defaults.

        Parameters
        ----------
        data : str, path, list of these, or rows in memory
            Files, patterns, folders, or "-" for standard input; or a data frame and the like, which are read as a CSV
            file of them would be.
        target : str, list of str, or None
            Name or position of the column to predict; None is that named target, label, class or y. Several columns,
            for regression, are predicted together, by one set of support vectors.
        path : str, path or None
            Where to save the model, at the end and if the run is interrupted.
        skip_bad : bool
            Skip bad rows.
        watch : function or None
            Gets a `TrainingProgress` after every batch.
        settings
            Fields of `Settings` and of `readers.Options`, such as task="regression" or ignore=("id",); anything else is
            a parameter of the recipe, such as budget=500 or gamma=0.1.
        """
        from .train_pipeline import train_pipeline

        return train_pipeline(data, target, path, skip_bad, watch, settings)

    def learn_block(self, block: RowBlock, refuse: RefuseRows, *, test: bool) -> None:
        """Learn a block of raw rows; with `test`, predict it first and add the result to the curve."""
        block, X, y = self.intake.usable(block, refuse, learn=True)
        if len(block):
            add_classes(self.estimator, self.intake.target)
            learn(self.estimator, self.curve, X, y, test=test, weights=block.weight)

    def mark(self, rows: RowReader | ShuffledReader, taken: int) -> None:
        """Record that `taken` more rows have been read and learned."""
        policy, position = rows.policy, self.position
        if isinstance(rows, RowReader):
            position = replace(position, digests=with_digests(position, rows.stream, rows.position.file))
        self.position = replace(
            position, taken=position.taken + taken, bad=policy.count, first_bad=list(policy.first), **rows.where()
        )

    def save(self, path: str | os.PathLike[str], *, extra: dict[str, Any] | None = None) -> None:
        """Write a model file; everything but the estimator goes into its `extra`, beside that of the caller."""
        with self.lock:
            self._save(path, extra or {})

    def _save(self, path: str | os.PathLike[str], extra: dict[str, Any]) -> None:
        own = {
            "settings": self.settings.as_dict(),
            "intake": self.intake.as_dict(),
            "curve": self.curve.as_dict(),
            "position": self.position.as_dict(),
        }
        save(self.estimator, path, extra={**extra, KEY: own})

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> "StreamPipeline":
        """Read a model file that `save` wrote."""
        return cls.restored(read(path), os.fspath(path))

    @classmethod
    def restored(cls, found: Saved, name: str) -> "StreamPipeline":
        """The pipeline in a model file that has been read; `name` is that of the file."""
        estimator, about = found
        if KEY not in about.extra:
            raise ValueError(
                f"{name!s} was not written by `kernelstream train`: it does not contain the model's columns "
                "and their scaling. Use it from Python: kernelstream.load."
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
                f"{name!s} was written by kernelstream {about.version}; this version cannot read its "
                f"columns and scaling ({error!r})."
            ) from None


def add_classes(estimator: Estimator, target: Target) -> None:
    """Let an estimator learn labels that have come up in the stream."""
    if not isinstance(target, ClassTarget) or not isinstance(estimator, KernelClassifier):
        return
    if len(target.classes) > len(estimator.classes_):
        estimator.add_classes(target.classes[len(estimator.classes_) :])


def learn(estimator: Estimator, curve: Curve, X: Any, y: Any, *, test: bool, weights: np.ndarray | None = None) -> None:
    """Learn one batch; with `test`, predict it first and add the result to the curve. If the batch is invalid,
    estimator and curve stay unchanged."""
    before = curve.now
    try:
        if X.shape[1] > estimator.n_features_in_:
            estimator.add_features(X.shape[1])
        if test:
            # which has been initialized
            predicted = estimator.predict_then_learn(X, y, weights)
            curve.test(y, predicted, weights)
        else:
            estimator.partial_fit(X, y, sample_weight=weights)
    except ValueError:
        curve.now = before
        raise
    curve.learned(len(y), estimator.model_.n_support, estimator.model_.nbytes, y)
