"""scikit-learn estimators: a recipe, a stream, and labels or numbers as scikit-learn has them."""

from .classifier import KernelClassifier
from .fitted import model_of
from .regressor import KernelRegressor

__all__ = ["KernelClassifier", "KernelRegressor", "model_of"]
