"""Skewed numbers, such as incomes and counts, compressed: a few large ones would leave no room for all others."""

from typing import NamedTuple

import numpy as np

_SKEWED = 2.0  # skewness from which numbers are compressed; that of an exponential distribution
_FEWEST = 256  # different numbers: fewer may be codes or small counts, which are fine as they are


class Compression(NamedTuple):
    """asinh((x − centre) / width): linear around the centre, logarithmic far from it, on both sides.

    >>> Compression(2.0, 1.0).apply(np.array([2.0, 3.0, 2000.0])).round(2).tolist()
    [0.0, 0.88, 8.29]
    """

    centre: float
    width: float

    def apply(self, values: np.ndarray) -> np.ndarray:
        found: np.ndarray = np.arcsinh((values - self.centre) / self.width)
        return found


def compression(values: np.ndarray) -> Compression | None:
    """For a column with these first values: centred at the median, with half the distance of the quartiles as width;
    None if it is not skewed.

    >>> rng = np.random.default_rng(0)
    >>> compression(rng.normal(size=1000)), compression(np.exp(rng.normal(size=1000))) is None
    (None, False)
    """
    present = values[np.isfinite(values)]
    if len(np.unique(present)) < _FEWEST:
        return None
    low, centre, high = np.quantile(present, [0.25, 0.5, 0.75]).tolist()
    size = float(np.abs(present).max())  # powers of large numbers overflow
    scaled = present / size
    deviation = float(scaled.std())
    if not high > low or deviation == 0.0:
        return None
    skewness = float((((scaled - scaled.mean()) / deviation) ** 3).mean())
    return Compression(centre, (high - low) / 2.0) if abs(skewness) > _SKEWED else None
