"""Distributed training: what the tests share.

All use the estimators' default composition, which other tests compile anyway.
"""

import numpy as np

from kernelstream import KernelClassifier, recipes
from kernelstream.datasets import checkerboard
from kernelstream.distributed import InMemoryPartition, tree_reduce
from kernelstream.kernels import Gaussian
from kernelstream.output import Last, Refit

X, Y = checkerboard(3000, seed=0)
X_TEST, Y_TEST = checkerboard(1000, seed=1)
SIZES = (500, 900, 700, 900)


def classifier(**options):
    """With few passes, each of which is a graph."""
    recipe = recipes.default(Gaussian(4.0), budget=40).replace(output=Refit(max_passes=3))
    return KernelClassifier(recipe, random_state=0, **options)


def plain(**options):
    """Without a refit, so that partitions are learned in rounds."""
    recipe = recipes.default(Gaussian(4.0), budget=40).replace(output=Last())
    return KernelClassifier(recipe, random_state=0, **options)


def partitions(y=Y, sizes=SIZES):
    cuts = np.cumsum(sizes)[:-1]
    return [InMemoryPartition(*pair) for pair in zip(np.split(X, cuts), np.split(y, cuts), strict=True)]


class SequentialBackend:
    """A second backend beside Dask's: this process, one partition after the other."""

    def __init__(self, partitions, fan_in=2):
        self.partitions, self.fan_in, self.n_partitions = partitions, fan_in, len(partitions)

    def map(self, task, *arguments):
        return [task(partition, index, *arguments) for index, partition in enumerate(self.partitions)]

    def map_reduce(self, task, join, *arguments):
        return tree_reduce(self.map(task, *arguments), join, self.fan_in)

    def keep(self, nbytes, task, *arguments):
        return SequentialBackend(self.map(task, *arguments), self.fan_in)
