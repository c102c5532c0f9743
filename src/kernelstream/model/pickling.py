"""Strategies taken apart, for formats that make a plain tuple of every tuple, as skops does."""

from typing import Any

from ..core.strategy import Strategy


def apart(value: Any) -> Any:
    """A strategy as its class and its parameters; anything else, and a kernel made of a function, as it is.

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
    """What `apart` took apart."""
    if not isinstance(value, dict) or value.keys() != {"strategy", "parameters"}:
        return value
    return value["strategy"](**{name: whole(part) for name, part in value["parameters"].items()})
