"""Model merging of estimators: classes, calibration, target scales and feature names besides their models."""

import copy
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..estimators import KernelClassifier, KernelRegressor, model_of
from ..estimators.calibration import Calibration
from .function_averaging import check_compatible, merge_models


def merge_classifiers(
    given: Sequence[KernelClassifier], weights: np.ndarray, budget: int | None
) -> tuple[KernelClassifier, float]:
    """If classes differ, the scores of each class are averaged over the classifiers that know it."""
    _check_names(given)
    _check_maps(given)
    first = given[0]
    if all(np.array_equal(one.classes_, first.classes_) for one in given):
        model, error = merge_models([model_of(one) for one in given], weights[:, None], budget)
        calibration = Calibration.pooled([one.calibration_ for one in given])
        return _around(first, model, given, calibration_=calibration), error
    if any(len(one.classes_) != model_of(one).n_outputs for one in given):
        raise ValueError(
            f"merge: the classifiers have the classes {[one.classes_.tolist() for one in given]}, but one with two "
            "classes has a single score, which cannot be merged with the scores of a third. Give all classes to the "
            "first partial_fit(X, y, classes=…)."
        )
    classes = np.unique(np.concatenate([one.classes_ for one in given]))
    outputs_of = [np.searchsorted(classes, one.classes_) for one in given]
    per_class = np.zeros((len(given), len(classes)))
    for row, outputs, weight in zip(per_class, outputs_of, weights, strict=True):
        row[outputs] = weight
    total = per_class.sum(axis=0)
    model, error = merge_models(
        [model_of(one) for one in given], per_class / np.where(total > 0.0, total, 1.0), budget, outputs_of
    )
    calibration = Calibration.pooled([one.calibration_ for one in given], weights)
    return _around(first, model, given, classes_=classes, calibration_=calibration), error


def merge_regressors(
    given: Sequence[KernelRegressor], weights: np.ndarray, budget: int | None
) -> tuple[KernelRegressor, float]:
    """Average predictions in the units of y: mean + scale · f(x)."""
    _check_names(given)
    _check_maps(given)
    models = [model_of(one) for one in given]
    check_compatible(models)
    if len({one.target_ndim_ for one in given}) > 1:
        raise ValueError(
            "merge: some regressors were trained with a y of one dimension, some of two. Use the same for all."
        )
    mean = weights @ [one.target_mean_ for one in given]
    scale = weights @ [one.target_scale_ for one in given]
    factors = weights[:, None] * np.array([one.target_scale_ for one in given]) / scale
    model, error = merge_models(models, factors, budget)
    return _around(given[0], model, given, target_mean_=mean, target_scale_=scale), error


def _check_maps(given: Sequence[KernelClassifier | KernelRegressor]) -> None:
    if any(one.feature_map_ != given[0].feature_map_ for one in given):
        raise ValueError(
            "merge: the models have scales of features that `fit` has chosen for each. Give gamma a number, the same "
            "for all."
        )


def _check_names(given: Sequence[Any]) -> None:
    names = [list(getattr(one, "feature_names_in_", ())) for one in given]
    for number, found in enumerate(names):
        if found != names[0]:
            raise ValueError(
                f"merge: the feature names of estimator {number} differ from those of estimator 0. Use the same "
                "columns, in the same order, for all."
            )


def _around(first: Any, model: Any, given: Sequence[Any], **attributes: Any) -> Any:
    """A copy of the first estimator, with another model."""
    new = copy.copy(first)
    vars(new).update(attributes, model_=model, n_iter_=max(one.n_iter_ for one in given))
    return new
