"""The scores of an exported model, computed in Python."""

from typing import Any

import numpy as np
from scipy.sparse import issparse

from .c.int8_tables import quantized, rounded_rows
from .exported_function import KernelExpansion
from .portable_model import portable


def deployed_scores(estimator: Any, dtype: str, X: Any) -> np.ndarray:
    """What tables of this type give for rows of features: (n, outputs). Rows are rounded as the tables are."""
    source = portable(estimator)
    rows = source.rows.features(np.asarray(X.toarray() if issparse(X) else X, np.float64))
    if dtype != "int8":
        return source.function.at(rows, np.float64)
    if isinstance(source.function, KernelExpansion):
        rows = rounded_rows(rows, source.function)
    return quantized(source.function).at(rows, np.float64)
