"""The last iterate."""

from ..core.strategy import strategy
from .base import Output


@strategy
class Last(Output):
    """The last iterate, f_{T+1}."""

    def forgetting(self, half_life: float) -> "Last":
        return self
