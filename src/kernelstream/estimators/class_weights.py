"""`class_weight`: rows of rare or important classes count more."""

from typing import Any

import numpy as np


def check_class_weight(value: Any, classes: np.ndarray) -> None:
    """A ValueError if it is a dict with other keys than labels, or other values than weights."""
    if not isinstance(value, dict):
        return
    known = classes.tolist()
    for label, weight in value.items():
        if label not in known:
            raise ValueError(f"class_weight has the label {label!r}, which is not among the classes {known}.")
        if not (isinstance(weight, (int, float, np.number)) and np.isfinite(weight) and weight >= 0):
            raise ValueError(f"class_weight of {label!r} is {weight!r}; it must be a number of at least 0.")


def weighted(value: Any, weights: np.ndarray, index: np.ndarray, classes: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """The weights of rows times those of their classes. `index` has the classes of the rows, `counts` the weight of
    each class so far, these rows included: "balanced" is all of it / (classes × that of the class).

    >>> weighted("balanced", np.ones(4), np.array([0, 0, 0, 1]), np.array(["a", "b"]), np.array([3.0, 1.0])).tolist()
    [0.6666666666666666, 0.6666666666666666, 0.6666666666666666, 2.0]
    """
    if value is None:
        return weights
    check_class_weight(value, classes)
    if isinstance(value, dict):
        own = np.array([float(value.get(label, 1.0)) for label in classes.tolist()])
    else:
        seen = counts > 0.0
        own = np.where(seen, counts.sum() / (max(seen.sum(), 1) * np.where(seen, counts, 1.0)), 1.0)
    found: np.ndarray = weights * own[index]
    return found
