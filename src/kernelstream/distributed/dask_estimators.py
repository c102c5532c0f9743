"""Estimators that train on Dask collections."""

import os
import time
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.utils.validation import check_is_fitted

from ..estimators import KernelClassifier, KernelRegressor
from .cost_formula import log_if_one_machine_is_faster
from .dask_backend import DaskBackend, known_rows, map_method, partitions_of
from .dask_cluster import connected
from .training import train


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

        A partition is loaded twice: to be counted and sampled, and to be prepared for the refit; it is then kept by the
        worker that has prepared it. Prepared partitions that would need more than 30 % of the cluster's memory are not
        kept: they are loaded again for every pass, as for every round of a recipe without a refit.
        """
        chosen = self._chosen()
        for name, least in (("rounds", 1), ("fan_in", 2)):
            value = getattr(self, name)
            if not (isinstance(value, (int, np.integer)) and value >= least):
                raise ValueError(f"{name} must be an integer of at least {least}, not {value!r}.")
        partitions = partitions_of(X, y)
        with connected(self.client) as client:
            backend, start = DaskBackend(client, partitions, self.fan_in, self.progress), time.perf_counter()
            found = train(chosen, backend, self.rounds, self.checkpoint, known_rows(X, y))
            workers = max(sum(client.nthreads().values()), 1)
        log_if_one_machine_is_faster(found.rows, workers, len(partitions), time.perf_counter() - start)
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

    If the recipe has a refit, as the default has, a random sample of all partitions, 100 rows per support vector and at
    least 20,000, comes to the client, which fits the estimator to it: scales of features, if they are not given, and
    support vectors. The coefficients are then fitted to all rows, by passes that are sums over partitions. With a
    recipe without a refit, every partition is learned separately, a tree of merges (`kernelstream.merge`) makes one
    model, and that starts the next round. The result depends only on the data, its partitions and `random_state`, not
    on the number or order of workers or on workers that die.

    Parameters
    ----------
    estimator : KernelClassifier or None
        The estimator to train. None is `KernelClassifier()`. `epochs` are passes over the sample.
    rounds : int
        Rounds of learning and merging, for recipes without a refit, in each of which a partition is learned once. With
        more partitions, more rounds help.
    fan_in : int
        How many results of partitions are joined at once: samples, sums, or models, where fewer merges lose less.
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
        For each round, a bound on ‖f_mean − f_merged‖, where f_mean is the mean of all partitions' functions; empty for
        recipes with a refit.
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
