"""Data sets as the papers' experiments used them: which rows, labels and scaling (`protocols.py`)."""

from .load_data import load
from .splits import Split

__all__ = ["Split", "load"]
