"""Kernels: the similarity that the learned function is made of."""

from .base import Kernel, OfDot, OfManhattan, Pairwise, Radial
from .cauchy import Cauchy, RationalQuadratic
from .fourier import Fourier
from .function import kernel
from .gaussian import Gaussian
from .laplacian import Laplacian
from .matern import Matern32, Matern52
from .polynomial import Linear, Polynomial

__all__ = [
    "Cauchy",
    "Fourier",
    "Gaussian",
    "Kernel",
    "Laplacian",
    "Linear",
    "Matern32",
    "Matern52",
    "OfDot",
    "OfManhattan",
    "Pairwise",
    "Polynomial",
    "Radial",
    "RationalQuadratic",
    "kernel",
]
