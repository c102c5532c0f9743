"""Several models learn one stream, and their weights follow the best of them: nothing has to be told about it."""

from .fixed_share import FixedShare
from .tracker import Tracker, experts_of

__all__ = ["FixedShare", "Tracker", "experts_of"]
