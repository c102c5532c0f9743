"""Bounds on the function or on its coefficients."""

from .ball import Ball, TargetBall, Unbounded
from .base import Bound
from .coefficients import Clip, Scale
from .step_clip import ClipSteps

__all__ = ["Ball", "Bound", "Clip", "ClipSteps", "Scale", "TargetBall", "Unbounded"]
