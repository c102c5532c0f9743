"""Model files: `save` writes them, `load` reads them, `describe` reads their header."""

from ..core.registry import register_strategy
from .load_model import Saved, describe, load, read
from .model_description import Description
from .save_model import save

__all__ = ["Description", "Saved", "describe", "load", "read", "register_strategy", "save"]
