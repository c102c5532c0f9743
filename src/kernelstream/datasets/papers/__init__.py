"""Data sets as experiments had them: one module per paper, one entry per set."""

from .loading import load
from .version import Split

__all__ = ["Split", "load"]
