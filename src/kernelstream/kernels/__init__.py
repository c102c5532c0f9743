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


def as_kernel(value: object) -> Kernel:
    """A kernel; a plain function of two vectors becomes one."""
    if isinstance(value, Kernel):
        return value
    if callable(value) and not isinstance(value, type):
        return kernel(value)
    raise ValueError(f"a kernel must be a Kernel or a function of two vectors, not {value!r}.")


KERNELS: Registry[Kernel] = Registry(
    "kernel",
    {
        "gaussian": Gaussian("scale"),
        "rbf": Gaussian("scale"),  # as scikit-learn calls it
        "laplacian": Laplacian("scale"),
        "cauchy": Cauchy("scale"),
        "polynomial": Polynomial(gamma="scale"),
        "poly": Polynomial(gamma="scale"),
        "linear": Linear(),
        "matern32": Matern32(),
        "matern52": Matern52(),
        "rational_quadratic": RationalQuadratic(),
    },
    as_kernel,
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
