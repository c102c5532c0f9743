"""Data: synthetic streams without end, and data sets from elsewhere.

**Streams** are seeded, and the same however they are cut into chunks. Every stream is a function of
``(n, start, seed)`` that returns rows ``start`` to ``start + n`` of one endless sequence as ``(X, y)``;
:func:`batches` walks along any of them up to some row, and :func:`stream` without end.

**Data sets** are found in the folder that the environment variable KERNELSTREAM_DATA names, in the cache, or on the
web. :func:`fetch` gives one as it is, :func:`load` split and scaled, in a plain way or as one of the papers had it, and
:func:`available` tells which there are.
"""

from ._batches import batches, stream
from ._checkerboard import checkerboard
from ._hyperplane import rotating_hyperplane
from ._mixture import gaussian_mixture
from ._squares import moving_squares
from ._waveform import waveform
from .papers import Split, load
from .real import DataUnavailable, Offer, Table, available, fetch, unavailable

__all__ = [
    "DataUnavailable",
    "Offer",
    "Split",
    "Table",
    "available",
    "batches",
    "checkerboard",
    "fetch",
    "gaussian_mixture",
    "load",
    "moving_squares",
    "rotating_hyperplane",
    "stream",
    "unavailable",
    "waveform",
]
