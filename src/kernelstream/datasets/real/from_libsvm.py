"""Data sets of LIBSVM's site, which gives no hashes of its files: what was read from them decides."""

from .content import Exactly
from .formats import libsvm
from .known import Known, Origin, Part

SITE = "https://www.csie.ntu.edu.tw/~cjlin/libsvmtools/datasets"


def origin(path: str, features: int) -> Origin:
    return Origin(f"{SITE}/{path}", path.rpartition("/")[2], libsvm(features))


def _known(name: str, features: int, task: str, about: str, folder: str, *parts: tuple[str, str, int, str]) -> Known:
    """A set and its parts: the file here, the file there, rows and digest."""
    made = [
        Part(file, rows, Exactly(digest), (origin(f"{folder}/{there}", features),))
        for file, there, rows, digest in parts
    ]
    return Known(name, features, task, about, *made)


A9A = _known(
    "a9a", 123, "binary", "Adult: income above 50,000 $ (+1) or not (−1), all features 0 or 1",
    "binary",
    ("a9a.bz2", "a9a", 32_561, "7d63c6751b5094fdd6872f048af7b3731f3222f357a209df2837e9477afe3787"),
    ("a9a.t.bz2", "a9a.t", 16_281, "f7a9eab7d806e5281a188244a1e84e92e5f6f01dc36df14143ae79f79645e000"),
)  # fmt: skip

IJCNN1 = _known(
    "ijcnn1", 22, "binary", "Misfires of an engine, prepared by the winner of the IJCNN 2001 challenge",
    "binary",
    ("ijcnn1.bz2", "ijcnn1.bz2", 49_990, "6cfc7435e4c3e85e1403438d56a459ddf1433e7958758a2aa4559a5731103242"),
    ("ijcnn1.t.bz2", "ijcnn1.t.bz2", 91_701, "cbb9f095c2458bb30dda187f3da7fe9462b8666c9e30227b969384c7ebb6ee46"),
)  # fmt: skip

SKIN = _known(
    "skin_nonskin", 3, "binary", "Blue, green and red, 0 to 255: skin (1) or not (2); grouped by class",
    "binary",
    ("skin_nonskin.bz2", "skin_nonskin", 245_057, "b1800b15b47f5f83e4c1a6f3c0cbe498f6803245f7436de27579cc96adcdfbb2"),
)  # fmt: skip

LETTER_SCALED = _known(
    "letter_scaled", 16, "multiclass", "Capital letters A to Z (1 to 26), scaled to [−1, 1], LIBSVM's split",
    "multiclass",
    ("letter.scale.bz2", "letter.scale", 15_000, "3525f9f6ab230276c444f164cb219684edd96e66f12fc86fc1dfbe4a5026d1c6"),
    ("letter.scale.t.bz2", "letter.scale.t", 5_000, "7bbf4bf7b3b36a06169ba50b6f2a076460a39448f6bf2ce5f1a8d8f5af0260cf"),
)  # fmt: skip

DNA = _known(
    "dna", 180, "multiclass", "Splice junctions: exon–intron (1), intron–exon (2), none (3); all features 0 or 1",
    "multiclass",
    ("dna.bz2", "dna.scale", 2_000, "dae42452d4f3db9933f5e85c21ea8e9bc9d5b13c731f62c84079ddd5581a2edc"),
    ("dna.t.bz2", "dna.scale.t", 1_186, "d1bf81fb66030d6e166a9ebc88f73348b08ba11c4398c3acb94b6195560aa7b5"),
)  # fmt: skip

PENDIGITS = _known(
    "pendigits", 16, "multiclass", "Digits written with a pen: eight points, 0 to 100; other writers in the test",
    "multiclass",
    ("pendigits.bz2", "pendigits", 7_494, "165903e1462e2e3f9cdb5ab59cb6d618b238fd50d9929d68a3f159d794bae21d"),
    ("pendigits.t.bz2", "pendigits.t", 3_498, "a5e8d6e3ed451068ce1afb72e03e2e263a6504c300950ab1593738171b2478e7"),
)  # fmt: skip

ABALONE = _known(
    "abalone", 8, "regression", "Rings of abalones, 1 to 29, from sex (1, 2, 3), lengths and weights",
    "regression",
    ("abalone.bz2", "abalone", 4_177, "9eea9cff1e9add8ac88efaab835c4d74add760d243905a103de1495232d9d30b"),
)  # fmt: skip
