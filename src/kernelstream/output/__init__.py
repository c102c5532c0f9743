"""Outputs: which function predicts. The last iterate, a mean, one drawn at random, or a refit."""

from .base import Output
from .last import Last
from .mean import Mean, Suffix
from .random_iterate import RandomIterate, RandomSuffixIterate
from .refit import Refit
from .running_refit import RunningRefit
from .tail import Tail

__all__ = ["Last", "Mean", "Output", "RandomIterate", "RandomSuffixIterate", "Refit", "RunningRefit", "Suffix", "Tail"]
