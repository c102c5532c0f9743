"""The last iterate."""

from ..strategy import strategy
from .base import Average


@strategy
class Last(Average):
    """The model is f_{T+1}."""
