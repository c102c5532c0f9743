"""Estimators for collections of Dask."""

from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.utils.validation import check_is_fitted

from ..estimators import KernelClassifier, KernelRegressor
from .collections import mapped, parts_of
from .rounds import train
from .workers import DaskWorkers, connected


class DaskKernelEstimator(BaseEstimator):
    """What both have in common."""

    estimator_: Any
    merge_errors_: np.ndarray

    def __init__(
        self, estimator: Any = None, *, rounds: int = 2, fan_in: int = 8, client: Any = None, progress: bool = False
    ):
        self.estimator = estimator
        self.rounds = rounds
        self.fan_in = fan_in
        self.client = client
        self.progress = progress

    def fit(self, X: Any, y: Any) -> Self:
        """Learn from an array or data frame of Dask, whose partitions are those of y.

        A partition is loaded when a task needs it, once for each round and each pass of the refit, and then forgotten.
        If the cluster has the memory, `persist` X and y first.
        """
        chosen = self._chosen()
        for name, least in (("rounds", 1), ("fan_in", 2)):
            value = getattr(self, name)
            if not (isinstance(value, (int, np.integer)) and value >= least):
                raise ValueError(f"{name} must be a whole number of at least {least}, not {value!r}.")
        parts = parts_of(X, y)
        with connected(self.client) as client:
            found = train(chosen, DaskWorkers(client, parts, self.fan_in, self.progress), self.rounds)
        self.estimator_, self.merge_errors_ = found.estimator, np.array(found.bounds)
        return self

    def predict(self, X: Any) -> Any:
        """Predictions: a lazy array of Dask for a collection of Dask, an array for anything else."""
        return self._mapped("predict", X)

    def _chosen(self) -> Any:
        """What learns, or a ValueError if it is not of the right kind."""
        raise NotImplementedError

    def _nothing(self, method: str) -> np.ndarray:
        """What the method returns for no rows: the dtype and width of its results."""
        raise NotImplementedError

    def _mapped(self, method: str, X: Any) -> Any:
        check_is_fitted(self, "estimator_")
        return mapped(getattr(self.estimator_, method), X, self._nothing(method))


class DaskKernelClassifier(ClassifierMixin, DaskKernelEstimator):
    """A `KernelClassifier` that learns from the partitions of a Dask array or data frame, on all workers at once.

    Every partition is learned apart, then a tree of merges (`kernelstream.merge`) makes one model, which is the start
    of the next round. Last, if the recipe has a refit, as the default has, the merged model's coefficients are fitted
    to all rows by passes that add up gradients over the cluster. The result depends on data, partitions and
    `random_state`, and on nothing else: not on the number of workers, nor on their order, nor on some of them dying.

    Parameters
    ----------
    estimator : KernelClassifier or None
        What learns; its `epochs` count as 1, a round being a pass. None is `KernelClassifier()`.
    rounds : int
        How often the merged model goes out again. Two are enough for some ten partitions, more partitions gain by more.
    fan_in : int
        How many models are merged at once. More is slower, with fewer merges in all and so less that is lost.
    client : distributed.Client or None
        The cluster. None is the client of this process, or else a cluster on this machine while `fit` runs, for which a
        script needs ``if __name__ == "__main__":``.
    progress : bool
        Let Dask draw a progress bar for every step. (Its dashboard shows them in any case.)

    Attributes
    ----------
    estimator_ : KernelClassifier
        The result. It predicts, learns on and is saved as any other.
    merge_errors_ : array of shape (rounds,)
        A bound on ‖f_mean − f_merged‖ of each round, f_mean the mean of all partitions' functions.
    classes_ : array
        The labels in order.

    Notes
    -----
    One row in twenty, and not much more than 2048 in all, is never learned: it judges the refit and calibrates
    probabilities.
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
    """A `KernelRegressor` that learns from the partitions of a Dask array or data frame, on all workers at once.

    Parameters and attributes are those of `DaskKernelClassifier`. The scale of targets is taken from some rows of every
    partition.
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
