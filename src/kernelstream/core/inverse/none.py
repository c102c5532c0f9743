"""No inverse."""

from ..strategy import strategy
from .base import Inverse


@strategy
class NoInverse(Inverse):
    """Nothing is kept."""
