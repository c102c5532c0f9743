"""Data frames in and out: whatever River takes, pandas always."""

from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np

from ..core.precision import largest
from .features import Features, reason

try:
    from river.utils import dataframe  # polars and others too, in newer versions of River
except ImportError:
    dataframe = None


def table(X: Any, dtype: np.dtype) -> tuple[list[Hashable], np.ndarray]:
    """The names of the columns and their values, or a ValueError that names a cell."""
    frame = X if dataframe is None else dataframe.into_frame(X)
    names, cells = list(frame.columns), frame.to_numpy()
    if cells.dtype.kind in "fiub":
        values = cells.astype(np.float64)
    else:  # as single rows are read: strings that look like numbers are strings
        rows = Features(names)
        values = np.empty(cells.shape)
        for i, row in enumerate(cells.tolist()):
            x = dict(zip(names, row, strict=True))
            wrong = reason(x, dtype)
            if wrong:
                raise ValueError(f"Row {i}: {wrong}")
            values[i] = rows.read(x)
    bad = np.flatnonzero(~(np.abs(values) <= largest(dtype)).all(axis=1))
    if len(bad):
        raise ValueError(f"Row {bad[0]}: {reason(dict(zip(names, values[bad[0]].tolist(), strict=True)), dtype)}")
    return names, values


def column(values: Any) -> list[Any]:
    """A series as a list of Python's own types."""
    return values.to_list() if hasattr(values, "to_list") else list(values)


def as_series(values: Sequence[Any] | np.ndarray, name: Hashable, like: Any) -> Any:
    """A series of the kind and the index of the frame `like`."""
    if dataframe is not None:
        return dataframe.to_native_series(values, name=name, like=dataframe.into_frame(like))
    import pandas as pd

    return pd.Series(values, name=name, index=like.index)


def as_frame(columns: dict[Hashable, np.ndarray], like: Any) -> Any:
    """A frame of the kind and the index of the frame `like`."""
    if dataframe is not None:
        return dataframe.to_native_frame(columns, like=dataframe.into_frame(like))
    import pandas as pd

    return pd.DataFrame(columns, index=like.index)
