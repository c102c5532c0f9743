"""Projection of a support vector onto the others."""

import math

from ..core.changes import drop, record, spread
from ..core.expansion import coefficient, squared
from ..core.inverse.symmetric import read_row
from ..core.numba.lowering import compiled
from ..core.state import State
from ..core.strategy import NonNegative, strategy
from ..core.types import Own, Parts
from .base import Choice, Maintenance
from .choice import Smallest, cheapest


@compiled
def project_out(r: Parts, st: State, p: int) -> float:
    """Replace a_p κ(x_p, ·) by its projection onto the other SVs; returns the squared distance ‖a_p‖²/Q_pp."""
    ex, a, v = st.expansion, st.work.a, st.inverse.v
    n = ex.n[0]
    read_row(st.inverse.Q, p, n, v)
    q = 1.0 / v[p]
    coefficient(ex, p, a)
    for i in range(n):
        v[i] *= -q
    lost = squared(a) * q
    spread(r, st, v, a)
    r.norm.shifted(st.norm, -lost)
    drop(r, st, p)
    return lost


@strategy
class Project(Maintenance):
    """Project the chosen support vector onto all others: a_i += a_p d_i, d = K⁻¹_{−p} k_p.

    `Smallest()` is the papers' choice; `Cheapest()` finds the one whose projection loses least, at no extra cost.

    Parameters
    ----------
    choice : Choice, default Smallest()
        Which support vector is projected.
    """

    choice: Choice = Smallest()
    needs_inverse = True

    def reduce(self, own: Own, r: Parts, st: State) -> None:
        record(st, project_out(r, st, self.choice.pick(r, st)))


@strategy
class Prune(Maintenance):
    """Destructive kernel orthogonal matching pursuit (POLK): after every update, repeatedly remove the support vector
    whose projection loses least, while the total distance stays within ε_t = factor · η_t^power.

    The errors of successive projections are orthogonal, so their squares add up.

    Parameters
    ----------
    factor : float, default 1.0
        The factor of the tolerance ε_t: the K of POLK.
    power : float, default 1.5
        The power of the step in the tolerance ε_t.
    """

    factor: NonNegative = 1.0
    power: NonNegative = 1.5
    needs_inverse = True
    needs_budget = False
    reduces = False

    def maintain(self, own: Own, r: Parts, st: State) -> None:
        ex = st.expansion
        epsilon = self.factor * st.run.eta[0] ** self.power
        spent = st.run.delta[0]  # by near duplicates that were projected instead of added
        total = spent * spent
        before = ex.n[0]
        while ex.n[0] > 0:
            p = cheapest(st)
            lost = st.work.weight[p] * ex.scale[0] * ex.scale[0]
            if total + lost > epsilon * epsilon:
                break
            total += project_out(r, st, p)
        if ex.n[0] < before:
            record(st, (math.sqrt(total) - spent) ** 2)
