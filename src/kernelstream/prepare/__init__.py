"""Prepare rows for a model: missing values filled, numbers scaled, categorical columns encoded, labels checked. The
first rows decide how, and it is saved with the model."""

from .column_plan import ColumnPlan, plan_columns
from .matrices import RefuseRows
from .missing import MISSING_POLICIES
from .preparation import Preparation
from .scaling import SCALINGS
from .target_column import ClassTarget, NumericTarget, Target, labels_in, parse_classes, target_from_dict

__all__ = [
    "MISSING_POLICIES",
    "SCALINGS",
    "ClassTarget",
    "ColumnPlan",
    "NumericTarget",
    "Preparation",
    "RefuseRows",
    "Target",
    "labels_in",
    "parse_classes",
    "plan_columns",
    "target_from_dict",
]
