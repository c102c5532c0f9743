"""scikit-learn estimators: `KernelClassifier` and `KernelRegressor`."""

from .classifier import KernelClassifier
from .fitted import model_of
from .regressor import KernelRegressor

__all__ = ["KernelClassifier", "KernelRegressor", "model_of"]
