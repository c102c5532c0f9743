"""The tables of a C header as a format of `deploy=`."""

from typing import Any

import numpy as np

from ..deployed_scores import deployed_scores
from .c_header import assemble


class CTables:
    """Constant tables, in 8 bits or float32."""

    what = "C tables"
    dtypes = ("int8", "float32")

    def nbytes(self, model: Any, dtype: str) -> int:
        return assemble(model, dtype=dtype).table_bytes

    def scores(self, estimator: Any, dtype: str, X: np.ndarray) -> np.ndarray:
        return deployed_scores(estimator, dtype, X)
