"""No maintenance, or removal of a support vector."""

from ..core.changes import drop, record
from ..core.expansion import coefficient, squared
from ..core.numba.lowering import compiled, inlined
from ..core.state import State
from ..core.strategy import strategy
from ..core.types import Own, Parts
from .base import Choice, Maintenance
from .choice import Smallest


@strategy
class Keep(Maintenance):
    """No maintenance: nothing is ever removed, and the model grows."""

    needs_budget = False
    reduces = False

    def maintain(self, own: Own, r: Parts, st: State) -> None:
        pass

    def removals(self, n: int, batch: int) -> int:
        return 0


@compiled
def take_away(r: Parts, st: State, j: int) -> float:
    """f ← f − a_j κ(x_j, ·); returns the squared distance ‖a_j‖² κ_jj."""
    ex, a = st.expansion, st.work.a
    coefficient(ex, j, a)
    lost = squared(a) * ex.diag[j]
    r.norm.taking_sv(st.norm, r, st, j, a)
    r.norm.shifted(st.norm, lost)
    drop(r, st, j)
    return lost


@inlined
def remove(r: Parts, st: State, j: int) -> None:
    """Remove SV j as a step of maintenance."""
    record(st, take_away(r, st, j))


@strategy
class Remove(Maintenance):
    """Remove the chosen support vector.

    Parameters
    ----------
    choice : Choice, default Smallest()
        Which support vector is removed.
    """

    choice: Choice = Smallest()

    @property
    def needs_inverse(self) -> bool:
        return self.choice.needs_inverse

    def reduce(self, own: Own, r: Parts, st: State) -> None:
        remove(r, st, self.choice.pick(r, st))
