"""Several models learn one stream, and their weights follow the best of them: nothing has to be told about it."""

from .experts import experts_of
from .fixed_share import FixedShare
from .tracker import Tracker

__all__ = ["FixedShare", "Tracker", "experts_of"]
