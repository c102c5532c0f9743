"""The relevance of the columns of a file."""

from collections import defaultdict
from typing import Any

from ..estimators import feature_relevance, model_of
from ..prepare import Preparation
from ..tracking import AdaptiveModel


def column_relevance(model: Any, preparation: Preparation | None = None) -> dict[str, float] | None:
    """The relevance of each column to an estimator or a model, the largest first; see `feature_relevance`.

    With the preparation of its rows, the relevance of all one-hot columns of a categorical column is summed; columns
    that are hashed together are one. Without it, columns are features. None if a model has no relevance that can be
    computed without rows of the data: with random features, or gradients too large for float64.

    Parameters
    ----------
    model : KernelClassifier, KernelRegressor or Model
        A fitted estimator, or a model.
    preparation : Preparation or None, default None
        The preparation of its rows.

    Examples
    --------
    >>> from kernelstream import KernelRegressor
    >>> model = KernelRegressor(gamma=1.0, budget=10).fit([[0.0, 1.0], [1.0, 1.0], [2.0, 1.0]], [1.0, 2.0, 3.0])
    >>> column_relevance(model)
    {'feature 0': 1.0, 'feature 1': 0.0}
    """
    inner = model_of(model)
    try:
        relevance = inner.relevance if isinstance(inner, AdaptiveModel) else feature_relevance(model)
    except ValueError:
        return None
    names = getattr(model, "feature_names_in_", [f"feature {i}" for i in range(len(relevance))])
    if preparation is not None:
        names = preparation.columns
    sums: dict[str, float] = defaultdict(float)
    # a checkpoint may have been written between a new category and its first example
    for name, value in zip(names, relevance.tolist(), strict=False):
        sums[str(name)] += value
    return dict(sorted(sums.items(), key=lambda item: -item[1]))
