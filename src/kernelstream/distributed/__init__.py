"""Distributed training on a Dask cluster, from Dask collections or files; see docs/distributed.md.

Every partition is learned on a worker, a tree of model merges combines the results, and the merged model starts the
next round. `train` runs this on any `Backend`: to use another cluster than Dask, write that one class.
"""

from .backend import Backend, InMemoryPartition, Partition, tree_reduce
from .dask_backend import DaskBackend
from .dask_estimators import DaskKernelClassifier, DaskKernelRegressor
from .file_training import train_files
from .rounds import DistributedResult, train

__all__ = [
    "Backend",
    "DaskBackend",
    "DaskKernelClassifier",
    "DaskKernelRegressor",
    "DistributedResult",
    "InMemoryPartition",
    "Partition",
    "train",
    "train_files",
    "tree_reduce",
]
