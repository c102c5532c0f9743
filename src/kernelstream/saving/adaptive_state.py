"""An adaptive model as JSON and arrays, and back. Each kernel model is a model file inside of the file."""

from typing import Any

import numpy as np

from ..core.precision import DTYPES
from ..model import Model
from ..recipe import Recipe
from ..tracking import AdaptiveModel, DriftEvent, RunningScale, Tracker
from ..tracking.adaptive_model import WarmUpRows
from ..tracking.scaled_tracker import ScaledTracker
from ..tracking.tracker import Total
from .parameter_json import decode, encode
from .plain_values import flatten, plain, restored
from .state_arrays import named, restore

PREFIX = "adaptive"
_MODEL = f"{PREFIX}.model"
_PANEL = f"{PREFIX}.panel"


def adaptive_to_dict(model: AdaptiveModel, arrays: dict[str, np.ndarray]) -> dict[str, Any]:
    """Its description; its arrays are added to `arrays`."""
    for name, array in zip(WarmUpRows._fields, model.first or (), strict=False):
        arrays[f"{PREFIX}.first.{name}"] = array
    return {
        "recipe": encode(model.base),
        "features": model.n_features,
        "classes": model.n_outputs,
        "dtype": model.dtype.name,
        "seed": model.seed,
        "scale": model.scale,
        "warm_up": model.warm_up,
        "names": None if model.names is None else [plain("a feature name", name) for name in model.names],
        "rows": model.rows,
        "warming_up": model.first is not None,
        "stream": None if model.stream is None else _stream_to_dict(model.stream, arrays),
    }


def _stream_to_dict(stream: ScaledTracker, arrays: dict[str, np.ndarray]) -> dict[str, Any]:
    from .save_model import packed

    tracker = stream.tracker
    for i, model in enumerate(tracker.models):
        arrays[f"{_MODEL}.{i}"] = np.frombuffer(packed(model, "model"), np.uint8)
    arrays |= dict(named(tracker.state, _PANEL))
    return {
        "rows": tracker.rows,
        "total": list(tracker.total),
        "drift": [list(event) for event in tracker.drift],
        "blocks": tracker.detector.blocks,
        "buckets": tracker.detector.buckets,
        "units": flatten(stream.units, f"{PREFIX}.units", arrays, (RunningScale,)),
    }


def adaptive_from_dict(saved: dict[str, Any], arrays: dict[str, np.ndarray]) -> AdaptiveModel:
    """The model; a ValueError if its parts do not belong together."""
    recipe = decode(saved["recipe"])
    sizes = [saved[name] for name in ("features", "classes", "seed", "warm_up", "rows")]
    if not isinstance(recipe, Recipe) or saved["dtype"] not in DTYPES:
        raise ValueError("its recipe is not one of an adaptive model")
    if not all(type(size) is int and size >= 0 for size in sizes):
        raise ValueError(f"{sizes} are not sizes of a model")
    model = AdaptiveModel(
        recipe, saved["features"], saved["classes"], dtype=saved["dtype"], seed=saved["seed"],
        scale=bool(saved["scale"]), warm_up=saved["warm_up"], names=saved["names"],
    )  # fmt: skip
    model.rows = saved["rows"]
    model.first = _first_rows(model, arrays) if saved["warming_up"] else None
    if saved["stream"] is not None:
        model.stream = _stream_from_dict(model, saved["stream"], arrays)
    elif model.first is None:
        raise ValueError("it has neither models nor rows to begin with")
    return model


def _first_rows(model: AdaptiveModel, arrays: dict[str, np.ndarray]) -> WarmUpRows:
    found = WarmUpRows(*[arrays[f"{PREFIX}.first.{name}"].copy() for name in WarmUpRows._fields])
    rows = len(found.y)
    shapes = [(rows, model.n_features), (rows,), (rows,)]
    if rows >= model.warm_up or any(a.shape != s or a.dtype != np.float64 for a, s in zip(found, shapes, strict=True)):
        raise ValueError("its first rows are not those of this model")
    model.check_rows(*found)
    return found


def _stream_from_dict(model: AdaptiveModel, saved: dict[str, Any], arrays: dict[str, np.ndarray]) -> ScaledTracker:
    from .load_model import unpacked

    count = sum(name.startswith(f"{_MODEL}.") for name in arrays)
    models = [unpacked(arrays[f"{_MODEL}.{i}"].tobytes(), "a model in it").model for i in range(count)]
    if not all(isinstance(each, Model) for each in models):
        raise ValueError("a part of it is not a model")
    tracker = Tracker(models, model.targets.task)
    restore(tracker.state, {name: a for name, a in arrays.items() if name.startswith(f"{_PANEL}.")}, _PANEL)
    tracker.check_restored()
    tracker.rows, tracker.detector.blocks = int(saved["rows"]), int(saved["blocks"])
    tracker.total = Total(int(saved["total"][0]), float(saved["total"][1]))
    tracker.detector.buckets = [(int(b), int(r), int(e)) for b, r, e in saved["buckets"]]
    tracker.drift = [
        DriftEvent(int(row), float(m0), float(m1), int(since), str(action))
        for row, m0, m1, since, action in saved["drift"]
    ]
    units = restored(saved["units"], arrays, new_scale)
    narrower = model.first is not None and tracker.n_features <= model.n_features
    if not (narrower or (tracker.n_features, tracker.width) == (model.n_features, model.n_outputs)):
        raise ValueError("its models have other features or classes")
    if (units is None) == model.scale or (units is not None and len(units.mean) != tracker.n_features):
        raise ValueError("its scale is that of other features")
    if any((each.n_features, each.n_outputs, each.dtype) != (tracker.n_features, tracker.n_outputs, model.dtype)
           for each in tracker.models):  # fmt: skip
        raise ValueError("its models do not belong together")
    return ScaledTracker(tracker, units, model.names)


def new_scale(kind: str, parts: dict[str, Any]) -> RunningScale:
    """For `plain_values.restored`."""
    if kind != "RunningScale":
        raise ValueError(f"{kind!r} is not known to this version")
    return RunningScale(len(parts["mean"]), parts["half_life"])
