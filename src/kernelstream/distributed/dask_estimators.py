"""Estimators that train on Dask collections."""

import os
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.utils.validation import check_is_fitted

from ..estimators import KernelClassifier, KernelRegressor
from .dask_backend import DaskBackend, connected, map_method, partitions_of
from .rounds import train


class DaskKernelEstimator(BaseEstimator):
    """What classifier and regressor share."""

    estimator_: Any
    merge_errors_: np.ndarray

    def __init__(
        self,
        estimator: Any = None,
        *,
        rounds: int = 2,
        fan_in: int = 8,
        client: Any = None,
        progress: bool = False,
        checkpoint: str | os.PathLike[str] | None = None,
    ):
        self.estimator = estimator
        self.rounds = rounds
        self.fan_in = fan_in
        self.client = client
        self.progress = progress
        self.checkpoint = checkpoint

    def fit(self, X: Any, y: Any) -> Self:
        """Train on a Dask array or data frame with the same partitions as y.

        A partition is loaded when a task needs it, once per round and per pass of the refit, and then released. If the
        cluster has enough memory, `persist` X and y first.
        """
        chosen = self._chosen()
        for name, least in (("rounds", 1), ("fan_in", 2)):
            value = getattr(self, name)
            if not (isinstance(value, (int, np.integer)) and value >= least):
                raise ValueError(f"{name} must be an integer of at least {least}, not {value!r}.")
        partitions = partitions_of(X, y)
        with connected(self.client) as client:
            backend = DaskBackend(client, partitions, self.fan_in, self.progress)
            found = train(chosen, backend, self.rounds, self.checkpoint)
        self.estimator_, self.merge_errors_ = found.estimator, np.array(found.bounds)
        return self

    def predict(self, X: Any) -> Any:
        """Predictions: a lazy Dask array for a Dask collection, else an array."""
        return self._mapped("predict", X)

    def _chosen(self) -> Any:
        """The estimator to train, or a ValueError if it is of the wrong kind."""
        raise NotImplementedError

    def _nothing(self, method: str) -> np.ndarray:
        """The result of the method for no rows: its dtype and width."""
        raise NotImplementedError

    def _mapped(self, method: str, X: Any) -> Any:
        check_is_fitted(self, "estimator_")
        return map_method(getattr(self.estimator_, method), X, self._nothing(method))


class DaskKernelClassifier(ClassifierMixin, DaskKernelEstimator):
    """A `KernelClassifier` trained on the partitions of a Dask array or data frame, on all workers at once.

    In every round each partition is learned separately, then a tree of merges (`kernelstream.merge`) makes one model,
    which starts the next round. If the recipe has a refit, as the default has, the coefficients of the merged model are
    then fitted to all rows, by passes that add up gradients over the cluster. The result depends only on the data, its
    partitions and `random_state`, not on the number or order of workers or on workers that die.

    Parameters
    ----------
    estimator : KernelClassifier or None
        The estimator to train; its `epochs` are ignored, as a round is one pass. None is `KernelClassifier()`.
    rounds : int
        Rounds of learning and merging. Two are enough for about ten partitions; with more partitions, more rounds help.
    fan_in : int
        How many models are merged at once. More is slower, but takes fewer merges, so less is lost.
    client : distributed.Client or None
        The cluster. None is this process's current client, or else a cluster on this machine while `fit` runs; a script
        then needs ``if __name__ == "__main__":``.
    progress : bool
        Show Dask's progress bar for every step. (Its dashboard shows them in any case.)
    checkpoint : str, path or None
        A folder for the result of every step. If this process ends early, the same `fit` continues after the last step
        that was done and ends with the same model, bit for bit. The folder of another run is refused.

    Attributes
    ----------
    estimator_ : KernelClassifier
        The result, an ordinary estimator.
    merge_errors_ : array of shape (rounds,)
        For each round, a bound on ‖f_mean − f_merged‖, where f_mean is the mean of all partitions' functions.
    classes_ : array
        The sorted labels.

    Notes
    -----
    One row in twenty, but about 2048 at most, is held out: it validates the refit and calibrates probabilities.
    """

    def _chosen(self) -> KernelClassifier:
        return _of_kind(self.estimator, KernelClassifier)

    def _nothing(self, method: str) -> np.ndarray:
        if method == "predict":
            return self.classes_[:0]
        count = len(self.classes_)
        return np.zeros((0, count)) if method == "predict_proba" or count > 2 else np.zeros(0)

    @property
    def classes_(self) -> np.ndarray:
        check_is_fitted(self, "estimator_")
        classes: np.ndarray = self.estimator_.classes_
        return classes

    def predict_proba(self, X: Any) -> Any:
        """Probabilities, (n, classes)."""
        return self._mapped("predict_proba", X)

    def decision_function(self, X: Any) -> Any:
        """Scores: (n,) for two classes, (n, classes) for more."""
        return self._mapped("decision_function", X)


class DaskKernelRegressor(RegressorMixin, DaskKernelEstimator):
    """A `KernelRegressor` trained on the partitions of a Dask array or data frame, on all workers at once.

    Parameters and attributes are those of `DaskKernelClassifier`. The scale of targets is estimated from a sample of
    every partition.

    Parameters
    ----------
    estimator : KernelRegressor or None, default None
        What to train; None is `KernelRegressor()`. It stays as it is.
    rounds : int, default 2
        Rounds of learning and merging.
    fan_in : int, default 8
        Models that are merged at a time.
    client : distributed.Client or None, default None
        The cluster; None is the current client, or a cluster on this machine while `fit` runs.
    progress : bool, default False
        Whether to show Dask's progress bars.
    checkpoint : str, path or None, default None
        A folder from which an interrupted `fit` continues.
    """

    def _chosen(self) -> KernelRegressor:
        return _of_kind(self.estimator, KernelRegressor)

    def _nothing(self, method: str) -> np.ndarray:
        own = self.estimator_
        return np.zeros(0) if own.target_ndim_ == 1 else np.zeros((0, own.model_.n_outputs))


def _of_kind(estimator: Any, kind: Any) -> Any:
    if estimator is None:
        return kind()
    if not isinstance(estimator, kind):
        raise ValueError(f"estimator must be a {kind.__name__} or None, not {estimator!r}.")
    return estimator
