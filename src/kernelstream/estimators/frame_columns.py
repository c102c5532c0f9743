"""Errors about what scikit-learn cannot read as a matrix of numbers, in words: which column of a data frame it is."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from ..core.inputs import as_numbers


@contextmanager
def named_columns(X: Any) -> Iterator[None]:
    """Name the column that is no number, or the integer that is too large for float64, which scikit-learn does not."""
    try:
        yield
    except OverflowError:
        as_numbers(np.asarray(X, object), "Input X")
        raise
    except (TypeError, ValueError) as error:
        found = dict[str, str]() if not hasattr(X, "columns") else _not_numbers(X)
        if not found:
            raise
        name, what = next(iter(found.items()))
        more = f", as {len(found) - 1} more columns are not" if len(found) > 1 else ""
        raise ValueError(
            f"The column {name!r} of X is {what}, not numbers{more}. Encode it first, for example with OneHotEncoder "
            "in a ColumnTransformer, or use kernelstream.StreamPipeline.train, which takes such columns as they are; "
            "the model is unchanged."
        ) from error


def _not_numbers(X: Any) -> dict[str, str]:
    """The columns of a data frame that are no numbers, and what they are."""
    found = {}
    for name in X.columns:
        values = np.asarray(X[name])
        if values.ndim == 1 and values.dtype.kind in "mM":
            found[str(name)] = "dates or times"
        elif values.ndim == 1:
            try:
                values.astype(np.float64)
            except (TypeError, ValueError):
                if any(isinstance(value, str) for value in values):
                    found[str(name)] = "text"
    return found
