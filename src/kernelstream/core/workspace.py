"""The buffers of a prediction. Threads may share a model, so each has a workspace of its own."""

from typing import Any, NamedTuple

import numpy as np

from .look_ahead import KernelBlock, block
from .numba.cache import boxed
from .state import Scratch, scratch
from .strategy import Dims


class Workspace(NamedTuple):
    weights: np.ndarray  # (c, capacity) of the support vectors
    row: np.ndarray  # kernel values of one row
    scratch: Scratch
    block: KernelBlock  # kernel values of many rows against the support vectors
    retired: KernelBlock  # and against those that only the output still has


class Boxed(NamedTuple):
    """A workspace, and the same for compiled code."""

    workspace: Workspace
    node: Any


def new_workspace(dims: Dims, retired: int, length: int) -> Boxed:
    """For blocks of `length` rows, 0 for row by row; `retired` is the number of SVs that only the output still has."""
    large, rows = dims._replace(capacity=max(dims.capacity, retired)), block(length, dims)
    beyond = block(length, dims._replace(capacity=retired))._replace(x=rows.x, xx=rows.xx)
    weights, row = np.empty((dims.outputs, dims.capacity)), np.empty(large.capacity, dims.dtype)
    workspace = Workspace(weights, row, scratch(large), rows, beyond)
    return Boxed(workspace, boxed(workspace))
