"""Kernels of your own: a function of two rows, and a class of the squared distance."""

import math

import numpy as np

from kernelstream.extend import Positive, strategy
from kernelstream.kernels import Radial


def time_of_day(x, z):
    """κ(x, z) = exp(−2 sin²(π (x₀ − z₀)/24)): 23:30 is close to 0:30."""
    return math.exp(-2.0 * math.sin(math.pi * (x[0] - z[0]) / 24.0) ** 2)


@strategy
class Wendland(Radial):
    """κ(x, z) = (1 − r)₊⁴ (4r + 1), r = ‖x − z‖/width: exactly 0 from `width` on. For up to three features."""

    width: Positive = 1.0
    normalised = True

    def of(self, u):
        r = np.sqrt(u) / self.width
        return np.maximum(1.0 - r, 0.0) ** 4 * (4.0 * r + 1.0)
