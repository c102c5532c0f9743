"""Parts of the data, each in the hands of one task at a time."""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np
from scipy.sparse import issparse, vstack


class Part(Protocol):
    def batches(self) -> Iterator[tuple[Any, Any]]:
        """Its rows and targets in their order, as many at once as there is memory for."""


class Block(NamedTuple):
    """A part that is in memory."""

    X: Any
    y: Any

    def batches(self) -> Iterator[tuple[Any, Any]]:
        if self.X.shape[0]:
            yield self.X, self.y


def rows_of(X: Any, index: Any) -> Any:
    """Some rows of an array, a sparse matrix or a data frame."""
    return X.iloc[index] if hasattr(X, "iloc") else X[index]


def stacked(pieces: Sequence[Any]) -> Any:
    """Rows of several pieces of one kind, one below the other."""
    if hasattr(pieces[0], "iloc"):
        import pandas

        return pandas.concat(pieces)
    return vstack(pieces, "csr") if issparse(pieces[0]) else np.concatenate(pieces)
