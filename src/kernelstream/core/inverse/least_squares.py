"""Recursive least squares on a dictionary (KRLS): every example moves all coefficients to the best fit so far."""

from typing import NamedTuple

import numpy as np

from ..changes import spread
from ..state import State, one
from ..strategy import Dims, NonNegative, strategy
from ..types import Array, Parts
from .base import Inverse
from .symmetric import Symmetric, add_term, aligned, multiply, symmetric
from .updates import border, shrink


class LeastSquaresState(NamedTuple):
    Q: Symmetric  # K⁻¹ of the dictionary
    P: Symmetric  # (AᵀA)⁻¹, A the dictionary's coefficients of all examples so far
    v: np.ndarray  # Q k of the current example
    u: np.ndarray
    residual: np.ndarray


@strategy
class LeastSquares(Inverse):
    """Recursive least squares: with δ the squared distance of κ(x, ·) from the span, the example joins the dictionary
    if δ > ν, and is otherwise represented by v = K⁻¹k. Either way the coefficients become those of least squares over
    all examples.

    It expects `Squared()` and `Constant(1.0)`, so that the coefficient of a new example is its error y − f(x).
    """

    nu: NonNegative = 1e-3
    forgets = False

    def init(self, dims: Dims) -> LeastSquaresState:
        cap = dims.capacity
        return LeastSquaresState(symmetric(cap), symmetric(cap), aligned(cap), aligned(cap), one())

    def residual(self, own: LeastSquaresState, r: Parts, st: State, kxx: float) -> float:
        own.residual[0] = max(kxx - multiply(own.Q, st.work.row, st.expansion.n[0], own.v), 0.0)
        return own.residual[0]

    def absorb(self, own: LeastSquaresState, r: Parts, st: State, a: Array, kxx: float, verdict: int) -> bool:
        n = st.expansion.n[0]
        delta = self.residual(own, r, st, kxx)
        if delta > self.nu:
            for c in range(a.shape[0]):
                a[c] /= delta
            for j in range(n):
                own.u[j] = -own.v[j]
            spread(r, st, own.u, a)
            r.norm.refresh(st.norm, r, st)
            return False
        gain = 1.0 / (1.0 + multiply(own.P, own.v, n, own.u))
        u = own.u
        add_term(own.P, u, -gain, n)
        for i in range(n):
            u[i] *= gain
        multiply(own.Q, u, n, own.v)
        spread(r, st, own.v, a)
        r.norm.refresh(st.norm, r, st)
        return True

    def inserted(self, own: LeastSquaresState, r: Parts, st: State, j: int) -> None:
        border(own.Q, own.v, j, own.residual[0])
        own.P.lower[j, j] = 1.0

    def dropping(self, own: LeastSquaresState, r: Parts, st: State, j: int) -> None:
        shrink(own.Q, j, st.expansion.n[0])
        shrink(own.P, j, st.expansion.n[0])

    def adopt(self, own: LeastSquaresState, gram: Array, coef: Array) -> None:
        n = len(gram)
        for part in (*own.Q, *own.P):
            part[:] = 0
        own.Q.lower[:n, :n] = np.linalg.inv(gram + 1e-9 * np.diag(np.diag(gram)))
        # as if the dictionary were all the examples so far
        own.P.lower[:n, :n] = np.eye(n)
