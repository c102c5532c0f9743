"""Kernels: the similarity κ(x, z) of two rows, of which the learned function is a weighted sum."""

from ..core.registry import Registry
from .base import Kernel, OfDot, OfManhattan, Pairwise, Radial
from .cauchy import Cauchy, RationalQuadratic
from .fourier import Fourier
from .function import kernel
from .gaussian import Gaussian
from .laplacian import Laplacian
from .matern import Matern32, Matern52
from .polynomial import Linear, Polynomial

KERNELS: Registry[Kernel] = Registry(
    "kernel",
    {
        "gaussian": Gaussian("scale"),
        "laplacian": Laplacian("scale"),
        "cauchy": Cauchy("scale"),
        "polynomial": Polynomial(gamma="scale"),
        "linear": Linear(),
        "matern32": Matern32(),
        "matern52": Matern52(),
        "rational_quadratic": RationalQuadratic(),
    },
)
register = KERNELS.register

__all__ = [
    "KERNELS",
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
    "register",
]
