"""Walk along a stream in chunks, up to some row or without end."""

from collections.abc import Callable, Iterator
from itertools import count
from typing import Any

from ._checkerboard import checkerboard
from ._hyperplane import rotating_hyperplane
from ._mixture import gaussian_mixture
from ._squares import moving_squares
from ._types import Floats, Labels
from ._waveform import waveform

Stream = Callable[..., tuple[Floats, Labels]]

STREAMS: dict[str, Stream] = {
    "checkerboard": checkerboard,
    "gaussian_mixture": gaussian_mixture,
    "moving_squares": moving_squares,
    "rotating_hyperplane": rotating_hyperplane,
    "waveform": waveform,
}


def batches(
    stream: str | Stream, n: int, size: int, *, start: int = 0, seed: int = 0, **options: Any
) -> Iterator[tuple[Floats, Labels]]:
    """Yield n rows of a stream in chunks of ``size`` (the last may be shorter).

    Together the chunks are exactly ``stream(n, start=start, seed=seed, **options)``, whatever the size,
    but only one of them is in memory at a time.

    Parameters
    ----------
    stream : str or callable
        ``"checkerboard"``, ``"gaussian_mixture"``, ``"moving_squares"``, ``"rotating_hyperplane"``,
        ``"waveform"``, or a function that takes ``(n, start=…, seed=…, **options)``.
    n, size : int
        Rows altogether, rows at a time.
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
    source: str | Stream, seed: int = 0, batch: int = 1_000, *, start: int = 0, **options: Any
) -> Iterator[tuple[Floats, Labels]]:
    """Yield the rows of a stream in chunks of ``batch``, without end.

    The rows are those of ``source(…, start=start, seed=seed, **options)``, in their order, whatever the batch.

    Parameters
    ----------
    source : str or callable
        As the stream of :func:`batches`.
    seed, batch : int
        Seed of the stream, and rows at a time.
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


def _source(source: str | Stream, size: int) -> Stream:
    """The function that a name stands for."""
    if size < 1:
        raise ValueError(f"Chunks cannot have size={size} rows: use 1 or more.")
    if not isinstance(source, str):
        return source
    if source not in STREAMS:
        raise ValueError(f"There is no stream called {source!r}: use one of {', '.join(STREAMS)}.")
    return STREAMS[source]
