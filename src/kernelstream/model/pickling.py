"""Strategies as plain dictionaries, for serialisers that turn every tuple into a plain one, such as skops."""

from typing import Any

from ..core.strategy import Strategy


def apart(value: Any) -> Any:
    """A strategy as a dictionary of its class and parameters. Other values, and kernels made of functions, are returned
    unchanged.

    >>> from kernelstream.losses import Huber
    >>> apart(Huber(0.5))
    {'strategy': <class 'kernelstream.losses.regression.Huber'>, 'parameters': {'delta': 0.5}}
    >>> whole(apart(Huber(0.5)))
    Huber(delta=0.5)
    """
    if not isinstance(value, Strategy) or type(value).__reduce__ is not Strategy.__reduce__:
        return value
    return {"strategy": type(value), "parameters": {name: apart(part) for name, part in value.parameters().items()}}


def whole(value: Any) -> Any:
    """The inverse of `apart`."""
    if not isinstance(value, dict) or value.keys() != {"strategy", "parameters"}:
        return value
    return value["strategy"](**{name: whole(part) for name, part in value["parameters"].items()})
