"""Which function is the model: the last, a mean, or one drawn at random."""

from .base import Output
from .last import Last
from .mean import Mean, Suffix
from .random_iterate import RandomIterate
from .refit import Refit
from .tail import Tail

__all__ = ["Last", "Mean", "Output", "RandomIterate", "Refit", "Suffix", "Tail"]
