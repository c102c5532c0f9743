"""Which function is the model: the last, a mean, or one drawn at random."""

from .base import Average
from .last import Last
from .mean import Mean, Suffix
from .random_iterate import RandomIterate
from .tail import Tail

__all__ = ["Average", "Last", "Mean", "RandomIterate", "Suffix", "Tail"]
