"""Evaluation on streams: test, then train."""

from .learners import Learner, as_learner
from .progress import iter_progressive, progressive
from .results import Point, Progress

__all__ = ["Learner", "Point", "Progress", "as_learner", "iter_progressive", "progressive"]
