"""The inverse Gram matrix, where a recipe needs one."""

from .base import Inverse, NoInverse
from .class_inverse import ClassInverse
from .fixed_basis import FixedBasis
from .kernel_inverse import KernelInverse
from .least_squares import LeastSquares
from .nystrom import Nystrom

__all__ = ["ClassInverse", "FixedBasis", "Inverse", "KernelInverse", "LeastSquares", "NoInverse", "Nystrom"]
