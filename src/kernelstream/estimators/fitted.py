"""Attributes of a fitted estimator that come from its model."""

import copy
from typing import Any, Self

import numpy as np
from sklearn.utils.validation import check_is_fitted

from ..model import Model, Record, relevance
from .parameters import Parameters


def model_of(estimator: Any) -> Model:
    """The model of a fitted estimator, or a model itself; scikit-learn's NotFittedError if there is none."""
    if isinstance(estimator, Model):
        return estimator
    check_is_fitted(estimator, "model_")
    model: Model = estimator.model_
    return model


class Fitted(Parameters):
    """Attributes read from `model_`."""

    model_: Model

    @property
    def support_vectors_(self) -> np.ndarray:
        """Support vectors of the function that predicts, (n_support_, features)."""
        return model_of(self).function.support_vectors

    @property
    def dual_coef_(self) -> np.ndarray:
        """Their coefficients, (outputs, n_support_)."""
        return model_of(self).function.coefficients.T

    @property
    def n_support_(self) -> int:
        """The number of support vectors that predict; a mean of iterates has more than the last iterate."""
        return len(self.support_vectors_)

    @property
    def feature_relevance_(self) -> np.ndarray:
        """How much each feature matters to the predictions: (features,), sums to 1. See `feature_relevance`.

        It is averaged over the support vectors and computed whenever it is read. A basis of random features has none,
        so this attribute is absent then.
        """
        model = model_of(self)
        try:
            return relevance(model)
        except ValueError as error:
            raise AttributeError(str(error)) from None

    @property
    def record_(self) -> Record:
        """Statistics of the run: updates, losses, support vectors over time, budget maintenance and its cost."""
        return model_of(self).record

    @property
    def t_(self) -> int:
        """The number of updates."""
        return self.record_.updates

    def compress(self, budget: int | None = None, tolerance: float | None = None) -> Self:
        """A fitted copy with fewer support vectors, which can go on learning.

        Parameters
        ----------
        budget : int or None
            The number of support vectors to keep.
        tolerance : float or None
            The largest ‖f − f_compressed‖, in the units of the model.

        Returns
        -------
        The copy; this estimator stays as it is.
        """
        smaller = copy.copy(self)
        smaller.model_ = model_of(self).compress(budget, tolerance)
        return smaller
