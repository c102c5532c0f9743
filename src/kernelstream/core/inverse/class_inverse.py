"""Q_c = (K_c + jitter)⁻¹ for every class c, over the support vectors of that class alone.

A support vector belongs to the classes for which it was added with a coefficient, also if that is 0 later. Each class
keeps its inverse in an order of its own, so projecting costs O(n_c²) for a class of n_c support vectors. The memory is
O(c n²): every class has room for all n.
"""

from typing import Any

import numpy as np

from ..changes import record
from ..precision import dependent
from ..state import Expansion, State
from ..strategy import Dims, strategy
from ..types import Array, Parts
from ..verdicts import FOLD
from .base import Inverse
from .class_parts import (
    CHECK_EVERY,
    ClassInverseState,
    append,
    drifted_class,
    fold,
    leave,
    measure,
    position,
    rebuild_class,
)
from .symmetric import LINE, TERMS, Symmetric, aligned


@strategy
class ClassInverse(Inverse):
    """For every class the inverse over its own support vectors, by rank-one updates in float64.

    A class that has the point in its span already, up to rounding, projects it even if another class adds it.
    """

    whole = False

    def init(self, dims: Dims) -> ClassInverseState:
        classes, cap = dims.outputs, dims.capacity
        Q = Symmetric(
            aligned(classes, cap, cap + LINE), aligned(classes, TERMS, cap), np.zeros((classes, TERMS)),
            np.zeros((classes, 1), np.int64), np.zeros((classes, 1), np.int64), aligned(cap),
        )  # fmt: skip
        return ClassInverseState(
            Q, np.zeros((classes, cap), np.int64), np.zeros((classes, 1), np.int64), aligned(classes, cap),
            np.zeros(classes), np.full(2, -1), np.zeros(classes, np.int64), aligned(cap), aligned(cap),
            np.zeros(classes),
        )  # fmt: skip

    def residual(self, own: ClassInverseState, r: Parts, st: State, kxx: float) -> float:
        g, largest = st.work.g, 0.0
        measure(own, r, st, g, kxx)
        for c in range(g.shape[0]):
            if g[c] != 0.0:
                largest = max(largest, own.residual[c])
        return largest

    def mean_residual(self, own: ClassInverseState, r: Parts, st: State, kxx: float) -> float:
        g, total, weight = st.work.g, 0.0, 0.0
        measure(own, r, st, g, kxx)
        for c in range(g.shape[0]):
            if g[c] != 0.0:
                total += g[c] * g[c] * own.residual[c]
                weight += g[c] * g[c]
        return total / weight

    def absorb(self, own: ClassInverseState, r: Parts, st: State, a: Array, kxx: float, verdict: int) -> bool:
        measure(own, r, st, a, kxx)
        lost = 0.0
        folded, left = False, False
        for c in range(a.shape[0]):
            if a[c] == 0.0:
                continue
            if verdict == FOLD or own.residual[c] <= dependent(st.expansion.sv) * kxx:
                lost += fold(own, r, st, c, a[c], kxx)
                a[c] = 0.0
                folded = True
            else:
                left = True
        if folded:
            record(st, lost)
        return not left

    def inserted(self, own: ClassInverseState, r: Parts, st: State, j: int) -> None:
        ex = st.expansion
        for c in range(ex.coef.shape[0]):
            if ex.coef[c, j] != 0.0:
                append(own, ex, c, j, own.residual[c])
                own.changes[c] += 1
                if own.changes[c] % CHECK_EVERY == 0 and drifted_class(own, r, st, c):
                    rebuild_class(own, r, st, c)

    def dropping(self, own: ClassInverseState, r: Parts, st: State, j: int) -> None:
        last = st.expansion.n[0] - 1
        for c in range(own.sizes.shape[0]):
            leave(own, c, j)
            i = position(own, c, last)
            if i >= 0:
                own.slots[c, i] = j

    def replaced(self, own: ClassInverseState, r: Parts, st: State, j: int) -> None:
        for c in range(own.sizes.shape[0]):
            leave(own, c, j)
            if st.expansion.coef[c, j] != 0.0:
                own.slots[c, own.sizes[c, 0]] = j
                own.sizes[c, 0] += 1
                rebuild_class(own, r, st, c)

    def adopt(self, own: ClassInverseState, gram: Array, coef: Array) -> None:
        for part in (*own.Q, own.slots, own.sizes, own.changes):
            part[:] = 0
        own.known[:] = -1
        for c, column_c in enumerate(coef.T):
            members = np.flatnonzero(column_c)
            n = len(members)
            part = gram[np.ix_(members, members)]
            own.Q.lower[c, :n, :n] = np.linalg.inv(part + 1e-9 * np.diag(np.diag(part)))
            own.slots[c, :n], own.sizes[c, 0] = members, n

    def mixed(self, own: ClassInverseState, kernel: Any, ex: Expansion) -> None:
        n = int(ex.n[0])
        self.adopt(own, kernel.gram(ex.sv[:, :n].T.astype(np.float64)), ex.coef[:, :n].T)
