"""Rows made ready for a model: gaps filled, numbers scaled, words as columns, labels known. All of it is decided by the
first rows, and kept with the model."""

from .missing import POLICIES
from .pairs import Refuse
from .preparation import Preparation
from .scaling import SCALINGS
from .targets import Labels, Numbers, Target, labels_in, named_classes, target_from_dict

__all__ = [
    "POLICIES",
    "SCALINGS",
    "Labels",
    "Numbers",
    "Preparation",
    "Refuse",
    "Target",
    "labels_in",
    "named_classes",
    "target_from_dict",
]
