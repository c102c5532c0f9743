"""A state as named arrays, and back."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from ..core.state import PASSING, Derived, State, copy_into

# counters, and the array beside them whose last axis they count: compiled code trusts them
_COUNTS = {"n": "sv", "waiting": "s", "staged": "xx", "seen": "xx", "kept": "history", "filled": "weight"}


def named(node: Any, path: str = "") -> Iterator[tuple[str, np.ndarray]]:
    """Every array that makes up the model, by its path: ("expansion.sv", …)."""
    if isinstance(node, np.ndarray):
        yield path, node
    elif not isinstance(node, Derived):
        for field, part in zip(getattr(node, "_fields", ()), node, strict=True):
            if not (isinstance(node, State) and field in PASSING):
                yield from named(part, f"{path}.{field}" if path else field)


def stored(node: Any, new: Any, path: str = "") -> dict[str, np.ndarray]:
    """What a file holds of a state: each array as far as it differs from that of a new one."""
    pairs = zip(named(node, path), named(new, path), strict=True)
    return {name: _leading(array, fresh) for (name, array), (_, fresh) in pairs}


def _leading(array: np.ndarray, new: np.ndarray) -> np.ndarray:
    """The smallest leading block outside which both arrays are the same, bit for bit."""
    word = f"u{array.itemsize}"
    differs = array.view(word) != new.view(word)
    block = []
    for axis in range(array.ndim):
        others = tuple(a for a in range(array.ndim) if a != axis)
        places = np.flatnonzero(differs.any(axis=others))
        block.append(slice(0, int(places[-1]) + 1 if len(places) else 0))
    return array[tuple(block)]


def restore(new: Any, found: dict[str, np.ndarray], path: str = "") -> None:
    """Write what `stored` took apart into a new state; a ValueError where the arrays are not those of this recipe."""
    fresh = dict(named(new, path))
    strangers = sorted(found.keys() ^ fresh.keys())
    if strangers:
        where = "the file" if strangers[0] in found else "this version's state"
        raise ValueError(f"the array {strangers[0]!r} is in {where} only")
    for name, array in fresh.items():
        part = found[name]
        fits = part.dtype == array.dtype and part.ndim == array.ndim
        if not fits or any(k > size for k, size in zip(part.shape, array.shape, strict=True)):
            raise ValueError(
                f"the array {name!r} is {part.dtype.name} {part.shape}, where {array.dtype.name} {array.shape} is due"
            )
        copy_into(part, array)
    _check_counts(new)


def _check_counts(node: Any) -> None:
    if isinstance(node, tuple) and not isinstance(node, Derived):
        for count, counted in _COUNTS.items():
            if hasattr(node, count) and hasattr(node, counted):
                number, room = int(getattr(node, count)[0]), getattr(node, counted).shape[-1]
                if not 0 <= number <= room:
                    raise ValueError(f"{count} is {number} where there is room for {room}")
        for part in node:
            _check_counts(part)
