"""Files of River's estimators, in the format of model files: what a stream has taught goes on after a restart.

Each model is a model file inside of the file, with the checks of one. Nothing in a file is executed.
"""

import os
from typing import Any

import numpy as np

from ..estimators.calibration import RowCalibration
from ..model import Model
from ..saving.adaptive_state import adaptive_from_dict, adaptive_to_dict, new_scale
from ..saving.atomic_write import replace_file
from ..saving.load_model import open_regular, unpacked
from ..saving.parameter_json import decode_parameters, encode
from ..saving.plain_values import flatten, plain, restored
from ..saving.safetensors_file import pack, unpack
from ..saving.save_model import packed
from ..tracking import AdaptiveModel, RunningScale

KIND = "river"
_SINGLE = "model"


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
        "features": [plain("a feature name", name) for name in state.pop("_features").columns],
        "state": {
            name: flatten(value, f"state.{name}", arrays, (RunningScale, RowCalibration))
            for name, value in state.items()
        },
        "adaptive": adaptive_to_dict(model, arrays) if isinstance(model, AdaptiveModel) else None,
    }
    if isinstance(model, Model):
        arrays[_SINGLE] = np.frombuffer(packed(model, "model"), np.uint8)
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
    new.restore_names([restored(value, arrays) for value in header["features"]])
    for name, value in header["state"].items():
        if name not in new.__dict__ or name in ("_model", "_features"):
            raise ValueError(f"{name!r} is not known to this version")
        new.__dict__[name] = restored(value, arrays, _new_part)
    model: Any = None
    if header["adaptive"] is not None:
        model = adaptive_from_dict(header["adaptive"], arrays)
    elif _SINGLE in arrays:
        model = unpacked(arrays[_SINGLE].tobytes(), "the model in it").model
    if model is not None:
        new.check_restored(model)
        new.__dict__["_model"] = model
    return new


def _new_part(kind: str, parts: dict[str, Any]) -> Any:
    return RowCalibration(parts["scores"].shape[1]) if kind == "RowCalibration" else new_scale(kind, parts)
