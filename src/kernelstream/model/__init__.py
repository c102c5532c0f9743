"""Models: recipes at work on streams."""

from .learning import BadRow
from .model import Model
from .record import Record
from .scoring import BLOCK, Function

__all__ = ["BLOCK", "BadRow", "Function", "Model", "Record"]
