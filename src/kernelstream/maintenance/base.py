"""Maintenance: what is done when the model exceeds its budget."""

from typing import TYPE_CHECKING

from ..core.state import Expansion, State
from ..core.strategy import Strategy, lowered
from ..core.types import Own, Parts

if TYPE_CHECKING:
    from ..core.inverse import Inverse


class Maintenance(Strategy):
    """Stage 5, maintain. A rule decides when to act as well as how: by default as soon as n exceeds the budget.

    Every maintenance step records the exact distance ‖f_before − f_after‖, or NaN if it is not known.

    A rule may keep numbers for each support vector, in arrays of length `dims.capacity` that `init` returns. It is told
    when a slot changes, whoever changes it: `inserted`, `dropping`, `replaced`, and `restart` for all at once.
    """

    __slots__ = ()
    needs_budget = True
    reduces = True  # can remove a single support vector

    @property
    def needs_inverse(self) -> bool:
        return False

    @property
    def keeper(self) -> "Inverse | None":
        """The `Inverse` that this rule needs; None for the usual one."""
        return None

    @property
    def needs_norm(self) -> bool:
        return False

    @property
    def needs_merging(self) -> bool:
        return False

    @lowered
    def prepare(self, own: Own, r: Parts, st: State, incoming: int) -> None:
        """Called at every update, before `incoming` new support vectors (or none) are added, for rules that never
        change the newest."""

    @lowered
    def maintain(self, own: Own, r: Parts, st: State) -> None:
        """Called after they were added."""
        while st.expansion.n[0] > r.budget.at(st.run.t[0]):
            self.reduce(own, r, st)

    @lowered
    def reduce(self, own: Own, r: Parts, st: State) -> None:
        """Bring the number of support vectors down by one."""
        raise NotImplementedError

    @lowered
    def removals(self, n: int, batch: int) -> int:
        """The most support vectors that one update may remove or move: merging moves one for each that it removes."""
        return 2 * (n + batch)

    @lowered
    def inserted(self, own: Own, r: Parts, st: State, j: int) -> None:
        """Slot j has a new support vector."""

    @lowered
    def dropping(self, own: Own, r: Parts, st: State, j: int) -> None:
        """SV j is about to be removed; the last one, in slot n − 1, takes its slot."""

    @lowered
    def replaced(self, own: Own, r: Parts, st: State, j: int) -> None:
        """SV j is another point now, with another coefficient: support-vector merging has moved it."""

    def restart(self, own: Own, ex: Expansion) -> None:
        """All n support vectors are new ones (from Python, after f has been replaced)."""


class Choice(Strategy):
    """Which support vector is removed."""

    __slots__ = ()
    needs_inverse = False

    @lowered
    def pick(self, r: Parts, st: State) -> int:
        """The slot of the support vector to remove."""
        raise NotImplementedError
