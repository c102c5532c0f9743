"""Bounds on the function or on its coefficients."""

from .ball import Ball, Free, TargetBall
from .base import Bound
from .coefficients import Clip, Scale

__all__ = ["Ball", "Bound", "Clip", "Free", "Scale", "TargetBall"]
