"""An ONNX file as a format of `deploy=`."""

from typing import Any

import numpy as np

from ..deployed_scores import deployed_scores
from .onnx_model import to_onnx


class OnnxFile:
    """The file of `to_onnx`; it computes in float32 wherever that is precise enough."""

    what = "ONNX file"
    dtypes = ("float32",)

    def nbytes(self, model: Any, dtype: str) -> int:
        return len(to_onnx(model).SerializeToString())

    def scores(self, estimator: Any, dtype: str, X: np.ndarray) -> np.ndarray:
        return deployed_scores(estimator, dtype, X)
