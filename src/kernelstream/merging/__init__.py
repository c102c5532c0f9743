"""Models learned apart made one: the mean of their functions, projected on one budget of support vectors."""

from .merge import Merged, merge
from .split import split

__all__ = ["Merged", "merge", "split"]
