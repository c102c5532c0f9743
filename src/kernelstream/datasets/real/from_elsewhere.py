"""Data sets that are best had elsewhere than from LIBSVM, or whose files differ from place to place."""

from .content import Exactly, Nearly
from .formats import california, columns
from .from_libsvm import origin
from .known import Known, Origin, Part

UCI = "https://archive.ics.uci.edu/ml/machine-learning-databases"
ELEMENTS = "https://hastie.su.domains/ElemStatLearn/datasets"

# The file that its content was taken from has six significant digits, and the origin may have more.
SPACE_GA = Known(
    "space_ga", 6, "regression", "Share of voters in counties of the USA, 1980, logarithm",
    Part(
        "space_ga.bz2", 3_107,
        Nearly(
            (9.75658, 9.02075, 8.73830, 11.8852, -9.16388e7, 3.82811e7, -0.576234),
            (1.32019, 1.37571, 1.27209, 1.41113, 1.14738e7, 4.83772e6, 0.198024),
        ),
        (origin("regression/space_ga", 6),),
    ),
)  # fmt: skip

CADATA = Known(
    "cadata", 8, "regression", "Median value of houses in districts of California, 1990, in dollars",
    Part(
        "cadata.bz2", 20_640, Exactly("5a5ff56c1c12801d0ccfaabdf847633fa10556022357f34f7825e4fb20bc50bc"),
        (
            Origin(
                "https://ndownloader.figshare.com/files/5976036", "cal_housing.tgz", california,
                "aaa5c9a6afe2225cc2aed2723682ae403280c4a3695a2ddda4ffb5d8215ea681",
            ),
            origin("regression/cadata", 8),
        ),
    ),
)  # fmt: skip

COVTYPE = Known(
    "covtype", 54, "multiclass", "Seven kinds of forest (1 to 7) from maps, unscaled",
    Part(
        "covtype.bz2", 581_012, Exactly("fcc0a681e1d3a3917c8a8c5209269d7d05dd999b924b2d8b4695b2f99a9fa1cb"),
        (
            Origin(
                "https://ndownloader.figshare.com/files/5976039", "covtype.data.gz", columns(),
                "614360d0257557dd1792834a85a1cdebfadc3c4f30b011d56afee7ffb5b15771",
            ),
            origin("multiclass/covtype.bz2", 54),
        ),
    ),
)  # fmt: skip

LETTER = Known(
    "letter", 16, "multiclass", "Capital letters A to Z (1 to 26), features 0 to 15, UCI's order",
    Part(
        "letter.bz2", 20_000, Exactly("e190a7b9b570973799428627c9349d620ba6860255fbada4d172574611e0532e"),
        (
            Origin(
                f"{UCI}/letter-recognition/letter-recognition.data", "letter-recognition.data",
                columns(lambda letter: ord(letter) - ord("A") + 1, target=0),
            ),
        ),
    ),
)  # fmt: skip

MAGIC04 = Known(
    "magic04", 10, "binary", "Showers in a telescope: of a gamma ray (+1) or a hadron (−1); grouped by class",
    Part(
        "magic04.bz2", 19_020, Exactly("a30f98f1c9ce8d390abe32d67f7d874136b1fadc071010b63f4e9cb63addd4a0"),
        (Origin(f"{UCI}/magic/magic04.data", "magic04.data", columns({"g": 1, "h": -1}.__getitem__)),),
    ),
)  # fmt: skip

ELECTRICITY = Known(
    "electricity", 8, "binary", "Half hours of an electricity market in their order: price up (+1) or down (−1)",
    Part(
        "electricity.bz2", 45_312, Exactly("7468bed0379da991c830378b5be708a9550df3ce5e44d599bd8127eab2783723"),
        (
            Origin(
                "https://www.openml.org/data/download/2419/electricity-normalized.arff", "electricity-normalized.arff",
                columns({"UP": 1, "DOWN": -1}.__getitem__, skip="@%"),
            ),
        ),
    ),
)  # fmt: skip

# LIBSVM's usps has the same digits, but smoothed pixels: these are of "The Elements of Statistical Learning".
_digits = columns(lambda digit: float(digit) + 1, separator=None, target=0)
USPS = Known(
    "usps", 256, "multiclass", "Handwritten digits (label 1 for 0, …, 10 for 9), 16 × 16 pixels in [−1, 1]",
    Part(
        "usps.bz2", 7_291, Exactly("ea99f4ea944696b5e417edc5cc3814a7e81b24f936b3ecdde311713dc2f4c7aa"),
        (Origin(f"{ELEMENTS}/zip.train.gz", "zip.train.gz", _digits),),
    ),
    Part(
        "usps.t.bz2", 2_007, Exactly("be09d2e63766bb3478a49c3204ee6ae0a6cf6fd4c02c94109481e1410f7a6c7c"),
        (Origin(f"{ELEMENTS}/zip.test.gz", "zip.test.gz", _digits),),
    ),
)  # fmt: skip
