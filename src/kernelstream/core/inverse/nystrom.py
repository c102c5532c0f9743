"""Learning in the span of the leading eigenvectors of a dictionary's Gram matrix."""

from typing import NamedTuple

import numpy as np

from ..changes import spread
from ..state import State, one
from ..strategy import Dims, strategy
from ..types import Array, Parts
from .base import Inverse
from .symmetric import aligned, half_product


class NystromState(NamedTuple):
    Q: np.ndarray  # V_k diag(1/l_k) V_kᵀ, once frozen
    v: np.ndarray
    x: np.ndarray  # scratch
    frozen: np.ndarray


@strategy
class Nystrom(Inverse):
    """Until the dictionary is full, additions; from then on every step is projected on the leading eigenfunctions."""

    rescales = False

    def init(self, dims: Dims) -> NystromState:
        cap = dims.capacity
        return NystromState(aligned(cap, cap), aligned(cap), aligned(cap), one(0, np.int64))

    def absorb(self, own: NystromState, r: Parts, st: State, a: Array, kxx: float, verdict: int) -> bool:
        if own.frozen[0] == 0:
            return False
        inside = half_product(own.Q, st.work.row, st.expansion.n[0], own.x, own.v)
        r.norm.adding(st.norm, r, st, a, inside)
        spread(r, st, own.v, a)
        return True

    def adopt(self, own: NystromState, gram: Array, coef: Array) -> None:
        # frozen again as soon as the dictionary is full
        own.Q[:], own.frozen[0] = 0.0, 0
