"""Figures, in the manner of scikit-learn's Display classes: build from data, draw with `plot(ax=…)`, look at `ax_`."""

from .confusion import ConfusionDisplay
from .curves import LearningCurveDisplay, SupportVectorsDisplay
from .frontier import FrontierDisplay
from .surface import DecisionSurfaceDisplay

__all__ = [
    "ConfusionDisplay",
    "DecisionSurfaceDisplay",
    "FrontierDisplay",
    "LearningCurveDisplay",
    "SupportVectorsDisplay",
]
