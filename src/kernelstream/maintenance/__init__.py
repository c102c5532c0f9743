"""What keeps the model within its budget."""

from .base import Choice, Maintenance
from .choice import Cheapest, Oldest, Random, Smallest
from .discard import Discard
from .merge import Merge, MergeBestPair
from .nearest import ProjectOnNearest
from .project import Project, Prune
from .remove import Keep, Remove
from .sometimes import Sometimes

__all__ = [
    "Cheapest",
    "Choice",
    "Discard",
    "Keep",
    "Maintenance",
    "Merge",
    "MergeBestPair",
    "Oldest",
    "Project",
    "ProjectOnNearest",
    "Prune",
    "Random",
    "Remove",
    "Smallest",
    "Sometimes",
]
