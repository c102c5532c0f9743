"""Budget maintenance: how the model is kept within its budget."""

from .base import Choice, Maintenance
from .before import Before
from .choice import Cheapest, CheapestButNewest, LargestMargin, Oldest, Random, Smallest
from .discard import Discard
from .forget import Forget, ForgetBasic
from .freeze import Freeze
from .merge import Merge, MergeBestPair
from .nearest import ProjectOnNearest
from .onto_newest import ProjectOnNewest, ProjectOnNewestAndNearest
from .project import Project, Prune
from .remove import Keep, Remove
from .sometimes import Sometimes
from .weighted_discard import DiscardByWeight, DiscardLeastVariance, WeightedDiscard

__all__ = [
    "Before",
    "Cheapest",
    "CheapestButNewest",
    "Choice",
    "Discard",
    "DiscardByWeight",
    "DiscardLeastVariance",
    "Forget",
    "ForgetBasic",
    "Freeze",
    "Keep",
    "LargestMargin",
    "Maintenance",
    "Merge",
    "MergeBestPair",
    "Oldest",
    "Project",
    "ProjectOnNearest",
    "ProjectOnNewest",
    "ProjectOnNewestAndNearest",
    "Prune",
    "Random",
    "Remove",
    "Smallest",
    "Sometimes",
    "WeightedDiscard",
]
