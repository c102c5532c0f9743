"""Synthetic streams: endless, seeded, and the same however they are cut into chunks.

Every stream is a function of ``(n, start, seed)`` that returns rows ``start`` to ``start + n`` of one
endless sequence as ``(X, y)``; :func:`batches` walks along any of them.
"""

from ._batches import batches
from ._checkerboard import checkerboard
from ._mixture import gaussian_mixture
from ._waveform import waveform

__all__ = ["batches", "checkerboard", "gaussian_mixture", "waveform"]
