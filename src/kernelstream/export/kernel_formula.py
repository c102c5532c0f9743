"""The formula of a kernel, found by calling it with a symbol in place of a number.

So a kernel is written only once: what numba compiles is also exported, including sums, products and a user's own
classes. A `FormulaWriter` translates a formula into another language.
"""

from collections.abc import Callable
from typing import Any, Protocol, TypeVar

import numpy as np

from ..kernels import Kernel, OfDot, OfManhattan, Radial
from ..kernels.combine import MixedMultiple, MixedProduct, MixedSum

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
_FAMILIES: dict[type[Kernel], str] = {Radial: SQUARED, OfDot: DOT, OfManhattan: MANHATTAN}


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
    """Which of `squared`, `dot` and `manhattan` a formula uses."""
    if formula.parts:
        return set().union(*map(quantities, formula.parts))
    return set() if formula.constant else {str(formula.what)}


def formula_of(kernel: Kernel) -> Formula:
    """A kernel as a formula of `squared`, `dot` and `manhattan`; a ValueError if it has none.

    >>> from kernelstream.kernels import Gaussian, Linear
    >>> formula_of(Gaussian(2.0) + 0.5 * Linear())
    add(exp(mul(-2.0, squared)), mul(0.5, dot))
    """
    if isinstance(kernel, MixedSum):
        return formula_of(kernel.left) + formula_of(kernel.right)
    if isinstance(kernel, MixedProduct):
        return formula_of(kernel.left) * formula_of(kernel.right)
    if isinstance(kernel, MixedMultiple):
        return formula_of(kernel.kernel) * kernel.factor
    quantity = next((name for family, name in _FAMILIES.items() if isinstance(kernel, family)), None)
    if quantity is None:
        raise ValueError(
            f"{kernel!r} is a Python function of two vectors, so the model cannot be exported. Kernels of a distance "
            "or a dot product can be, and their sums and products: for your own kernel, subclass Radial, OfDot or "
            "OfManhattan."
        )
    try:
        found = kernel.of(Formula(quantity))
    except (TypeError, AttributeError) as error:
        raise ValueError(
            f"{kernel!r} cannot be exported: its `of` must use only arithmetic and NumPy functions ({error})."
        ) from None
    return found if isinstance(found, Formula) else Formula(found)


T = TypeVar("T")


class FormulaWriter(Protocol[T]):
    """Translates the parts of a formula into another language."""

    def constant(self, value: float) -> T: ...

    def operation(self, name: str, operands: list[T]) -> T: ...


def written(formula: Formula, values: dict[str, T], writer: FormulaWriter[T]) -> T:
    """A formula in another language; a part that occurs twice is written once.

    Parameters
    ----------
    formula : Formula
        The formula of a kernel.
    values : dict
        What its variables are in the other language, by name.
    writer : FormulaWriter
        How each operation is written.
    """
    known: dict[int, T] = {}

    def write(part: Formula) -> T:
        if id(part) not in known:
            if part.parts:
                known[id(part)] = writer.operation(str(part.what), [write(inner) for inner in part.parts])
            else:
                known[id(part)] = values[part.what] if isinstance(part.what, str) else writer.constant(part.what)
        return known[id(part)]

    return write(formula)


class NumpyWriter:
    """Evaluates formulas with NumPy, in one precision."""

    def __init__(self, dtype: Any):
        self.dtype = np.dtype(dtype)

    def constant(self, value: float) -> Any:
        return self.dtype.type(value)

    def operation(self, name: str, operands: list[Any]) -> Any:
        return _OPERATIONS[name](*operands)
