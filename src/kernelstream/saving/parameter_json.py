"""Parameters as JSON: numbers, strings, labels, and strategies by the names of their classes.

A strategy is {"strategy": "Gaussian", "parameters": {"gamma": 4.0}}. Its class is looked up among those of this library
and those that the user has registered in this process, so reading a file never imports anything.
"""

import functools
import math
import sys
from collections.abc import Iterator
from typing import Any

import numpy as np

from ..core.registry import USER_STRATEGIES, NameFromFile, Registry, strategy_name
from ..core.strategy import Strategy
from ..kernels import KERNELS, combine  # noqa: F401  combine defines sums and products of kernels
from ..losses import LOSSES
from ..recipe import Composition, Recipe  # noqa: F401  imports every stage
from ..recipes import RECIPES  # and the strategies that only recipes use, such as random features

_PLAIN = (bool, int, str, type(None))
_REGISTRIES: dict[str, Registry[Any]] = {"algorithm": RECIPES, "kernel": KERNELS, "loss": LOSSES}


def _own(base: type[Strategy]) -> Iterator[type[Strategy]]:
    package = __name__.partition(".")[0]
    for cls in base.__subclasses__():
        # defined in its module under its name: not a user's class, nor one made of a user's function
        if cls.__module__.partition(".")[0] == package and vars(sys.modules[cls.__module__]).get(cls.__name__) is cls:
            yield cls
        yield from _own(cls)


@functools.cache
def registry() -> dict[str, type[Strategy]]:
    """The library's strategies by name."""
    return {cls.__name__: cls for cls in _own(Strategy)}


def _class_named(name: str) -> type[Strategy] | None:
    """A strategy of the library, or one that the user has registered in this process."""
    return registry().get(name) or USER_STRATEGIES.get(name)


def encode(value: Any) -> Any:
    """A parameter as JSON; a ValueError if that is impossible.

    >>> from kernelstream.kernels import Gaussian
    >>> encode(Gaussian(4.0))
    {'strategy': 'Gaussian', 'parameters': {'gamma': 4.0}}
    """
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, _PLAIN):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else {"number": repr(value)}
    if isinstance(value, Strategy):
        cls = type(value)
        name = cls.__name__ if registry().get(cls.__name__) is cls else strategy_name(cls)
        if _class_named(name) is not cls:
            raise ValueError(
                f"{value!r} is not part of kernelstream, and a model file holds no code. Register its class with "
                "kernelstream.saving.register_strategy, here and wherever the file is loaded. Use pickle for a kernel "
                "made of a function."
            )
        return {"strategy": name, "parameters": {key: encode(part) for key, part in value.parameters().items()}}
    if isinstance(value, dict):
        return {"items": [[encode(key), encode(part)] for key, part in value.items()]}
    if isinstance(value, np.random.RandomState):
        return {"RandomState": _random_state(value)}
    raise ValueError(f"{value!r} cannot be saved in a model file, which holds no code. Use pickle for this model.")


def decode(value: Any) -> Any:
    """The parameter that `encode` wrote."""
    if isinstance(value, (*_PLAIN, float)):
        return value
    match value:
        case {"strategy": str(name), "parameters": dict(parameters)}:
            cls = _class_named(name)
            if cls is None:
                raise ValueError(f"unknown strategy {name!r}: if it is your own, import the module that registers it")
            return cls(**{key: decode(part) for key, part in parameters.items()})
        case {"number": str(text)}:
            return float(text)
        case {"items": list(items)}:
            return {decode(key): decode(part) for key, part in items}
        case {"RandomState": [list(keys), int(position), int(has), float(cached)]}:
            state = np.random.RandomState()
            state.set_state(("MT19937", np.array(keys, np.uint32), position, has, cached))
            return state
    raise ValueError(f"{value!r} is not a parameter value")


def decode_parameters(saved: dict[str, Any]) -> dict[str, Any]:
    """Parameters of an estimator, by name."""
    return mark_unknown_names({name: decode(value) for name, value in saved.items()})


def mark_unknown_names(parameters: dict[str, Any]) -> dict[str, Any]:
    """Parameters from a file. For recipes, kernels and losses that are not registered, nothing will be imported."""
    return parameters | {
        name: NameFromFile(value)
        for name, registry in _REGISTRIES.items()
        if isinstance(value := parameters.get(name), str) and value not in registry
    }


def _random_state(value: np.random.RandomState) -> list[Any]:
    state = value.get_state(legacy=False)
    kind, inner = state["bit_generator"], state["state"]
    if kind != "MT19937":
        raise ValueError(f"random_state uses {kind}; a model file can hold only a RandomState(seed).")
    return [inner["key"].tolist(), inner["pos"], state["has_gauss"], float(state["gauss"])]


def encode_labels(values: np.ndarray) -> dict[str, Any]:
    """A 1-d array of numbers, strings or booleans as JSON."""
    listed = values.tolist()
    fits = values.dtype.kind in "biuU" or values.dtype in (np.float16, np.float32, np.float64)
    if not fits and not (values.dtype.kind == "O" and all(isinstance(v, (bool, int, float, str)) for v in listed)):
        raise ValueError(
            f"{values!r} cannot be saved in a model file, which holds numbers, strings and booleans. "
            "Use pickle for this model."
        )
    if values.dtype.kind == "O":
        listed = [encode(v) for v in listed]
    return {"dtype": values.dtype.str, "values": listed}


def decode_labels(saved: Any) -> np.ndarray:
    """The array that `encode_labels` wrote."""
    match saved:
        case {"dtype": str(name), "values": list(values)} if np.dtype(name).kind in "biufUO":
            found = np.empty(len(values), np.dtype(name))
            found[:] = [decode(v) for v in values]
            return found
    raise ValueError(f"{saved!r} is not an array of labels")
