"""Models learned apart made one: the mean of their functions, projected on one budget of support vectors."""

from .merge import Merged, merge
from .share import share

__all__ = ["Merged", "merge", "share"]
