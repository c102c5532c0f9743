"""Data: endless synthetic streams, and the data sets of the papers.

**Synthetic streams** are seeded, and do not depend on the batch size. Each is a function of ``(n, start, seed)`` that
returns rows ``start`` to ``start + n`` of one endless sequence as ``(X, y)``; :func:`batches` yields n rows of one in
batches, :func:`stream` yields batches without end.

**Data sets** are read from the folder that the environment variable KERNELSTREAM_DATA names, from the cache, or
downloaded. :func:`fetch` returns one as it was published, :func:`load` one that is split and scaled, by default or as
in a paper, and :func:`available` lists them.
"""

from .papers import Split, load
from .real import DataSet, DataSetSummary, DataUnavailable, available, fetch, unavailable
from .synthetic.batches import batches, stream
from .synthetic.checkerboard import checkerboard
from .synthetic.hyperplane import rotating_hyperplane
from .synthetic.mixture import gaussian_mixture
from .synthetic.squares import moving_squares
from .synthetic.waveform import waveform

__all__ = [
    "DataSet",
    "DataSetSummary",
    "DataUnavailable",
    "Split",
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
