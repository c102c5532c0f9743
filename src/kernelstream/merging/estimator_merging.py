"""Model merging of estimators: classes, calibration, target scales and feature names besides their models."""

import copy
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..estimators import KernelClassifier, KernelRegressor, model_of
from ..estimators.calibration import Calibration
from ..estimators.labels import encode
from ..estimators.residuals import MOST, Residuals
from ..tracking import AdaptiveModel
from .adaptive_merging import merge_adaptive
from .function_averaging import check_compatible, merge_models


def merge_classifiers(
    given: Sequence[KernelClassifier], weights: np.ndarray, budget: int | None
) -> tuple[KernelClassifier, float]:
    """If classes differ, the scores of each class are averaged over the classifiers that know it."""
    _check_names(given)
    _check_maps(given)
    first = given[0]
    if streams := adaptive(given):
        if not all(np.array_equal(one.classes_, first.classes_) for one in given):
            raise ValueError("merge: classifiers of streams must have the same classes.")
        merged, error = merge_adaptive(streams, weights)
        return _around(first, merged, given, class_counts_=_counts(given, first.classes_)), error
    if all(np.array_equal(one.classes_, first.classes_) for one in given):
        model, error = merge_models([model_of(one) for one in given], weights[:, None], budget)
        calibration = Calibration.pooled([one.calibration_ for one in given])
        counts = _counts(given, first.classes_)
        return _around(first, model, given, calibration_=calibration, class_counts_=counts), error
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
    counts = _counts(given, classes)
    return _around(first, model, given, classes_=classes, calibration_=calibration, class_counts_=counts), error


def merge_regressors(
    given: Sequence[KernelRegressor], weights: np.ndarray, budget: int | None
) -> tuple[KernelRegressor, float]:
    """Average predictions in the units of y: mean + scale · f(x)."""
    _check_names(given)
    _check_maps(given)
    if streams := adaptive(given):
        found, error = merge_adaptive(streams, weights)
        return _around(given[0], found, given, residuals_=_residuals(given)), error
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
    known = _residuals(given)
    return _around(given[0], model, given, target_mean_=mean, target_scale_=scale, residuals_=known), error


def _residuals(given: Sequence[KernelRegressor]) -> Residuals:
    """The latest of each, within the memory of one."""
    return Residuals.pooled([one.residuals_.latest(max(MOST // len(given), 1)) for one in given])


def _counts(given: Sequence[KernelClassifier], classes: np.ndarray) -> np.ndarray:
    """The weight of the rows of each class, of all; a classifier that has only been initialized has none."""
    total = np.zeros(len(classes))
    for one in given:
        total[encode(one.classes_, classes)] += getattr(one, "class_counts_", np.zeros(len(one.classes_)))
    return total


def adaptive(given: Sequence[Any]) -> list[AdaptiveModel]:
    """Their models, if they have adapted to streams; none if they are single ones, and a ValueError if some are."""
    found = [model_of(one) for one in given if isinstance(model_of(one), AdaptiveModel)]
    if found and len(found) < len(given):
        raise ValueError(
            "merge: some of the models have adapted to a stream, and others are single ones. Learn all of them with "
            "adapt=True, or all with adapt=False and a number for gamma."
        )
    return found


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
