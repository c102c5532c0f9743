"""Plots as Display classes like those of scikit-learn: build from data, draw with `plot(ax=…)`, adjust `ax_`."""

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
