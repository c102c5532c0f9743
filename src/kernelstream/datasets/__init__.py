"""Synthetic streams: endless, seeded, and the same however they are cut into chunks.

Every stream is a function of ``(n, start, seed)`` that returns rows ``start`` to ``start + n`` of one
endless sequence as ``(X, y)``; :func:`batches` walks along any of them up to some row, and
:func:`stream` without end.
"""

from ._batches import batches, stream
from ._checkerboard import checkerboard
from ._hyperplane import rotating_hyperplane
from ._mixture import gaussian_mixture
from ._squares import moving_squares
from ._waveform import waveform

__all__ = [
    "batches",
    "checkerboard",
    "gaussian_mixture",
    "moving_squares",
    "rotating_hyperplane",
    "stream",
    "waveform",
]
