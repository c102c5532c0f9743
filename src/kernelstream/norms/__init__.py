"""Who knows ‖f‖²."""

from .base import Norm, Tracked, Untracked

__all__ = ["Norm", "Tracked", "Untracked"]
