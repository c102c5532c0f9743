"""Errors that name the partition in which they occurred."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from .backend import Partition


class PartitionError(ValueError):
    """What is wrong with a partition, which the message names."""


@contextmanager
def located(index: int, start: int) -> Iterator[None]:
    """Add the partition, and the start of the batch that rows are counted from, to errors in rows."""
    try:
        yield
    except ValueError as error:
        batch = f", in the batch that starts at row {start}" if start else ""
        raise PartitionError(f"In partition {index}{batch}: {error}") from None


def batches_of(partition: Partition, index: int) -> Iterator[tuple[Any, Any]]:
    """The batches of a partition; whatever goes wrong in reading them becomes an error that names it."""
    try:
        yield from partition.batches()
    except Exception as error:
        raise unreadable(index, error) from error


def unreadable(index: int, error: BaseException) -> PartitionError:
    cause = str(error) if isinstance(error, ValueError) else f"{type(error).__name__}: {error}"
    return PartitionError(f"Partition {index} cannot be read: {cause}")


@contextmanager
def naming_partitions(client: Any, partitions: Sequence[Any]) -> Iterator[None]:
    """Name the partition that Dask could not compute.

    The error of a Dask task does not say which partition it was for. So, after an error only, every partition is
    computed once more, alone, and the first that fails is named.
    """
    from dask import delayed
    from distributed import KilledWorker, wait

    try:
        yield
    except (PartitionError, KilledWorker):  # named already; or computing it again would kill more workers
        raise
    except Exception as error:
        if client.status != "running":
            raise ConnectionError(
                f"The connection to the Dask scheduler was lost ({type(error).__name__}: {error}). Connect to a "
                "scheduler and train again: with checkpoint= the steps that were done are not repeated."
            ) from error
        again = client.compute([delayed(part, pure=False) for part in partitions])
        wait(again)
        for index, future in enumerate(again):
            if future.status == "error":
                raise unreadable(index, future.exception()) from None
        raise
