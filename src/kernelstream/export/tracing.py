"""The formula of a kernel, found by letting it compute with a symbol in place of a number.

So a kernel is written once: what numba compiles is also what is exported, sums and products and kernels of a user's own
class included.
"""

from ..kernels import Kernel, OfDot, OfManhattan, Radial
from ..kernels.combine import MixedMultiple, MixedProduct, MixedSum
from .formula import DOT, MANHATTAN, SQUARED, Formula

_FAMILIES: dict[type[Kernel], str] = {Radial: SQUARED, OfDot: DOT, OfManhattan: MANHATTAN}


def formula_of(kernel: Kernel) -> Formula:
    """What a kernel computes of `squared`, `dot` and `manhattan`; a ValueError if it is no such function.

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
            f"{kernel!r} is a function of two vectors that only Python can run, so the model cannot be exported. "
            "Kernels of a distance or a dot product can be, and their sums and products; for one of your own, write a "
            "class of Radial, OfDot or OfManhattan."
        )
    try:
        found = kernel.of(Formula(quantity))
    except (TypeError, AttributeError) as error:
        raise ValueError(
            f"{kernel!r} cannot be exported: its `of` is not a formula of arithmetic and NumPy functions ({error})."
        ) from None
    return found if isinstance(found, Formula) else Formula(found)
