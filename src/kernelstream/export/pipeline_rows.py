"""The raw rows of a scikit-learn Pipeline: scalers and imputers before the estimator, folded into one affine map."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from sklearn.impute import SimpleImputer
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import FunctionTransformer, MaxAbsScaler, MinMaxScaler, RobustScaler, StandardScaler
from sklearn.utils.validation import check_is_fitted

from ..estimators import KernelClassifier, KernelRegressor
from ..tuning import FeatureMap
from .raw_rows import RawRows, raw_rows

Affine = tuple[Any, Any]  # shift and factor: a step is x ↦ (x − shift) · factor


def estimator_of(pipeline: Pipeline) -> KernelClassifier | KernelRegressor:
    """The last step; a TypeError if it is none of ours."""
    name, last = pipeline.steps[-1]
    if isinstance(last, Pipeline):
        return estimator_of(last)
    if not isinstance(last, KernelClassifier | KernelRegressor):
        raise TypeError(
            f"The last step of the pipeline, {name!r}, is {last!r}. Only pipelines that end in a KernelClassifier or "
            "KernelRegressor can be exported."
        )
    return last


def pipeline_rows(pipeline: Pipeline) -> RawRows:
    """The rows that the first step takes, with the scales of all steps but the last."""
    last, rows = estimator_of(pipeline), None
    for name, step in _steps(pipeline):
        check_is_fitted(step)
        if rows is None:
            rows = raw_rows(None, step.n_features_in_, getattr(step, "feature_names_in_", None))
        rows = _filled(rows, name, step) if isinstance(step, SimpleImputer) else _scaled(rows, name, step)
    return raw_rows(None, last.n_features_in_, getattr(last, "feature_names_in_", None)) if rows is None else rows


def _steps(pipeline: Pipeline) -> Iterator[tuple[str, Any]]:
    """Those that change rows, by name."""
    for name, step in pipeline.steps:
        if isinstance(step, Pipeline):
            yield from ((f"{name}__{inner}", part) for inner, part in _steps(step))
        elif not _changes_nothing(step) and not isinstance(step, KernelClassifier | KernelRegressor):
            yield name, step


def _changes_nothing(step: Any) -> bool:
    return step in ("passthrough", None) or (isinstance(step, FunctionTransformer) and step.func is None)


def _standard(step: Any) -> Affine:
    return step.mean_ if step.with_mean else 0.0, 1.0 / step.scale_ if step.with_std else 1.0


def _min_max(step: Any) -> Affine:
    if step.clip:
        raise ValueError("it clips values (clip=True), which cannot be exported; use clip=False")
    return -step.min_ / step.scale_, step.scale_


def _robust(step: Any) -> Affine:
    return step.center_ if step.with_centering else 0.0, 1.0 / step.scale_ if step.with_scaling else 1.0


_AFFINE: dict[type, Callable[[Any], Affine]] = {
    StandardScaler: _standard,
    MinMaxScaler: _min_max,
    RobustScaler: _robust,
    MaxAbsScaler: lambda step: (0.0, 1.0 / step.scale_),
}


def _scaled(rows: RawRows, name: str, step: Any) -> RawRows:
    if type(step) not in _AFFINE:
        raise ValueError(
            f"The step {name!r} of the pipeline, {step!r}, cannot be exported: StandardScaler, MinMaxScaler, "
            "MaxAbsScaler, RobustScaler, SimpleImputer and 'passthrough' can. Transform the data before the pipeline, "
            "or convert it with skl2onnx (kernelstream.export.onnx.register)."
        )
    try:
        shift, factor = _AFFINE[type(step)](step)
    except ValueError as error:
        raise ValueError(f"The step {name!r} of the pipeline, {step!r}: {error}.") from None
    features = np.zeros(rows.width)
    return rows.then_mapped(FeatureMap(features + shift, features + factor))


def _filled(rows: RawRows, name: str, step: Any) -> RawRows:
    """With the values of an imputer, in the units of raw rows."""
    values, missing = np.asarray(step.statistics_, dtype=object), step.missing_values
    numbers = all(isinstance(value, (int, float, np.number)) and np.isfinite(value) for value in values)
    if step.add_indicator or not numbers or not (isinstance(missing, float) and np.isnan(missing)):
        raise ValueError(
            f"The step {name!r} of the pipeline, {step!r}, cannot be exported: an imputer must replace NaN by one "
            "number per column, without add_indicator, and columns without any value must be removed from the data."
        )
    if rows.fill is not None:  # nothing is missing any more
        return rows
    return rows._replace(fill=values.astype(np.float64) / rows.factor + rows.shift)
