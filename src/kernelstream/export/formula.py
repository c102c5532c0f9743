"""Formulas of kernels: arithmetic that is written down instead of done, and can be said in another language."""

from collections.abc import Callable
from typing import Any, Protocol, TypeVar

import numpy as np

SQUARED, DOT, MANHATTAN = "squared", "dot", "manhattan"  # ‖x − z‖², x · z and Σ_k |x_k − z_k|
_OPERATIONS: dict[str, Callable[..., Any]] = {
    "add": np.add,
    "sub": np.subtract,
    "mul": np.multiply,
    "div": np.divide,
    "pow": np.power,
    "neg": np.negative,
    "exp": np.exp,
    "log": np.log,
    "sqrt": np.sqrt,
    "abs": np.abs,
    "cos": np.cos,
    "sin": np.sin,
    "tanh": np.tanh,
    "min": np.minimum,
    "max": np.maximum,
}
_NAMES = {function: name for name, function in _OPERATIONS.items()}


class Formula:
    """A constant, the name of a quantity, or an operation on other formulas.

    >>> u = Formula("squared")
    >>> 2.0 * np.exp(-u)
    mul(2.0, exp(neg(squared)))
    """

    def __init__(self, what: float | str, *parts: "Formula"):
        self.what, self.parts = what if isinstance(what, str) else float(what), parts

    @property
    def constant(self) -> bool:
        return isinstance(self.what, float)

    def __repr__(self) -> str:
        return f"{self.what}({', '.join(map(repr, self.parts))})" if self.parts else str(self.what)

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
        if ufunc not in _NAMES or method != "__call__" or options:
            return NotImplemented
        return _apply(_NAMES[ufunc], *inputs)

    def __bool__(self) -> bool:
        raise TypeError("a formula has no branches")

    def __add__(self, other: Any) -> "Formula":
        return _apply("add", self, other)

    def __radd__(self, other: Any) -> "Formula":
        return _apply("add", other, self)

    def __sub__(self, other: Any) -> "Formula":
        return _apply("sub", self, other)

    def __rsub__(self, other: Any) -> "Formula":
        return _apply("sub", other, self)

    def __mul__(self, other: Any) -> "Formula":
        return _apply("mul", self, other)

    def __rmul__(self, other: Any) -> "Formula":
        return _apply("mul", other, self)

    def __truediv__(self, other: Any) -> "Formula":
        return _apply("div", self, other)

    def __rtruediv__(self, other: Any) -> "Formula":
        return _apply("div", other, self)

    def __pow__(self, other: Any) -> "Formula":
        return _apply("pow", self, other)

    def __neg__(self) -> "Formula":
        return _apply("neg", self)

    def __abs__(self) -> "Formula":
        return _apply("abs", self)


def _apply(operation: str, *operands: Any) -> Formula:
    parts = [part if isinstance(part, Formula) else Formula(part) for part in operands]
    if all(part.constant for part in parts):
        return Formula(float(_OPERATIONS[operation](*(part.what for part in parts))))
    return Formula(operation, *parts)


def quantities(formula: Formula) -> set[str]:
    """Which of `squared`, `dot` and `manhattan` a formula needs."""
    if formula.parts:
        return set().union(*map(quantities, formula.parts))
    return set() if formula.constant else {str(formula.what)}


T = TypeVar("T")


class Writer(Protocol[T]):
    """Whoever says a formula in another language."""

    def constant(self, value: float) -> T: ...

    def operation(self, name: str, operands: list[T]) -> T: ...


def written(formula: Formula, values: dict[str, T], writer: Writer[T]) -> T:
    """A formula in another language; what occurs twice is written once."""
    known: dict[int, T] = {}

    def write(part: Formula) -> T:
        if id(part) not in known:
            if part.parts:
                known[id(part)] = writer.operation(str(part.what), [write(inner) for inner in part.parts])
            else:
                known[id(part)] = values[part.what] if isinstance(part.what, str) else writer.constant(part.what)
        return known[id(part)]

    return write(formula)


class Numbers:
    """Formulas as arrays of one precision."""

    def __init__(self, dtype: Any):
        self.dtype = np.dtype(dtype)

    def constant(self, value: float) -> Any:
        return self.dtype.type(value)

    def operation(self, name: str, operands: list[Any]) -> Any:
        return _OPERATIONS[name](*operands)
