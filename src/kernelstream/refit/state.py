"""What a refit remembers: O(B² + Bd) numbers, whatever the length of the stream."""

from typing import NamedTuple

import numpy as np

from ..state import one
from ..strategy import Dims

GATHERED = 256  # rows that are taken in together


class Waiting(NamedTuple):
    """Examples that the loop has passed on, with the scores that it gave them before it learned them."""

    x: np.ndarray  # (rows, d)
    y: np.ndarray  # (rows, c); one column is used where the target is a class
    weight: np.ndarray
    f: np.ndarray  # (rows, c)
    filled: np.ndarray  # how many there are


class RefitState(NamedTuple):
    waiting: Waiting
    sv: np.ndarray  # (d, capacity): the support vectors as they were when last taken over,
    sq: np.ndarray  # their squared norms,
    coef: np.ndarray  # (c, capacity) and fitted coefficients
    n: np.ndarray
    H: np.ndarray  # Σ h k kᵀ, the curvature of the examples so far,
    b: np.ndarray  # (capacity, c) Σ h t k,
    mass: np.ndarray  # and how much they weigh
    solve: np.ndarray  # the mass at which to solve next
    solved: np.ndarray  # whether that has ever been done
    renew: np.ndarray  # the update at which to take over the support vectors next
    tally: np.ndarray  # what the refit and the last iterate got wrong, each before learning it
    serves: np.ndarray  # whether the refit predicts


def new_state(dims: Dims) -> RefitState:
    cap, d, c, dtype = dims.capacity, dims.features, dims.outputs, dims.dtype
    rows = GATHERED
    waiting = Waiting(
        np.zeros((rows, d), dtype), np.zeros((rows, c)), np.zeros(rows), np.zeros((rows, c)), one(0, np.int64)
    )
    return RefitState(
        waiting, np.zeros((d, cap), dtype), np.zeros(cap), np.zeros((c, cap)), one(0, np.int64),
        np.zeros((cap, cap)), np.zeros((cap, c)), one(), one(), one(0, np.int64), one(), np.zeros(2),
        one(0, np.int64),
    )  # fmt: skip
