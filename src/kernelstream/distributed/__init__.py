"""Learning over the partitions of a Dask collection, or over files, on a cluster; see docs/distributed.md.

Every place learns its part, a tree of merges makes one model of theirs, and that goes out again for the next round.
"""

from .estimators import DaskKernelClassifier, DaskKernelRegressor
from .files import train_files

__all__ = ["DaskKernelClassifier", "DaskKernelRegressor", "train_files"]
