"""Plots as Display classes like those of scikit-learn: build from data, draw with `plot(ax=…)`, adjust `ax_`."""

from .confusion import ConfusionDisplay
from .curves import LearningCurveDisplay, SupportVectorsDisplay
from .frontier import FrontierDisplay
from .relevance import FeatureRelevanceDisplay
from .surface import DecisionSurfaceDisplay

__all__ = [
    "ConfusionDisplay",
    "DecisionSurfaceDisplay",
    "FeatureRelevanceDisplay",
    "FrontierDisplay",
    "LearningCurveDisplay",
    "SupportVectorsDisplay",
]
