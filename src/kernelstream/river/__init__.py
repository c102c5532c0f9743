"""River estimators: one example at a time, with features and classes that may appear at any time."""

try:
    import river as _river  # noqa: F401
except ImportError as error:
    raise ImportError("kernelstream.river needs River: pip install 'kernelstream[river]'") from error

from .classifier import KernelClassifier
from .regressor import KernelRegressor

__all__ = ["KernelClassifier", "KernelRegressor"]
