"""The inverse Gram matrix, where a recipe needs one."""

from .base import Inverse
from .kernel_inverse import KernelInverse
from .none import NoInverse

__all__ = ["Inverse", "KernelInverse", "NoInverse"]
