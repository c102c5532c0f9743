"""Several models learn one stream, and a mixture follows the best of them: nothing has to be told about it."""

from .adaptive_model import AdaptiveModel
from .drift import DriftDetector, DriftEvent
from .experts import BUDGET, models_of
from .fixed_share import regret
from .running_scale import RunningScale
from .tracker import Tracker

__all__ = [
    "BUDGET", "AdaptiveModel", "DriftDetector", "DriftEvent", "RunningScale", "Tracker", "models_of", "regret",
]  # fmt: skip
