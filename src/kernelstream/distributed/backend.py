"""The interface of a cluster. `train` needs a `Backend` and nothing else; `DaskBackend` is one.

Another cluster is one more class with `map`, `map_reduce` and `keep`; docs/distributed.md has one in 15 lines.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple, Protocol, TypeVar

import numpy as np
from scipy.sparse import issparse, vstack


class Partition(Protocol):
    """A part of the data that one task reads at a time."""

    def batches(self) -> Iterator[tuple[Any, Any]]:
        """Its rows and targets, in order, in batches that fit into memory."""


class Backend(Protocol):
    """Holds the partitions of the data and runs tasks on them.

    A task is a pure function, so a backend may run it on any worker, and again if a worker is lost.
    """

    n_partitions: int

    def map(self, task: Callable[..., Any], *arguments: Any) -> list[Any]:
        """`[task(partition, index, *arguments), …]`, in the order of the partitions."""

    def map_reduce(self, task: Callable[..., Any], join: Callable[[Sequence[Any]], Any], *arguments: Any) -> Any:
        """`tree_reduce` of the results of `map`, with a fan-in that the backend chooses."""

    def keep(self, nbytes: int, task: Callable[..., Any], *arguments: Any) -> "Backend | None":
        """A backend whose partitions are the results of `map`, kept where the tasks have run; None if memory does not
        allow that. `nbytes` is about the size of all results."""


T = TypeVar("T")


def tree_reduce(results: Sequence[T], join: Callable[[Sequence[T]], T], fan_in: int) -> T:
    """Join results in groups of `fan_in` until one is left. The groups depend on the order of the results only, not on
    which is ready first.

    Parameters
    ----------
    results : sequence
        What to join, in order.
    join : function
        Makes one result of a list of them.
    fan_in : int
        Results that are joined at a time.

    Examples
    --------
    >>> tree_reduce(["a", "b", "c", "d", "e"], lambda group: f"({''.join(group)})", fan_in=2)
    '(((ab)(cd))e)'
    """
    while len(results) > 1:
        results = tree_level(results, join, fan_in)
    return results[0]


def tree_level(results: Sequence[T], join: Callable[[Sequence[T]], T], fan_in: int) -> list[T]:
    """One level of `tree_reduce`: every `fan_in` neighbours become one."""
    groups = [results[i : i + fan_in] for i in range(0, len(results), fan_in)]
    return [join(group) if len(group) > 1 else group[0] for group in groups]


class InMemoryPartition(NamedTuple):
    """A partition of rows in memory.

    Parameters
    ----------
    X : array or sparse matrix
        The rows.
    y : array
        Their targets.
    """

    X: Any
    y: Any

    def batches(self) -> Iterator[tuple[Any, Any]]:
        if self.X.shape[0]:
            yield self.X, self.y


def rows_of(X: Any, index: Any) -> Any:
    """Some rows of an array, a sparse matrix or a data frame."""
    return X.iloc[index] if hasattr(X, "iloc") else X[index]


def stacked(pieces: Sequence[Any]) -> Any:
    """Arrays, sparse matrices or data frames of one kind, concatenated."""
    if hasattr(pieces[0], "iloc"):
        import pandas

        return pandas.concat(pieces)
    return vstack(pieces, "csr") if issparse(pieces[0]) else np.concatenate(pieces)
