"""What a prediction writes on. A model may be shared by threads, so each of them has a desk of its own."""

from typing import Any, NamedTuple

import numpy as np

from ._cache import boxed
from .look_ahead import Block, block
from .state import Scratch, scratch
from .strategy import Dims


class Desk(NamedTuple):
    weights: np.ndarray  # (c, capacity) of the support vectors
    row: np.ndarray  # kernel values of one row
    scratch: Scratch
    block: Block  # kernel values of many rows against the support vectors
    attic: Block  # and against those that only the average has


class Place(NamedTuple):
    desk: Desk
    node: Any  # the desk as compiled code takes it


def place(dims: Dims, attic: int, length: int) -> Place:
    """A desk for blocks of `length` rows, 0 for row by row; `attic` is room for what only the average has."""
    large, rows = dims._replace(capacity=max(dims.capacity, attic)), block(length, dims)
    beyond = block(length, dims._replace(capacity=attic))._replace(x=rows.x, xx=rows.xx)
    weights, row = np.empty((dims.outputs, dims.capacity)), np.empty(large.capacity, dims.dtype)
    desk = Desk(weights, row, scratch(large), rows, beyond)
    return Place(desk, boxed(desk))
