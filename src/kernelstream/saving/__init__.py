"""Model files: what `kernelstream.save` writes and `kernelstream.load` reads, and what a file says of itself."""

from ..core.registry import register_strategy
from .description import Description
from .loading import Saved, describe, load, read
from .saving import save

__all__ = ["Description", "Saved", "describe", "load", "read", "register_strategy", "save"]
