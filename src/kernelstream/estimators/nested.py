"""Parameters inside strategies, as scikit-learn names them: `kernel__gamma`, `algorithm__kernel__gamma`."""

from typing import Any, Self

from ..core.strategy import Strategy
from ..model.pickling import apart, whole
from .documentation_link import LinkedEstimator


def parts(value: Strategy) -> dict[str, Any]:
    """Every parameter of a strategy and of its parts, by its path.

    >>> from kernelstream.recipes import bsgd
    >>> parts(bsgd(budget=50))["budget__size"]
    50
    """
    found: dict[str, Any] = {}
    for name, part in value.parameters().items():
        found[name] = part
        if isinstance(part, Strategy):
            found |= {f"{name}__{inner}": deep for inner, deep in parts(part).items()}
    return found


class NestedParameters(LinkedEstimator):
    """get_params and set_params for the parameters of strategies too."""

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """The parameters by name; with `deep`, those of kernels, losses and recipes too."""
        found = super().get_params(deep=deep)
        if deep:
            for name, value in list(found.items()):
                if isinstance(value, Strategy):
                    found |= {f"{name}__{inner}": part for inner, part in parts(value).items()}
        return found

    def set_params(self, **params: Any) -> Self:
        """Set parameters by name; `kernel__gamma=2.0` and `algorithm__budget=50` reach into a kernel or a recipe."""
        nested: dict[str, dict[str, Any]] = {}
        own = {}
        for name, value in params.items():
            head, _, rest = name.partition("__")
            if rest and head in self._get_param_names():
                nested.setdefault(head, {})[rest] = value
            else:
                own[name] = value
        super().set_params(**own)
        for head, changes in nested.items():
            setattr(self, head, self._changed(head, changes))
        return self

    def __getstate__(self) -> dict[str, Any]:
        return {name: apart(value) for name, value in super().__getstate__().items()}

    def __setstate__(self, state: dict[str, Any]) -> None:
        super().__setstate__({name: whole(value) for name, value in state.items()})

    def _changed(self, head: str, changes: dict[str, Any]) -> Strategy:
        value = getattr(self, head)
        if not isinstance(value, Strategy):
            wanted = ", ".join(f"{head}__{rest}" for rest in changes)
            raise ValueError(
                f"{type(self).__name__}: {head} is {value!r}, which has no parameters, so {wanted} cannot be set. "
                f"Give {head} as a value such as {_EXAMPLES.get(head, 'a strategy')}."
            )
        return value.replace(**changes)


_EXAMPLES = {
    "algorithm": "recipes.bsgd()",
    "kernel": "kernels.Gaussian()",
    "loss": "losses.Huber()",
    "budget": "budgets.Fixed(100)",
}
