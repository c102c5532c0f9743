"""The base class of maintenance that wraps another and needs what the other needs."""

from typing import TYPE_CHECKING, Any, NamedTuple

from ..core.state import Expansion, State
from ..core.strategy import Dims, Facts
from ..core.types import Parts
from .base import Maintenance

if TYPE_CHECKING:
    from ..core.inverse import Inverse


class Inner(NamedTuple):
    inner: tuple


class Wrapping(Maintenance):
    """Base class of rules that decide *when* another rule, the parameter `inner`, acts."""

    __slots__ = ()
    inner: Any

    def check(self) -> None:
        name = type(self).__name__
        if not isinstance(self.inner, Maintenance):
            raise ValueError(f"{name}: inner must be a Maintenance such as Remove(), not {self.inner!r}.")
        if not self.inner.reduces:
            raise ValueError(
                f"{name}: {self.inner!r} cannot remove a single support vector. Use Remove(), for example."
            )

    def resolve(self, facts: Facts) -> Maintenance:
        return self.replace(inner=self.inner.resolve(facts))

    @property
    def needs_inverse(self) -> bool:
        return bool(self.inner.needs_inverse)

    @property
    def needs_norm(self) -> bool:
        return bool(self.inner.needs_norm)

    @property
    def needs_merging(self) -> bool:
        return bool(self.inner.needs_merging)

    @property
    def keeper(self) -> "Inverse | None":
        keeper: Inverse | None = self.inner.keeper
        return keeper

    def init(self, dims: Dims) -> Inner:
        return Inner(self.inner.init(dims))

    def reduce(self, own: Inner, r: Parts, st: State) -> None:
        self.inner.reduce(own.inner, r, st)

    def removals(self, n: int, batch: int) -> int:
        return self.inner.removals(n, batch)

    def inserted(self, own: Inner, r: Parts, st: State, j: int) -> None:
        self.inner.inserted(own.inner, r, st, j)

    def dropping(self, own: Inner, r: Parts, st: State, j: int) -> None:
        self.inner.dropping(own.inner, r, st, j)

    def replaced(self, own: Inner, r: Parts, st: State, j: int) -> None:
        self.inner.replaced(own.inner, r, st, j)

    def restart(self, own: Inner, ex: Expansion) -> None:
        self.inner.restart(own.inner, ex)
