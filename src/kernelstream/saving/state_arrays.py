"""The state of a model as named arrays, and back."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from ..core.state import PASSING, Derived, State, copy_into
from .state_checks import check_numbers, check_state


def named(node: Any, path: str = "") -> Iterator[tuple[str, np.ndarray]]:
    """Every array of a state with its path: ("expansion.sv", …)."""
    if isinstance(node, np.ndarray):
        yield path, node
    elif not isinstance(node, Derived):
        for field, part in zip(getattr(node, "_fields", ()), node, strict=True):
            if not (isinstance(node, State) and field in PASSING):
                yield from named(part, f"{path}.{field}" if path else field)


def stored(node: Any, new: Any, path: str = "") -> dict[str, np.ndarray]:
    """The arrays to store: of each, the leading block that differs from a new state's."""
    pairs = zip(named(node, path), named(new, path), strict=True)
    return {name: _leading(array, fresh) for (name, array), (_, fresh) in pairs}


def _leading(array: np.ndarray, new: np.ndarray) -> np.ndarray:
    """The smallest leading block outside which both arrays are equal, bit for bit."""
    word = f"u{array.itemsize}"
    differs = array.view(word) != new.view(word)
    block = []
    for axis in range(array.ndim):
        others = tuple(a for a in range(array.ndim) if a != axis)
        indices = np.flatnonzero(differs.any(axis=others))
        block.append(slice(0, int(indices[-1]) + 1 if len(indices) else 0))
    return array[tuple(block)]


# statistics of the run that files of schema 1 do not have
_SINCE_2 = ("large", "weighted", "passes", "travel", "error_most", "square_sum", "intact")


def restore(new: Any, found: dict[str, np.ndarray], path: str = "", schema: int = 2) -> None:
    """Copy the arrays of `stored` into a new state; a ValueError if they are not those of its recipe."""
    fresh = dict(named(new, path))
    if schema < 2:
        # `intact` is 0, so that nothing is concluded from the others
        found = found | {f"run.{name}": np.zeros_like(fresh[f"run.{name}"]) for name in _SINCE_2}
    unmatched = sorted(found.keys() ^ fresh.keys())
    if unmatched:
        what = "is not known to this version" if unmatched[0] in found else "is missing"
        raise ValueError(f"the array {unmatched[0]!r} {what}")
    for name, array in fresh.items():
        part = found[name]
        fits = part.dtype == array.dtype and part.ndim == array.ndim
        if not fits or any(k > size for k, size in zip(part.shape, array.shape, strict=True)):
            raise ValueError(
                f"the array {name!r} is {part.dtype.name} {part.shape}, which does not fit {array.dtype.name} "
                f"{array.shape}"
            )
        check_numbers(part, name)
        copy_into(part, array)
    check_state(new, path)
