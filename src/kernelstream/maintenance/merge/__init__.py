"""Support-vector merging, for a Gaussian kernel."""

from .merge import Merge, MergeBestPair

__all__ = ["Merge", "MergeBestPair"]
