"""scikit-learn estimators: `KernelClassifier` and `KernelRegressor`."""

from .classifier import KernelClassifier
from .fitted import model_of
from .regressor import KernelRegressor
from .relevance import feature_relevance

__all__ = ["KernelClassifier", "KernelRegressor", "feature_relevance", "model_of"]
