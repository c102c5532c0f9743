"""What `fit` chooses by itself: the scale of every feature, ranks beside skewed ones, and λ."""

from .choice import Tuned, choose
from .feature_map import FeatureMap, RankColumn

__all__ = ["FeatureMap", "RankColumn", "Tuned", "choose"]
