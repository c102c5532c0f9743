"""Attributes of a fitted estimator that come from its model."""

import copy
from typing import Any, Self

import numpy as np
from sklearn.utils.validation import check_is_fitted

from ..model import Model, Record, relevance
from ..tracking import AdaptiveModel, DriftEvent
from ..tracking.adaptive_record import AdaptiveRecord
from .parameters import Parameters


def model_of(estimator: Any) -> Any:
    """The model of a fitted estimator, or a model itself; scikit-learn's NotFittedError if there is none.

    Parameters
    ----------
    estimator : KernelClassifier, KernelRegressor or Model
        The fitted estimator, or the model itself.
    """
    if isinstance(estimator, Model | AdaptiveModel):
        return estimator
    check_is_fitted(estimator, "model_")
    return estimator.model_


def single_model_of(estimator: Any, what: str) -> Model:
    """The same, if it is a single model; an AttributeError, which says what is wanted of it, if it is a mixture."""
    model = model_of(estimator)
    if not isinstance(model, Model):
        raise AttributeError(
            f"{what}: the stream was learned by several models and tables, whose mixture is no single function. "
            "With adapt=False it is learned by a single model; `fit` does that too."
        )
    return model


class Fitted(Parameters):
    """Attributes read from `model_`."""

    model_: Model | AdaptiveModel

    @property
    def support_vectors_(self) -> np.ndarray:
        """Support vectors of the function that predicts, (n_support_, features)."""
        return single_model_of(self, "support_vectors_").function.support_vectors

    @property
    def dual_coef_(self) -> np.ndarray:
        """Their coefficients, (outputs, n_support_)."""
        return single_model_of(self, "dual_coef_").function.coefficients.T

    @property
    def n_support_(self) -> int:
        """The number of support vectors that predict; a mean of iterates has more than the last iterate. Those of all
        models, if several learn a stream."""
        model = model_of(self)
        return len(model.function.coefficients) if isinstance(model, Model) else model.n_support

    @property
    def gamma_(self) -> float:
        """The kernel's gamma, in the units of the model; of a kernel that has one."""
        return float(single_model_of(self, "gamma_").recipe.kernel.parameters()["gamma"])

    @property
    def lam_(self) -> float:
        """λ, of a recipe that has one."""
        return float(single_model_of(self, "lam_").recipe.step.parameters()["lam"])

    @property
    def feature_relevance_(self) -> np.ndarray:
        """How much each feature matters to the predictions: (features,), sums to 1. See `feature_relevance`.

        It is averaged over the support vectors and computed whenever it is read. A basis of random features has none,
        so this attribute is absent then. If several models learn a stream, it is the share of each feature in the
        variation of what the tables say, over about the last thousand rows.
        """
        model = model_of(self)
        if isinstance(model, AdaptiveModel):
            return model.relevance
        try:
            return self._by_feature(relevance(model))
        except ValueError as error:
            raise AttributeError(str(error)) from None

    def _by_feature(self, values: np.ndarray) -> np.ndarray:
        """What the model's features have, for those of the data."""
        found = getattr(self, "feature_map_", None)
        return values if found is None else found.by_feature(values)

    @property
    def drift_(self) -> list[DriftEvent]:
        """Changes of the error rate of a stream that chance does not explain: when, how large, and what was done. The
        latest thousand; none if a single model learns."""
        model = model_of(self)
        return model.drift if isinstance(model, AdaptiveModel) else []

    @property
    def record_(self) -> Record | AdaptiveRecord:
        """Statistics of the run: updates, losses, support vectors over time, budget maintenance and its cost."""
        found: Record | AdaptiveRecord = model_of(self).record
        return found

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
        try:
            model = single_model_of(self, "compress")
        except AttributeError as error:
            raise ValueError(str(error)) from None
        smaller = copy.copy(self)
        smaller.model_ = model.compress(budget, tolerance)
        return smaller
