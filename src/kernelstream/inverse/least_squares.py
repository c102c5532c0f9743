"""Recursive least squares on a dictionary (KRLS): every example moves all coefficients to the best fit so far."""

from typing import NamedTuple

import numpy as np

from ..expansion import spread
from ..state import one
from ..strategy import NonNegative, strategy
from .base import Inverse
from .updates import border, multiply, shrink


class LeastSquaresState(NamedTuple):
    Q: np.ndarray  # K⁻¹ of the dictionary
    P: np.ndarray  # (AᵀA)⁻¹, A the dictionary's coefficients of all examples so far
    v: np.ndarray  # Q k of the example in hand
    u: np.ndarray
    residual: np.ndarray


@strategy
class LeastSquares(Inverse):
    """With δ the squared distance of κ(x, ·) from the span: above ν the example joins the dictionary, below it is
    written as v = K⁻¹k of it; either way the coefficients become those of least squares over all examples.

    It expects `Squared()` and `Constant(1.0)`, so that the coefficient on its way in is the error y − f(x).
    """

    nu: NonNegative = 1e-3

    def init(self, dims):
        cap = dims.capacity
        return LeastSquaresState(np.zeros((cap, cap)), np.zeros((cap, cap)), np.zeros(cap), np.zeros(cap), one())

    def residual(self, own, r, st, kxx):
        own.residual[0] = max(kxx - multiply(own.Q, st.work.row, st.expansion.n[0], own.v), 0.0)
        return own.residual[0]

    def absorb(self, own, r, st, a, kxx, verdict):
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
        P, u = own.P, own.u
        for i in range(n):
            for j in range(n):
                P[i, j] -= gain * u[i] * u[j]
        for i in range(n):
            u[i] *= gain
        multiply(own.Q, u, n, own.v)
        spread(r, st, own.v, a)
        r.norm.refresh(st.norm, r, st)
        return True

    def inserted(self, own, r, st, j):
        border(own.Q, own.v, j, own.residual[0])
        for i in range(j):
            own.P[i, j] = 0.0
            own.P[j, i] = 0.0
        own.P[j, j] = 1.0

    def dropping(self, own, r, st, j):
        shrink(own.Q, own.v, j, st.expansion.n[0])
        shrink(own.P, own.v, j, st.expansion.n[0])
