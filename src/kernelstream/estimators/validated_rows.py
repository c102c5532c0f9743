"""Rows and targets from a user, validated; a ValueError names the row and column and leaves the estimator as it was."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
from scipy.sparse import issparse
from sklearn.utils import Tags
from sklearn.utils.validation import check_consistent_length, validate_data

from ..core.inputs import as_weights, check_finite
from ..core.sparse_input import as_csr
from ..model.targets import check_targets
from ..tuning import FeatureMap
from .fitted import model_of
from .frame_columns import named_columns
from .hooks import Hooks

# finiteness is checked apart, so that the message can name the row
_X = {"accept_sparse": "csr", "ensure_all_finite": False, "dtype": "numeric"}
_Y = {"ensure_2d": False, "ensure_all_finite": False, "dtype": None}
_FLOATS = (np.dtype(np.float64), np.dtype(np.float32))


def sparse_or_not(X: Any) -> Any:
    """X with its sparse indices checked: scikit-learn converts formats, and SciPy would follow wrong indices."""
    return as_csr(X) if issparse(X) else X


def _are_plain(y: Any, rows: int) -> bool:
    """Whether targets are an array that scikit-learn would pass as it is."""
    return type(y) is np.ndarray and y.shape == (rows,) and y.dtype.kind in "biufU"


@contextmanager
def unchanged_on_error(estimator: Any) -> Iterator[None]:
    """Restore the attributes of an estimator if an exception is raised."""
    before = estimator.__dict__.copy()
    try:
        yield
    except BaseException:
        estimator.__dict__ = before
        raise


class ValidatedRows(Hooks):
    """Validation, and the units in which the model takes rows."""

    feature_map_: FeatureMap | None
    n_features_in_: int

    def check_rows(self, X: Any, y: Any) -> tuple[Any, np.ndarray]:
        """Validate rows and targets as `partial_fit` does; a ValueError names the row and column."""
        model_of(self)
        return self._checked(X, y, None, first=False)[:2]

    def model_rows(self, X: Any, y: Any) -> tuple[Any, np.ndarray, np.ndarray]:
        """Rows, targets and weights as the model takes them, validated as `check_rows` does."""
        X, y = self.check_rows(X, y)
        return self._mapped(X), self.encode_targets(y), self.row_weights(y)

    def check_features(self, X: Any) -> Any:
        """Validate rows without targets as `predict` does; a ValueError names the row and column."""
        model = model_of(self)
        with named_columns(X):
            if not self._is_plain(X):
                X = validate_data(self, sparse_or_not(X), reset=False, **_X)
            check_finite(X, model.dtype, getattr(self, "feature_names_in_", None))
        return X

    def encode_targets(self, y: np.ndarray) -> np.ndarray:
        """Validated targets in the form of the model's loss: (n, outputs), or (n, 1) for class indices."""
        model = model_of(self)
        return check_targets(self._translate(y, model.recipe.loss), model.recipe.loss, model.n_outputs)

    def _mapped(self, X: Any) -> Any:
        """Validated rows in the units that `fit` has chosen."""
        found = getattr(self, "feature_map_", None)
        if found is None:
            return X
        return found.transform(X.toarray() if issparse(X) else X)

    def _checked(self, X: Any, y: Any, sample_weight: Any, first: bool) -> tuple[Any, np.ndarray, np.ndarray]:
        with named_columns(X):
            if first or not self._is_plain(X) or not _are_plain(y, len(X)):
                X, y = validate_data(self, sparse_or_not(X), y, reset=first, validate_separately=(_X, _Y))
                check_consistent_length(X, y)
            check_finite(X, self.dtype, getattr(self, "feature_names_in_", None))
        rows = X.shape[0]
        weights = None if sample_weight is None else np.asarray(sample_weight)
        if weights is not None and weights.shape not in ((), (rows,)):
            raise ValueError(f"sample_weight has the shape {weights.shape}; with {rows} rows it must be ({rows},).")
        return X, self._check_targets(y), as_weights(weights, rows)

    def _is_plain(self, X: Any) -> bool:
        """Whether rows are an array that scikit-learn would pass as it is. Its checks take longer than a few rows take
        to be learned."""
        if type(X) is not np.ndarray or X.ndim != 2 or X.dtype not in _FLOATS or hasattr(self, "feature_names_in_"):
            return False
        return bool(len(X) > 0 and X.shape[1] == self.n_features_in_)

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags
