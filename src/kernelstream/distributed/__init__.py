"""Distributed training on a Dask or Spark cluster, from their collections or from files; see docs/distributed.md.

Support vectors come from a sample of all partitions, and coefficients from all rows, by sums over partitions; recipes
without a refit learn every partition separately, and a tree of model merges combines the results. `train` runs this on
any `Backend`: to use another cluster, write that one class.
"""

from .backend import Backend, InMemoryPartition, Partition, tree_reduce
from .dask_backend import DaskBackend
from .dask_cluster import local_cluster
from .dask_estimators import DaskKernelClassifier, DaskKernelRegressor
from .file_training import train_files
from .spark_backend import SparkBackend
from .spark_training import fit_spark, predict_spark
from .training import DistributedResult, train

__all__ = [
    "Backend",
    "DaskBackend",
    "DaskKernelClassifier",
    "DaskKernelRegressor",
    "DistributedResult",
    "InMemoryPartition",
    "Partition",
    "SparkBackend",
    "fit_spark",
    "local_cluster",
    "predict_spark",
    "train",
    "train_files",
    "tree_reduce",
]
