"""The published data sets: where they are downloaded, and their content.

Most come from LIBSVM's site, which publishes no hashes. Others come from sites whose files are closer to the original.
"""

from .content_check import ApproximateContent, ExactContent
from .data_set import DataFile, DataSetInfo, Origin
from .file_formats import california, columns, libsvm

LIBSVM = "https://www.csie.ntu.edu.tw/~cjlin/libsvmtools/datasets"
UCI = "https://archive.ics.uci.edu/ml/machine-learning-databases"
ELEMENTS = "https://hastie.su.domains/ElemStatLearn/datasets"


def _libsvm_origin(path: str, features: int) -> Origin:
    return Origin(f"{LIBSVM}/{path}", path.rpartition("/")[2], libsvm(features))


def _from_libsvm(
    name: str, features: int, task: str, description: str, folder: str, *files: tuple[str, str, int, str]
) -> DataSetInfo:
    """A set of LIBSVM's site, with its files: local name, name on the site, rows and digest."""
    made = [
        DataFile(file, rows, ExactContent(digest), (_libsvm_origin(f"{folder}/{remote}", features),))
        for file, remote, rows, digest in files
    ]
    return DataSetInfo(name, features, task, description, *made)


A9A = _from_libsvm(
    "a9a", 123, "binary", "Adult: income above 50,000 $ (+1) or not (−1), all features 0 or 1",
    "binary",
    ("a9a.bz2", "a9a", 32_561, "7d63c6751b5094fdd6872f048af7b3731f3222f357a209df2837e9477afe3787"),
    ("a9a.t.bz2", "a9a.t", 16_281, "f7a9eab7d806e5281a188244a1e84e92e5f6f01dc36df14143ae79f79645e000"),
)  # fmt: skip

IJCNN1 = _from_libsvm(
    "ijcnn1", 22, "binary", "Engine misfires, preprocessed by the winner of the IJCNN 2001 challenge",
    "binary",
    ("ijcnn1.bz2", "ijcnn1.bz2", 49_990, "6cfc7435e4c3e85e1403438d56a459ddf1433e7958758a2aa4559a5731103242"),
    ("ijcnn1.t.bz2", "ijcnn1.t.bz2", 91_701, "cbb9f095c2458bb30dda187f3da7fe9462b8666c9e30227b969384c7ebb6ee46"),
)  # fmt: skip

SKIN = _from_libsvm(
    "skin_nonskin", 3, "binary", "Blue, green and red, 0 to 255: skin (1) or not (2); sorted by class",
    "binary",
    ("skin_nonskin.bz2", "skin_nonskin", 245_057, "b1800b15b47f5f83e4c1a6f3c0cbe498f6803245f7436de27579cc96adcdfbb2"),
)  # fmt: skip

LETTER_SCALED = _from_libsvm(
    "letter_scaled", 16, "multiclass", "Capital letters A to Z (1 to 26), scaled to [−1, 1], LIBSVM's split",
    "multiclass",
    ("letter.scale.bz2", "letter.scale", 15_000, "3525f9f6ab230276c444f164cb219684edd96e66f12fc86fc1dfbe4a5026d1c6"),
    ("letter.scale.t.bz2", "letter.scale.t", 5_000, "7bbf4bf7b3b36a06169ba50b6f2a076460a39448f6bf2ce5f1a8d8f5af0260cf"),
)  # fmt: skip

DNA = _from_libsvm(
    "dna", 180, "multiclass", "Splice junctions: exon–intron (1), intron–exon (2), none (3); all features 0 or 1",
    "multiclass",
    ("dna.bz2", "dna.scale", 2_000, "dae42452d4f3db9933f5e85c21ea8e9bc9d5b13c731f62c84079ddd5581a2edc"),
    ("dna.t.bz2", "dna.scale.t", 1_186, "d1bf81fb66030d6e166a9ebc88f73348b08ba11c4398c3acb94b6195560aa7b5"),
)  # fmt: skip

PENDIGITS = _from_libsvm(
    "pendigits", 16, "multiclass", "Digits written with a pen: eight points, 0 to 100; other writers in the test set",
    "multiclass",
    ("pendigits.bz2", "pendigits", 7_494, "165903e1462e2e3f9cdb5ab59cb6d618b238fd50d9929d68a3f159d794bae21d"),
    ("pendigits.t.bz2", "pendigits.t", 3_498, "a5e8d6e3ed451068ce1afb72e03e2e263a6504c300950ab1593738171b2478e7"),
)  # fmt: skip

ABALONE = _from_libsvm(
    "abalone", 8, "regression", "Number of rings of abalones, 1 to 29, from sex (1, 2, 3), lengths and weights",
    "regression",
    ("abalone.bz2", "abalone", 4_177, "9eea9cff1e9add8ac88efaab835c4d74add760d243905a103de1495232d9d30b"),
)  # fmt: skip

# The file that its content was recorded from has six significant digits; the origin may have more.
SPACE_GA = DataSetInfo(
    "space_ga", 6, "regression", "Logarithm of the proportion of voters in US counties, 1980",
    DataFile(
        "space_ga.bz2", 3_107,
        ApproximateContent(
            (9.75658, 9.02075, 8.73830, 11.8852, -9.16388e7, 3.82811e7, -0.576234),
            (1.32019, 1.37571, 1.27209, 1.41113, 1.14738e7, 4.83772e6, 0.198024),
        ),
        (_libsvm_origin("regression/space_ga", 6),),
    ),
)  # fmt: skip

CADATA = DataSetInfo(
    "cadata", 8, "regression", "Median house value in districts of California, 1990, in dollars",
    DataFile(
        "cadata.bz2", 20_640, ExactContent("5a5ff56c1c12801d0ccfaabdf847633fa10556022357f34f7825e4fb20bc50bc"),
        (
            Origin(
                "https://ndownloader.figshare.com/files/5976036", "cal_housing.tgz", california,
                "aaa5c9a6afe2225cc2aed2723682ae403280c4a3695a2ddda4ffb5d8215ea681",
            ),
            _libsvm_origin("regression/cadata", 8),
        ),
    ),
)  # fmt: skip

COVTYPE = DataSetInfo(
    "covtype", 54, "multiclass", "Seven forest cover types (1 to 7) from cartographic variables, unscaled",
    DataFile(
        "covtype.bz2", 581_012, ExactContent("fcc0a681e1d3a3917c8a8c5209269d7d05dd999b924b2d8b4695b2f99a9fa1cb"),
        (
            Origin(
                "https://ndownloader.figshare.com/files/5976039", "covtype.data.gz", columns(),
                "614360d0257557dd1792834a85a1cdebfadc3c4f30b011d56afee7ffb5b15771",
            ),
            _libsvm_origin("multiclass/covtype.bz2", 54),
        ),
    ),
)  # fmt: skip

LETTER = DataSetInfo(
    "letter", 16, "multiclass", "Capital letters A to Z (1 to 26), features 0 to 15, UCI's order",
    DataFile(
        "letter.bz2", 20_000, ExactContent("e190a7b9b570973799428627c9349d620ba6860255fbada4d172574611e0532e"),
        (
            Origin(
                f"{UCI}/letter-recognition/letter-recognition.data", "letter-recognition.data",
                columns(lambda letter: ord(letter) - ord("A") + 1, target=0),
            ),
        ),
    ),
)  # fmt: skip

MAGIC04 = DataSetInfo(
    "magic04", 10, "binary", "Telescope images of gamma rays (+1) or hadrons (−1); sorted by class",
    DataFile(
        "magic04.bz2", 19_020, ExactContent("a30f98f1c9ce8d390abe32d67f7d874136b1fadc071010b63f4e9cb63addd4a0"),
        (Origin(f"{UCI}/magic/magic04.data", "magic04.data", columns({"g": 1, "h": -1}.__getitem__)),),
    ),
)  # fmt: skip

ELECTRICITY = DataSetInfo(
    "electricity", 8, "binary", "Electricity market, every half hour in order: price up (+1) or down (−1)",
    DataFile(
        "electricity.bz2", 45_312, ExactContent("7468bed0379da991c830378b5be708a9550df3ce5e44d599bd8127eab2783723"),
        (
            Origin(
                "https://www.openml.org/data/download/2419/electricity-normalized.arff", "electricity-normalized.arff",
                columns({"UP": 1, "DOWN": -1}.__getitem__, skip="@%"),
            ),
        ),
    ),
)  # fmt: skip

# LIBSVM's usps has the same digits with smoothed pixels; these are from "The Elements of Statistical Learning".
_digits = columns(lambda digit: float(digit) + 1, separator=None, target=0)
USPS = DataSetInfo(
    "usps", 256, "multiclass", "Handwritten digits (label 1 for 0, …, 10 for 9), 16 × 16 pixels in [−1, 1]",
    DataFile(
        "usps.bz2", 7_291, ExactContent("ea99f4ea944696b5e417edc5cc3814a7e81b24f936b3ecdde311713dc2f4c7aa"),
        (Origin(f"{ELEMENTS}/zip.train.gz", "zip.train.gz", _digits),),
    ),
    DataFile(
        "usps.t.bz2", 2_007, ExactContent("be09d2e63766bb3478a49c3204ee6ae0a6cf6fd4c02c94109481e1410f7a6c7c"),
        (Origin(f"{ELEMENTS}/zip.test.gz", "zip.test.gz", _digits),),
    ),
)  # fmt: skip

_BINARY = (A9A, IJCNN1, SKIN, MAGIC04, ELECTRICITY)
_MULTICLASS = (COVTYPE, LETTER, LETTER_SCALED, USPS, DNA, PENDIGITS)
_REGRESSION = (CADATA, SPACE_GA, ABALONE)

SETS: dict[str, DataSetInfo] = {info.name: info for info in (*_BINARY, *_MULTICLASS, *_REGRESSION)}
