"""`feature_relevance` of an estimator or a model."""

from typing import Any

import numpy as np

from ..model import relevance
from ..tracking import AdaptiveModel
from .base import KernelEstimator
from .fitted import model_of


def feature_relevance(model: Any, X: Any = None) -> np.ndarray:
    """How much each feature matters to the predictions: the average gradient outer product's diagonal, normalised.

    The relevance of feature j is the mean over rows of Σ_c (∂f_c/∂x_j)², where f has one output per class or target,
    times the variance of feature j over the same rows. The variance makes features of different scale comparable: the
    relevance is that of standardised features. (Radhakrishnan et al., Science 2024, without the variance.)

    It says what the model uses, not what causes the target. Features that are correlated share their relevance, and a
    feature that matters only where no rows are has none. `docs/guide/relevance.md` says more.

    Parameters
    ----------
    model : KernelClassifier, KernelRegressor or Model
        Fitted. Targets of several outputs count in standardised units.
    X : array, data frame, sparse matrix or None
        Rows to average over; a few hundred are enough. None takes the support vectors, at most 1,000 of them. They are
        rows of the data, or close to rows, but not a random sample: most are near the class boundaries, and merged ones
        have another spread. A model with random features has none, and needs X.

    Returns
    -------
    Array of shape (features,) that sums to 1; all zeros if the function is constant, or every feature is.

    See Also
    --------
    KernelClassifier : Its `feature_relevance_` is that over the support vectors.
    kernelstream.plot.FeatureRelevanceDisplay : A picture of it.
    kernelstream.model.gradients : With signs, for every row.

    Notes
    -----
    Gradients are exact for the kernels of this library, and for their sums and products. For a kernel of your own they
    are central differences of scores.

    Examples
    --------
    Two features decide, and the third is noise.

    >>> import numpy as np
    >>> from kernelstream import KernelClassifier, feature_relevance
    >>> from kernelstream.datasets import checkerboard
    >>> board, y = checkerboard(5000, seed=1)
    >>> X = np.column_stack([board, np.random.default_rng(0).normal(size=5000, scale=0.3)])
    >>> model = KernelClassifier(gamma=4.0, budget=50, random_state=0).fit(X, y)
    >>> model.feature_relevance_.round(1)
    array([0.5, 0.5, 0. ])
    >>> feature_relevance(model, X).round(1)
    array([0.5, 0.5, 0. ])
    """
    inner, known = model_of(model), getattr(model, "feature_map_", None)
    if X is not None and isinstance(model, KernelEstimator):
        X = model.check_features(X)
        X = X if known is None else known.transform(X)
    if not isinstance(inner, AdaptiveModel):
        found = relevance(inner, X)
        return found if known is None else known.by_feature(found)
    if X is not None:
        raise ValueError(
            "feature_relevance: the stream was learned by several models and tables, which measure relevance over the "
            "rows that they learn: leave X out. With adapt=False it is measured on any rows."
        )
    return inner.relevance
