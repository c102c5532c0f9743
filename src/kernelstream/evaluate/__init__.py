"""Evaluation on streams: test, then train."""

from .progress import iter_progressive, progressive
from .results import Point, Progress

__all__ = ["Point", "Progress", "iter_progressive", "progressive"]
