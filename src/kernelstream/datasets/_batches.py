"""Walk along a stream in chunks."""

from collections.abc import Callable, Iterator
from typing import Any

from ._checkerboard import checkerboard
from ._mixture import gaussian_mixture
from ._types import Floats, Labels
from ._waveform import waveform

Stream = Callable[..., tuple[Floats, Labels]]

STREAMS: dict[str, Stream] = {
    "checkerboard": checkerboard,
    "gaussian_mixture": gaussian_mixture,
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
        ``"checkerboard"``, ``"waveform"``, ``"gaussian_mixture"``, or a function that takes
        ``(n, start=…, seed=…, **options)``.
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
    if size < 1:
        raise ValueError(f"Chunks cannot have size={size} rows: use 1 or more.")
    if isinstance(stream, str):
        if stream not in STREAMS:
            raise ValueError(f"There is no stream called {stream!r}: use one of {', '.join(STREAMS)}.")
        stream = STREAMS[stream]
    source = stream
    return (source(min(size, n - done), start=start + done, seed=seed, **options) for done in range(0, n, size))
