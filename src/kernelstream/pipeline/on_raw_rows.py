"""Predictions, learning and scores of raw rows in memory."""

import copy
import sys
from abc import ABC, abstractmethod
from collections.abc import Callable
from html import escape
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from ..evaluate.reports import ClassificationScores, RegressionScores
from ..prepare import ClassTarget, RefuseRows
from ..readers import RowBlock, RowReader
from ..readers.schema import listed
from .curve import Curve
from .raw_rows import read_rows
from .settings import Estimator, Settings

if TYPE_CHECKING:
    from .stream_pipeline import Intake

PORTION = 4096  # rows predicted at a time


class OnRawRows(ABC):
    """The methods of a `StreamPipeline` that take raw rows. An invalid row is a ValueError that names row and column;
    nothing is learned from the call then. Threads may call these methods as they may those of the estimator."""

    settings: Settings
    intake: "Intake"
    estimator: Estimator
    curve: Curve
    lock: Any  #: held by a thread that learns or saves

    @property
    def columns(self) -> list[str]:
        """The columns that rows must have; numbers from 1 if the data had no names."""
        return list(self.intake.schema.features)

    @property
    def targets(self) -> tuple[str, ...]:
        """The columns that are predicted: one, or several for regression."""
        return self.intake.schema.targets

    @property
    def feature_names(self) -> list[str]:
        """The column that each column of the prepared matrix is made of."""
        return list(self.intake.preparation.columns)

    @property
    def classes_(self) -> np.ndarray:
        """The labels, in the order of `predict_proba`; regression has none."""
        return self.estimator.classes_

    def prepare(self, rows: Any) -> Any:
        """The matrix that the estimator takes: missing values filled, numbers scaled, categories as one-hot columns."""
        from scipy.sparse import issparse, vstack

        reader, found = self._read(rows, target=False), list[Any]()
        while (block := reader.take(PORTION)) is not None:
            found.append(self._matrix(block, reader.refuse))
        if len(found) == 1:
            return found[0]
        if not found:
            return np.empty((0, self.estimator.n_features_in_), self.intake.dtype)
        return vstack(found, format="csr") if issparse(found[0]) else np.concatenate(found)

    def predict(self, rows: Any) -> np.ndarray:
        """The label or value of each row, or its values, (n, targets), if there are several targets: what `kernelstream
        predict` writes for the same rows."""
        return self._each("predict", rows)

    def predict_proba(self, rows: Any) -> np.ndarray:
        """The probability of each class, (n, classes)."""
        return self._each("predict_proba", rows)

    def decision_function(self, rows: Any) -> np.ndarray:
        """Scores: (n,) for two classes, (n, classes) for more."""
        return self._each("decision_function", rows)

    def predict_interval(self, rows: Any, coverage: float = 0.9) -> np.ndarray:
        """Lower and upper ends of intervals that contain the target with this probability, (n, 2); for
        regression. With several targets it is (n, targets, 2)."""
        return self._each("predict_interval", rows, coverage)

    def learn(self, rows: Any, targets: Any = None) -> Self:
        """Learn rows with their targets, in order; each batch is predicted before it is learned, which adds to `curve`.
        The same as `kernelstream train --resume MODEL --new-data` on a file of these rows, read in order.

        Parameters
        ----------
        rows
            Raw rows with the target column.
        targets : array or None
            The target column, if the rows are without it.
        """
        from threadpoolctl import threadpool_limits

        from .train_pipeline import as_sources
        from .training import batch_size

        if as_sources(rows) is not None:
            raise ValueError(
                f"learn takes rows in memory, not the file {rows!r}. For files: kernelstream train --resume MODEL "
                "--new-data FILES, or pipeline.Training.resume(model, files, new=True)."
            )
        reader = read_rows(self.intake, rows, targets, target=True, weight=True)
        block = reader.take(sys.maxsize)
        if block is None:
            return self
        at = 0
        with self.lock, threadpool_limits(1, "blas"):  # on one thread as in `run`
            copy.deepcopy(self.intake).usable(
                block, reader.refuse, learn=True
            )  # an error comes before anything is learned
            while at < len(block):
                batch = block.take(slice(at, at + batch_size(self.curve.now.examples)))
                self.learn_block(batch, reader.refuse, test=True)
                at += len(batch)
        return self

    def evaluate(self, data: Any, targets: Any = None) -> ClassificationScores | RegressionScores:
        """Scores on rows with their targets: accuracy, recall and precision, or errors. Nothing is learned.

        Parameters
        ----------
        data
            Raw rows with the target column, or files: a path or a list of them.
        targets : array or None
            The target column, if the rows are without it.
        """
        from .prediction import evaluated

        return evaluated(self, self._read(data, targets, target=True))

    def _read(self, data: Any, targets: Any = None, *, target: bool) -> RowReader:
        from .prediction import open_rows
        from .train_pipeline import as_sources

        sources = as_sources(data)
        if sources is None:
            return read_rows(self.intake, data, targets, target=target)
        return open_rows(self, sources, {}, target=target, skip_bad=False)

    @abstractmethod
    def learn_block(self, block: RowBlock, refuse: RefuseRows, *, test: bool) -> None:
        """Learn a block of raw rows; with `test`, predict it first and add the result to the curve."""

    def _matrix(self, block: RowBlock, refuse: RefuseRows) -> Any:
        """Categories that the estimator has not learned yet, because another thread is about to, are left out."""
        while True:
            X = self.intake.features(block, refuse)[1]
            width = self.estimator.n_features_in_
            if X.shape[1] >= width:
                return X if X.shape[1] == width else X[:, :width]

    def _each(self, method: str, rows: Any, *more: Any) -> np.ndarray:
        call = getattr(self.estimator, method, None)
        if call is None:
            kind = "classification" if isinstance(self.intake.target, ClassTarget) else "regression"
            raise AttributeError(f"A {kind} model has no {method}.")
        reader, found = self._read(rows, target=False), list[np.ndarray]()
        while (block := reader.take(PORTION)) is not None:
            found.append(self._called(call, block, reader.refuse, *more))
        if not found:  # of the right type and shape
            return call(np.zeros((1, self.estimator.n_features_in_), self.intake.dtype), *more)[:0]
        return found[0] if len(found) == 1 else np.concatenate(found)

    def _called(self, call: Callable[..., np.ndarray], block: RowBlock, refuse: RefuseRows, *more: Any) -> np.ndarray:
        while True:
            X = self._matrix(block, refuse)
            try:
                return call(X, *more)
            except ValueError:
                if X.shape[1] == self.estimator.n_features_in_:
                    raise  # otherwise another thread has learned a new category meanwhile

    def __repr__(self) -> str:
        schema, now = self.intake.schema, self.curve.now
        what = f"{len(self.classes_)} classes" if isinstance(self.intake.target, ClassTarget) else "numbers"
        rows = "index:value pairs" if schema.pairs else f"columns {listed(schema.features, 5)}"
        return (
            f"<StreamPipeline: predicts {listed(schema.targets, 5)} ({what}) from {rows}; {now.examples:,} rows "
            f"learned, {now.support:,} support vectors>"
        )

    def _repr_html_(self) -> str:
        return f"<pre>{escape(repr(self)[1:-1])}</pre>"
