"""T. Le, V. Nguyen, T. D. Nguyen & D. Phung, "Nonparametric budgeted stochastic gradient descent", AISTATS 2016.

Sets without a split of their own are cut at 90 % at random. skin lies in [0, 1]; a9a, dna and ijcnn1 are as LIBSVM has
them, of dna the first 1,400 rows and of ijcnn1 the first 35,000, which are the paper's sizes. What the paper calls
space_ga has the sizes of abalone, 3,759 and 418 rows of 8 features: both are here, under their own names. Features and
targets of regressions have mean 0 and deviation 1.
"""

from . import scaling, targets
from .rows import AtRandom, Own
from .version import Version

VERSIONS = {
    "skin_nonskin": Version(AtRandom("skin_nonskin", 0.9), scaling.unit, targets.against_rest(1)),
    "dna": Version(Own("dna", 1_400)),
    "a9a": Version(Own("a9a")),
    "ijcnn1": Version(Own("ijcnn1", 35_000)),
    "abalone": Version(AtRandom("abalone", 0.9), scaling.standard, targets.standard),
    "space_ga": Version(AtRandom("space_ga", 0.9), scaling.standard, targets.standard),
    "cadata": Version(AtRandom("cadata", 0.9), scaling.standard, targets.standard),
}
