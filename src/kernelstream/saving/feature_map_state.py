"""A feature map as JSON and arrays, and back."""

from typing import Any

import numpy as np

from ..tuning import FeatureMap, RankColumn

_NAMES = ("shift", "factor", "knots", "values")
MAP_ARRAYS = tuple(f"map.{name}" for name in _NAMES)


def map_to_dict(found: FeatureMap | None, arrays: dict[str, np.ndarray]) -> dict[str, Any] | None:
    """Its description; its arrays are added to `arrays`."""
    if found is None:
        return None
    knots, values = ([getattr(column, name) for column in found.ranks] for name in ("knots", "values"))
    parts = (found.shift, found.factor, np.concatenate([np.empty(0), *knots]), np.concatenate([np.empty(0), *values]))
    arrays |= dict(zip(MAP_ARRAYS, parts, strict=True))
    return {"sources": [column.source for column in found.ranks], "lengths": [len(each) for each in knots]}


def map_from_dict(saved: dict[str, Any] | None, arrays: dict[str, np.ndarray]) -> FeatureMap | None:
    """The map; a ValueError if it is not one."""
    if saved is None:
        return None
    shift, factor, knots, values = (arrays[name].astype(np.float64) for name in MAP_ARRAYS)
    sources, lengths = saved["sources"], saved["lengths"]
    fits = all(part.ndim == 1 and np.isfinite(part).all() for part in (shift, factor, knots, values))
    fits = fits and len(shift) == len(factor) > 0 and len(sources) == len(lengths) and len(knots) == len(values)
    fits = fits and all(type(n) is int and n >= 2 for n in lengths) and sum(lengths) == len(knots)
    fits = fits and all(type(j) is int and 0 <= j < len(shift) for j in sources) and bool((factor >= 0.0).all())
    if not fits:
        raise ValueError("its map of features is not one")
    ends: list[int] = np.cumsum(lengths)[:-1].tolist()
    pieces = zip(sources, np.split(knots, ends), np.split(values, ends), strict=False)
    ranks = (
        tuple(RankColumn(j, np.ascontiguousarray(q), np.ascontiguousarray(v)) for j, q, v in pieces) if sources else ()
    )
    if any((np.diff(column.knots) <= 0.0).any() for column in ranks):
        raise ValueError("the knots of its ranks do not ascend")
    return FeatureMap(shift, factor, ranks)
