"""River estimators: dicts of features that come and go, labels that nobody announced, one example at a time."""

try:
    import river as _river  # noqa: F401
except ImportError as error:
    raise ImportError("kernelstream.river needs River: pip install 'kernelstream[river]'") from error

from .classifier import KernelClassifier
from .regressor import KernelRegressor

__all__ = ["KernelClassifier", "KernelRegressor"]
