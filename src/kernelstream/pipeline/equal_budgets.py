"""The same budget for all recipes of a comparison: a number of support vectors, or a number of bytes."""

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from ..budgets.memory import bytes_in
from ..estimators.resolution import parameters_of
from .settings import Estimator, Settings, accepted, make_estimator

if TYPE_CHECKING:
    from .first_rows import FirstRows

VECTORS, MEMORY = 200, 256 << 10  # if nothing is said
_MOST = 1 << 20  # support vectors tried


class EqualBudget(NamedTuple):
    """At most so many support vectors, or so many bytes for everything that a model keeps."""

    vectors: int | None = VECTORS
    limit: int | None = None

    @classmethod
    def of(cls, budget: Any, equal: str | None) -> "EqualBudget":
        """From the options: a budget that is a size is one in bytes.

        >>> EqualBudget.of(None, None), EqualBudget.of("64 KiB", None), EqualBudget.of(None, "memory").limit
        (EqualBudget(vectors=200, limit=None), EqualBudget(vectors=None, limit=65536), 262144)
        """
        if equal not in (None, "vectors", "memory"):
            raise ValueError(f"--equal is {equal!r}; use vectors or memory.")
        limit = bytes_in(budget) if isinstance(budget, str) else None
        if isinstance(budget, str) and limit is None:
            raise ValueError(f"--budget {budget!r} is neither a number of support vectors nor a size such as '64 KiB'.")
        if equal == "memory" and budget is not None and limit is None:
            raise ValueError(f"--equal memory needs a size, and --budget is {budget}: use e.g. --budget '64 KiB'.")
        if equal == "vectors" and limit is not None:
            raise ValueError(f"--equal vectors needs a number of support vectors, and --budget is {budget!r}.")
        if equal == "memory" or limit is not None:
            return cls(None, limit or MEMORY)
        return cls(VECTORS if budget is None else budget)

    def parameters(self, name: str, given: dict[str, Any]) -> dict[str, Any]:
        """Those of a recipe: its own of the given ones, and the budget.

        D random frequencies are 2D features, each with a coefficient, as a support vector has one.

        >>> EqualBudget(200).parameters("fogd", {"gamma": 2.0}), EqualBudget(200).parameters("pegasos", {})
        ({'gamma': 2.0, 'frequencies': 100}, {})
        """
        own = accepted(name, {key: value for key, value in given.items() if key != "budget"})
        takes = parameters_of(name)
        if "budget" in takes:
            own["budget"] = self.vectors if self.limit is None else f"{self.limit} B"
        elif "frequencies" in takes and "frequencies" not in own and self.vectors is not None:
            own["frequencies"] = max(self.vectors // 2, 1)
        return own

    def estimator(self, settings: Settings, name: str) -> "tuple[Estimator, Callable[[FirstRows], Estimator] | None]":
        """An untrained estimator; and if it must be made within the bytes when the first rows are known, how."""
        own = replace(settings, algorithm=name, parameters=self.parameters(name, settings.parameters), adapt=False)
        takes = parameters_of(name)
        count = "budget" if "budget" in takes else "frequencies" if "frequencies" in takes else None
        if self.limit is None or count is None or count in settings.parameters.keys() - {"budget"}:
            return make_estimator(own), None
        if count == "budget":
            try:
                return make_estimator(own), None
            except ValueError:
                pass  # a recipe that counts with its budget takes no size
        limit = self.limit

        def sized(size: int) -> Estimator:
            return make_estimator(replace(own, parameters=own.parameters | {count: size}))

        return sized(2), lambda first: _within(sized, first, limit)

    def __str__(self) -> str:
        """For titles.

        >>> str(EqualBudget(200)), str(EqualBudget(None, 65536))
        ('200 support vectors', '64 KiB')
        """
        if self.limit is None:
            return f"{self.vectors:,} support vectors"
        return f"{self.limit / 1024:,.0f} KiB" if self.limit >= 1024 else f"{self.limit} bytes"


def _within(sized: Callable[[int], Estimator], first: "FirstRows", limit: int) -> Estimator:
    """The largest initialized estimator within the bytes."""

    def made(size: int) -> Estimator:
        found = sized(size)
        first.initialize(found)
        return found

    best = made(2)
    if best.model_.nbytes > limit:
        raise ValueError(f"{limit:,} bytes do not hold the smallest model, which needs {best.model_.nbytes:,}.")
    low, high = 2, 4
    while high < _MOST and (found := made(high)).model_.nbytes <= limit:
        best, low, high = found, high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        found = made(middle)
        if found.model_.nbytes <= limit:
            best, low = found, middle
        else:
            high = middle
    return best
