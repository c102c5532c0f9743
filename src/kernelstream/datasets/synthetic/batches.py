"""Batches of a synthetic stream, up to some row or without end."""

from collections.abc import Callable, Iterator
from itertools import count
from typing import Any

from ..array_types import Floats, Labels
from .checkerboard import checkerboard
from .hyperplane import rotating_hyperplane
from .mixture import gaussian_mixture
from .squares import moving_squares
from .waveform import waveform

SyntheticStream = Callable[..., tuple[Floats, Labels]]

STREAMS: dict[str, SyntheticStream] = {
    "checkerboard": checkerboard,
    "gaussian_mixture": gaussian_mixture,
    "moving_squares": moving_squares,
    "rotating_hyperplane": rotating_hyperplane,
    "waveform": waveform,
}


def batches(
    stream: str | SyntheticStream, n: int, size: int, *, start: int = 0, seed: int = 0, **options: Any
) -> Iterator[tuple[Floats, Labels]]:
    """Yield n rows of a stream in batches of ``size`` (the last may be smaller).

    The rows are those of ``stream(n, start=start, seed=seed, **options)``, whatever the size, but only one batch is in
    memory at a time.

    Parameters
    ----------
    stream : str or callable
        ``"checkerboard"``, ``"gaussian_mixture"``, ``"moving_squares"``, ``"rotating_hyperplane"``,
        ``"waveform"``, or a function that takes ``(n, start=…, seed=…, **options)``.
    n, size : int
        Total number of rows, and rows per batch.
    start, seed : int, default=0
        First row and seed, as in the stream.
    **options
        The stream's own parameters.

    Examples
    --------
    >>> from kernelstream.datasets import batches
    >>> [len(y) for X, y in batches("checkerboard", 1_000, 300, noise=0.1)]
    [300, 300, 300, 100]
    """
    source = _source(stream, size)
    return (source(min(size, n - done), start=start + done, seed=seed, **options) for done in range(0, n, size))


def stream(
    source: str | SyntheticStream, seed: int = 0, batch: int = 1_000, *, start: int = 0, **options: Any
) -> Iterator[tuple[Floats, Labels]]:
    """Yield the rows of a stream in batches of ``batch`` rows, without end.

    The rows are those of ``source(…, start=start, seed=seed, **options)``, in their order, whatever the batch.

    Parameters
    ----------
    source : str or callable
        As ``stream`` in :func:`batches`.
    seed, batch : int
        Seed of the stream, and rows per batch.
    start : int, default=0
        First row.
    **options
        The stream's own parameters.

    Examples
    --------
    >>> from itertools import islice
    >>> from kernelstream.datasets import stream
    >>> [X.shape for X, y in islice(stream("rotating_hyperplane", seed=1, batch=500), 3)]
    [(500, 10), (500, 10), (500, 10)]
    """
    take = _source(source, batch)
    return (take(batch, start=first, seed=seed, **options) for first in count(start, batch))


def _source(source: str | SyntheticStream, size: int) -> SyntheticStream:
    """The stream with a name."""
    if size < 1:
        raise ValueError(f"The batch size={size} must be at least 1.")
    if not isinstance(source, str):
        return source
    if source not in STREAMS:
        raise ValueError(f"unknown stream {source!r}. Available: {', '.join(STREAMS)}.")
    return STREAMS[source]
