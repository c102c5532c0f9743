"""Estimators: what they have beyond their models is merged too."""

import copy
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..estimators import KernelClassifier, KernelRegressor
from ..estimators.calibration import Calibration
from .models import check, merge_models


def merge_classifiers(
    given: Sequence[KernelClassifier], shares: np.ndarray, budget: int | None
) -> tuple[KernelClassifier, float]:
    """Where classes differ, the scores of each are averaged over the classifiers that know it."""
    _check_names(given)
    first = given[0]
    if all(np.array_equal(one.classes_, first.classes_) for one in given):
        model, error = merge_models([one.model_ for one in given], shares[:, None], budget)
        calibration = Calibration.pooled([one.calibration_ for one in given])
        return _around(first, model, given, calibration_=calibration), error
    if any(len(one.classes_) != one.model_.n_outputs for one in given):
        raise ValueError(
            f"merge: the classifiers know the classes {[one.classes_.tolist() for one in given]}, and one with two "
            "classes has a single score, which says nothing of a third. Name all classes when learning begins: "
            "partial_fit(X, y, classes=…)."
        )
    classes = np.unique(np.concatenate([one.classes_ for one in given]))
    places = [np.searchsorted(classes, one.classes_) for one in given]
    weight = np.zeros((len(given), len(classes)))
    for row, place, part in zip(weight, places, shares, strict=True):
        row[place] = part
    total = weight.sum(axis=0)
    model, error = merge_models(
        [one.model_ for one in given], weight / np.where(total > 0.0, total, 1.0), budget, places
    )
    calibration = Calibration.pooled([one.calibration_ for one in given], shares)
    return _around(first, model, given, classes_=classes, calibration_=calibration), error


def merge_regressors(
    given: Sequence[KernelRegressor], shares: np.ndarray, budget: int | None
) -> tuple[KernelRegressor, float]:
    """What is averaged is the prediction in the units of y: mean + scale · f(x)."""
    _check_names(given)
    models = [one.model_ for one in given]
    check(models)
    if len({one.target_ndim_ for one in given}) > 1:
        raise ValueError("merge: some regressors learned y with one dimension, some with two. Use one of them for all.")
    mean = shares @ [one.target_mean_ for one in given]
    scale = shares @ [one.target_scale_ for one in given]
    factors = shares[:, None] * np.array([one.target_scale_ for one in given]) / scale
    model, error = merge_models(models, factors, budget)
    return _around(given[0], model, given, target_mean_=mean, target_scale_=scale), error


def _check_names(given: Sequence[Any]) -> None:
    names = [list(getattr(one, "feature_names_in_", ())) for one in given]
    for number, found in enumerate(names):
        if found != names[0]:
            raise ValueError(
                f"merge: estimator {number} learned features of other names than estimator 0. Use the same columns, "
                "in the same order, for all."
            )


def _around(first: Any, model: Any, given: Sequence[Any], **attributes: Any) -> Any:
    """An estimator like the first, with another model."""
    new = copy.copy(first)
    vars(new).update(attributes, model_=model, n_iter_=max(one.n_iter_ for one in given))
    return new
