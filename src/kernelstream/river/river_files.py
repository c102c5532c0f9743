"""Files of River's estimators, in the format of model files: what a stream has taught goes on after a restart.

Each model is a model file inside of the file, with the checks of one. Nothing in a file is executed.
"""

import os
from collections.abc import Hashable
from typing import Any

import numpy as np

from ..estimators.calibration import RowCalibration
from ..model import Model
from ..saving.atomic_write import replace_file
from ..saving.load_model import open_regular, unpacked
from ..saving.parameter_json import decode_parameters, encode
from ..saving.safetensors_file import pack, unpack
from ..saving.save_model import packed
from ..saving.state_arrays import named, restore
from ..tracking import DriftEvent, Tracker
from .running_scale import RunningScale

KIND = "river"
_PLAIN = (str, int, float, bool, type(None))


def save(estimator: Any, path: str | os.PathLike[str]) -> None:
    """Write an estimator of River to a file, atomically. See `KernelClassifier.save`."""
    from .. import __version__

    arrays: dict[str, np.ndarray] = {}
    given = estimator._get_params()
    state = {name: value for name, value in estimator.__dict__.items() if name not in given}
    model = state.pop("_model")
    header = {
        "version": __version__,
        "kind": KIND,
        "estimator": type(estimator).__name__,
        "parameters": {name: encode(value) for name, value in given.items()},
        "features": [_plain("a feature name", name) for name in state.pop("_features").columns],
        "state": {name: _flat(value, f"state.{name}", arrays) for name, value in state.items()},
        "tracker": None,
    }
    models = model.models if isinstance(model, Tracker) else [] if model is None else [model]
    for i, each in enumerate(models):
        arrays[f"model.{i}"] = np.frombuffer(packed(each, "model"), np.uint8)
    if isinstance(model, Tracker):
        arrays |= dict(named(model.state, "panel"))
        header["tracker"] = {
            "rows": model.rows, "drift": [list(event) for event in model.drift], "blocks": model.detector.blocks,
            "buckets": model.detector.buckets,
        }  # fmt: skip
    replace_file(path, pack(header, arrays))


def load(kind: type, path: str | os.PathLike[str]) -> Any:
    """The estimator of this class in a file."""
    name = str(os.fspath(path))
    with open_regular(path) as file:
        header, arrays = unpack(file.read(), name)
    if header.get("kind") != KIND or header.get("estimator") != kind.__name__:
        held = header.get("estimator") if header.get("kind") == KIND else header.get("kind")
        raise ValueError(f"{name} holds a {held!r}, not a {kind.__name__} of River.")
    try:
        return _restored(kind, header, arrays)
    except (ValueError, TypeError, KeyError, IndexError, AttributeError, OverflowError, MemoryError) as error:
        raise ValueError(f"{name} cannot be loaded: {error}") from error


def _restored(kind: type, header: dict[str, Any], arrays: dict[str, np.ndarray]) -> Any:
    new: Any = kind(**decode_parameters(header["parameters"]))
    new.restore_names([_read(value) for value in header["features"]])
    for name, value in header["state"].items():
        if name not in new.__dict__ or name in ("_model", "_features"):
            raise ValueError(f"{name!r} is not known to this version")
        new.__dict__[name] = _read(value, arrays)
    models = [unpacked(arrays[f"model.{i}"].tobytes(), "a model in it").model for i in range(_count(arrays))]
    new.check_restored(models)
    if header["tracker"] is not None:
        new.__dict__["_model"] = _tracker(models, header["tracker"], arrays)
    elif models:
        new.__dict__["_model"] = models[0]
    return new


def _count(arrays: dict[str, np.ndarray]) -> int:
    return sum(name.startswith("model.") for name in arrays)


def _tracker(models: list[Any], saved: dict[str, Any], arrays: dict[str, np.ndarray]) -> Tracker:
    if not all(isinstance(model, Model) for model in models):
        raise ValueError("a part of it is not a model")
    tracker = Tracker(models)
    found = {name: array for name, array in arrays.items() if name.startswith("panel.")}
    restore(tracker.state, found, "panel")
    tracker.check_restored()
    tracker.rows, tracker.detector.blocks = int(saved["rows"]), int(saved["blocks"])
    tracker.detector.buckets = [(int(b), int(r), int(e)) for b, r, e in saved["buckets"]]
    tracker.drift = [
        DriftEvent(int(row), float(m0), float(m1), int(since), str(action))
        for row, m0, m1, since, action in saved["drift"]
    ]
    return tracker


def _plain(what: str, value: Any) -> Any:
    if isinstance(value, np.generic):
        value = value.item()
    if not isinstance(value, _PLAIN):
        raise ValueError(f"{what} is {value!r}, which a model file cannot hold. Use strings and numbers, or pickle.")
    if isinstance(value, float) and not np.isfinite(value):
        raise ValueError(
            f"{what} is {value!r}, which a model file cannot hold. Use strings and finite numbers, or pickle."
        )
    return value


def _flat(value: Any, path: str, arrays: dict[str, np.ndarray]) -> Any:
    """A value of plain parts for JSON; arrays go beside it."""
    if isinstance(value, np.ndarray):
        arrays[path] = value.view(np.uint8) if value.dtype == bool else value
        return {"array": path, "bool": value.dtype == bool}
    if isinstance(value, dict):
        return {"dict": [[_flat(k, f"{path}.k{i}", arrays), _flat(v, f"{path}.{i}", arrays)]
                         for i, (k, v) in enumerate(value.items())]}  # fmt: skip
    if isinstance(value, (list, tuple)):
        return {type(value).__name__: [_flat(part, f"{path}.{i}", arrays) for i, part in enumerate(value)]}
    if not isinstance(value, (RunningScale, RowCalibration)):
        return _plain(path, value)
    return {
        "object": type(value).__name__,
        "parts": {k: _flat(v, f"{path}.{k}", arrays) for k, v in vars(value).items()},
    }


def _read(value: Any, arrays: dict[str, np.ndarray] | None = None) -> Any:
    """The opposite of `_flat`."""
    if not isinstance(value, dict):
        return value
    if "array" in value and arrays is not None:
        array = arrays[value["array"]]
        return array.astype(bool) if value["bool"] else array.copy()
    if "dict" in value:
        found: dict[Hashable, Any] = {_read(k, arrays): _read(v, arrays) for k, v in value["dict"]}
        return found
    if "list" in value:
        return [_read(part, arrays) for part in value["list"]]
    if "tuple" in value:
        return tuple(_read(part, arrays) for part in value["tuple"])
    parts = {name: _read(part, arrays) for name, part in value["parts"].items()}
    if value["object"] == "RunningScale":
        new: Any = RunningScale(len(parts["mean"]), parts["half_life"])
    elif value["object"] == "RowCalibration":
        new = RowCalibration(parts["scores"].shape[1])
    else:
        raise ValueError(f"{value['object']!r} is not known to this version")
    for name, fresh in vars(new).items():
        part = parts[name]
        if isinstance(fresh, np.ndarray) and (fresh.dtype != part.dtype or fresh.shape != part.shape):
            raise ValueError(f"{name!r} is {part.dtype} {part.shape}, not {fresh.dtype} {fresh.shape}")
        vars(new)[name] = part
    return new
