"""The last iterate."""

from ..core.strategy import strategy
from .base import Output


@strategy
class Last(Output):
    """The model is f_{T+1}."""
