"""Several models learn one stream, and a mixture follows the best of them: nothing has to be told about it."""

from .drift import DriftDetector, DriftEvent
from .experts import BUDGET, models_of
from .fixed_share import regret
from .tracker import Tracker

__all__ = ["BUDGET", "DriftDetector", "DriftEvent", "Tracker", "models_of", "regret"]
