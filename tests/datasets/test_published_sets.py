"""The data sets themselves, where the folder of KERNELSTREAM_DATA has them: sizes, classes, and sizes of the papers."""

import os

import numpy as np
import pytest

from kernelstream.datasets import available, fetch, load
from kernelstream.datasets.real.published_sets import SETS

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        not os.environ.get("KERNELSTREAM_DATA"), reason="KERNELSTREAM_DATA names no folder of data sets"
    ),
]

# Rows of each class, smallest label first: counted when the files were prepared, by other code.
COUNTS = {
    "a9a": [24720, 7841],
    "ijcnn1": [45137, 4853],
    "skin_nonskin": [50859, 194198],
    "magic04": [6688, 12332],
    "electricity": [26075, 19237],
    "covtype": [211840, 283301, 35754, 2747, 9493, 17367, 20510],
    "usps": [1194, 1005, 731, 658, 652, 556, 664, 645, 542, 644],
    "dna": [464, 485, 1051],
    "pendigits": [780, 779, 780, 719, 780, 720, 720, 778, 719, 719],
}

# Training and test rows that the papers print.
SIZES = {
    ("usps", "bpegasos"): (7_000, 2_298),
    ("letter", "bpegasos"): (16_000, 4_000),
    ("skin", "nbsgd"): (220_551, 24_506),
    ("dna", "nbsgd"): (1_400, 1_186),
    ("ijcnn1", "nbsgd"): (35_000, 91_701),
    ("abalone", "nbsgd"): (3_759, 418),
    ("cadata", "nbsgd"): (18_576, 2_064),
    ("covtype-2", "olrd"): (100_000, 0),
    ("magic", "oskl"): (15_216, 3_804),
    ("adult", "oskl"): (32_561, 16_281),
}


@pytest.fixture(scope="module", autouse=True)
def fresh_cache(tmp_path_factory):
    """Every file is read here, once, whatever was kept before."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("KERNELSTREAM_CACHE", str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.mark.parametrize("name", SETS)
def test_content(name):
    summary = available()[name]
    assert summary.location == "folder"
    table = fetch(name, download=False)  # which compares the content with what is known of it
    assert table.X.shape == (summary.rows, summary.features) and np.isfinite(table.X).all()
    assert summary.test_rows == (0 if table.X_test is None else len(table.X_test))
    if name in COUNTS:
        assert np.unique(table.y, return_counts=True)[1].tolist() == COUNTS[name]


@pytest.mark.parametrize("name, paper", SIZES)
def test_sizes_of_the_papers(name, paper):
    split = load(name, paper)
    assert (len(split.y_train), len(split.y_test)) == SIZES[name, paper]
