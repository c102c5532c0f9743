"""The attributes of a fitted estimator besides its model, as JSON: parameters, classes, feature names, scales."""

from typing import TYPE_CHECKING, Any

import numpy as np

from ..model import Model
from .deployment_state import deployment_from_dict, deployment_to_dict
from .feature_map_state import MAP_ARRAYS, map_from_dict, map_to_dict
from .parameter_json import decode, decode_labels, decode_parameters, encode, encode_labels
from .residual_arrays import RESIDUAL_ARRAYS, residuals_from, residuals_to

if TYPE_CHECKING:
    from ..estimators import KernelClassifier, KernelRegressor

KINDS = {"KernelClassifier": "classifier", "KernelRegressor": "regressor"}
_COMMON = ("n_features_in_", "n_iter_")
_ATTRIBUTES = {
    "classifier": (*_COMMON, "classes_"),
    "regressor": (*_COMMON, "target_mean_", "target_scale_", "target_ndim_"),
}
_NAMES = "feature_names_in_"  # if the data had column names
_COUNTS = "class_counts_"  # of a classifier that has learned something
_SCORES, _INDEX, _PRIOR = "calibration.scores", "calibration.index", "calibration"
OWN = (_SCORES, _INDEX, *RESIDUAL_ARRAYS, *MAP_ARRAYS)


def kind_of(value: Any) -> str:
    """The kind of object to save; a ValueError if it cannot be saved."""
    if type(value) is Model:
        return "model"
    name = type(value).__name__
    if type(value).__module__.startswith(f"{__name__.partition('.')[0]}.estimators.") and name in KINDS:
        return KINDS[name]
    way = "Use its method save" if callable(getattr(value, "save", None)) else "Use pickle or joblib"
    raise ValueError(f"save accepts a Model, a KernelClassifier or a KernelRegressor, not {name}. {way}.")


def estimator_to_dict(estimator: "KernelClassifier | KernelRegressor", kind: str, half: bool) -> dict[str, Any]:
    """Parameters and attributes of a fitted estimator."""
    from ..estimators import model_of

    model_of(estimator)  # raises an error if it is not fitted
    found = vars(estimator)
    names = [*_ATTRIBUTES[kind], *(name for name in (_NAMES, _COUNTS) if name in found)]
    kept = {name: found[name] for name in names}
    if kind == "classifier":
        calibration = estimator.calibration_.condensed() if half else estimator.calibration_
        kept[_PRIOR] = calibration.prior
    return {
        "parameters": {name: encode(value) for name, value in estimator.get_params(deep=False).items()},
        "attributes": {
            name: encode_labels(value) if isinstance(value, np.ndarray) else encode(value)
            for name, value in kept.items()
        },
        "map": map_to_dict(estimator.feature_map_, {}),
        "deploy": deployment_to_dict(getattr(estimator, "deploy_", None)),
    }


def arrays_of(estimator: Any, kind: str, half: bool) -> dict[str, np.ndarray]:
    """Arrays of an estimator besides those of its model."""
    if kind == "model":
        return {}
    arrays: dict[str, np.ndarray] = {}
    map_to_dict(estimator.feature_map_, arrays)
    if kind == "classifier" and not half:
        arrays |= {_SCORES: estimator.calibration_.scores, _INDEX: estimator.calibration_.index}
    if kind == "regressor":
        arrays |= residuals_to(estimator.residuals_, half)
    return arrays


def estimator_from_dict(
    kind: str, saved: dict[str, Any], model: Model, arrays: dict[str, np.ndarray]
) -> "KernelClassifier | KernelRegressor":
    """The estimator with its model."""
    from .. import estimators
    from ..estimators.calibration import Calibration

    cls = getattr(estimators, next(name for name, word in KINDS.items() if word == kind))
    new = cls(**decode_parameters(saved["parameters"]))
    attributes = dict(saved["attributes"])
    if set(attributes) - {_NAMES, _COUNTS, _PRIOR} != set(_ATTRIBUTES[kind]) or (_PRIOR in attributes) != (
        kind == "classifier"
    ):
        raise ValueError(f"{', '.join(attributes)} are not the attributes of a {kind}")
    prior = attributes.pop(_PRIOR, None)
    for name, value in attributes.items():
        setattr(new, name, decode_labels(value) if isinstance(value, dict) else decode(value))
    new.feature_map_ = map_from_dict(saved.get("map"), arrays)
    new.deploy_ = deployment_from_dict(saved.get("deploy"))
    _check_attributes(new, kind, model)
    if kind == "classifier":
        new.calibration_ = Calibration(*_checked(arrays, len(new.classes_), model), prior=float(prior))
    else:
        new.residuals_ = residuals_from(arrays, model.n_outputs)
    new.dtype = model.dtype.name  # a half-precision file is loaded as float32
    new.model_ = model
    return new


def _check_attributes(new: Any, kind: str, model: Any) -> None:
    """Whether the attributes are those of an estimator with this model."""
    from ..estimators.labels import outputs

    names = getattr(new, _NAMES, None)
    features = model.n_features if new.feature_map_ is None else new.feature_map_.features
    fits = new.feature_map_ is None or new.feature_map_.width == model.n_features
    fits = fits and type(new.n_features_in_) is int and new.n_features_in_ == features and type(new.n_iter_) is int
    fits = fits and (names is None or (isinstance(names, np.ndarray) and len(names) == features))
    if kind == "classifier":
        classes = new.classes_
        counts = getattr(new, _COUNTS, np.zeros(len(classes)))
        fits = fits and isinstance(classes, np.ndarray) and len(classes) >= 1 and len(counts) == len(classes)
        fits = fits and counts.dtype == np.float64 and bool(np.isfinite(counts).all())
        fits = fits and model.n_outputs == outputs(len(classes), model.recipe.loss)
    else:
        mean, scale = np.asarray(new.target_mean_), np.asarray(new.target_scale_)
        fits = fits and mean.dtype.kind == scale.dtype.kind == "f" and mean.shape == scale.shape == (model.n_outputs,)
        fits = fits and bool(np.isfinite(mean).all() and np.isfinite(scale).all()) and new.target_ndim_ in (1, 2)
    if not fits:
        raise ValueError(
            f"its attributes are not those of a {kind} with {model.n_features} features and {model.n_outputs} outputs"
        )


def _checked(arrays: dict[str, np.ndarray], classes: int, model: Model) -> tuple[np.ndarray | None, np.ndarray | None]:
    """Scores of the calibration, and the indices of their true classes."""
    scores, index = arrays.get(_SCORES), arrays.get(_INDEX)
    if scores is None or index is None or len(index) == 0:
        return None, None
    fits = scores.dtype == np.float64 and index.dtype == np.int64 and scores.shape == (len(index), model.n_outputs)
    if not fits or index.min() < 0 or index.max() >= max(classes, 2):
        raise ValueError("its calibration scores do not match its classes")
    return scores, index
