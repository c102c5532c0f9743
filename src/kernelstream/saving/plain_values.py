"""Values of plain parts, such as the statistics of a running scale, as JSON with arrays beside it."""

from collections.abc import Hashable
from typing import Any

import numpy as np

_PLAIN = (str, int, float, bool, type(None))


def plain(what: str, value: Any) -> Any:
    """A value that JSON returns unchanged; a ValueError if it is not one."""
    if isinstance(value, np.generic):
        value = value.item()
    if not isinstance(value, _PLAIN):
        raise ValueError(f"{what} is {value!r}, which a model file cannot hold. Use strings and numbers, or pickle.")
    if isinstance(value, float) and not np.isfinite(value):
        raise ValueError(
            f"{what} is {value!r}, which a model file cannot hold. Use strings and finite numbers, or pickle."
        )
    return value


def flatten(value: Any, path: str, arrays: dict[str, np.ndarray], kinds: tuple[type, ...] = ()) -> Any:
    """A value of plain parts for JSON; its arrays are added to `arrays`. Objects of `kinds` are taken apart."""
    if isinstance(value, np.ndarray):
        arrays[path] = value.view(np.uint8) if value.dtype == bool else value
        return {"array": path, "bool": value.dtype == bool}
    if isinstance(value, dict):
        return {"dict": [[flatten(k, f"{path}.k{i}", arrays, kinds), flatten(v, f"{path}.{i}", arrays, kinds)]
                         for i, (k, v) in enumerate(value.items())]}  # fmt: skip
    if isinstance(value, (list, tuple)):
        return {type(value).__name__: [flatten(part, f"{path}.{i}", arrays, kinds) for i, part in enumerate(value)]}
    if not isinstance(value, kinds):
        return plain(path, value)
    return {
        "object": type(value).__name__,
        "parts": {k: flatten(v, f"{path}.{k}", arrays, kinds) for k, v in vars(value).items()},
    }


def restored(value: Any, arrays: dict[str, np.ndarray], make: Any = None) -> Any:
    """The opposite of `flatten`; `make` returns a new object of a kind, given its name and parts."""
    if not isinstance(value, dict):
        return value
    if "array" in value:
        array = arrays[value["array"]]
        return array.astype(bool) if value["bool"] else array.copy()
    if "dict" in value:
        found: dict[Hashable, Any] = {restored(k, arrays, make): restored(v, arrays, make) for k, v in value["dict"]}
        return found
    if "list" in value:
        return [restored(part, arrays, make) for part in value["list"]]
    if "tuple" in value:
        return tuple(restored(part, arrays, make) for part in value["tuple"])
    parts = {name: restored(part, arrays, make) for name, part in value["parts"].items()}
    new: Any = make(value["object"], parts)
    for name, fresh in vars(new).items():
        part = parts[name]
        if isinstance(fresh, np.ndarray) and (fresh.dtype != part.dtype or fresh.shape != part.shape):
            raise ValueError(f"{name!r} is {part.dtype} {part.shape}, not {fresh.dtype} {fresh.shape}")
        vars(new)[name] = part
    return new
