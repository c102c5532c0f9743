"""Every format that an origin has gives the rows that LIBSVM text of the same numbers gives."""

import gzip
import io
import tarfile

import numpy as np
import pytest

from kernelstream.datasets.real.content_check import ApproximateContent, ExactContent, digest, fault
from kernelstream.datasets.real.file_formats import libsvm
from kernelstream.datasets.real.published_sets import SETS

ARFF = """@relation electricity
@attribute date numeric
@attribute day {1,2,3,4,5,6,7}

@data
0,2,0.021277,0.051699,0.415055,0.003467,0.422915,0.414912,UP
% a remark
0.9,7,0.5,0,0,0,0,1,DOWN
"""
CASES = {
    "letter": (b"T,2,8,3\nA,0,15,4\n", "20 1:2 2:8 3:3\n1 2:15 3:4"),
    "magic04": (b"28.7967,16.0021,g\n-1.5,0,h\n", "1 1:28.7967 2:16.0021\n-1 1:-1.5"),
    "electricity": (
        ARFF.encode(),
        "1 2:2 3:0.021277 4:0.051699 5:0.415055 6:0.003467 7:0.422915 8:0.414912\n-1 1:0.9 2:7 3:0.5 8:1",
    ),
    "usps": (b"6.0000 -1.0000 -0.6310 \n9 0.8620 0.0000 \n", "7 1:-1 2:-0.631\n10 1:0.862"),
    "covtype": (b"2596,51,0,5\n2590,0,-6,2\n", "5 1:2596 2:51\n2 1:2590 3:-6"),
    "a9a": (b"-1 3:1 11:1 \n+1 5:1 \n", "-1 3:1 11:1\n1 5:1"),
}


@pytest.mark.parametrize("pack", [bytes, gzip.compress], ids=["text", "gzip"])
@pytest.mark.parametrize("name", CASES)
def test_origins_give_the_same_rows_as_libsvm_text(name, pack, tmp_path):
    there, here = CASES[name]
    (tmp_path / "there").write_bytes(pack(there))
    (tmp_path / "here").write_text(here)
    X, y = SETS[name].train.origins[0].parse(tmp_path / "there")
    known, labels = libsvm(X.shape[1])(tmp_path / "here")
    np.testing.assert_array_equal(X, known)
    np.testing.assert_array_equal(y, labels)
    assert digest(X, y) == digest(known, labels)


def test_california_comes_in_the_order_of_statlib(tmp_path):
    row = b"-122.23,37.88,41,880,129,322,126,8.3252,452600\n"
    with tarfile.open(tmp_path / "there", "w:gz") as archive:
        member = tarfile.TarInfo("CaliforniaHousing/cal_housing.data")
        member.size = len(row)
        archive.addfile(member, io.BytesIO(row))
    X, y = SETS["cadata"].train.origins[0].parse(tmp_path / "there")
    assert X.tolist() == [[8.3252, 41, 880, 129, 322, 126, 37.88, -122.23]] and y.tolist() == [452600]


def test_content_depends_on_every_value_and_on_the_shape():
    X, y = np.arange(6.0).reshape(2, 3), np.array([1, 2])
    known = ExactContent(digest(X, y))
    assert fault(X, y, 2, 3, known) is None
    assert fault(np.asfortranarray(X), y.astype(float), 2, 3, known) is None
    others = [(X + np.eye(2, 3), y), (X, y[::-1]), (X[::-1], y), (X.reshape(3, 2)[:2], y), (X[:, ::-1], y)]
    assert all(fault(other, labels, *other.shape, known) for other, labels in others)
    assert fault(X, y, 3, 3, known) == "it has 2 rows and 3 features, not 3 and 3"


def test_content_that_was_rounded_is_recognised():
    rng = np.random.default_rng(0)
    X, y = rng.normal(50.0, 3.0, (400, 2)), rng.normal(size=400)
    table = np.column_stack([X, y])
    known = ApproximateContent(tuple(table.mean(axis=0)), tuple(table.std(axis=0)))
    assert fault(X.round(3), y, 400, 2, known) is None
    assert fault(X[:, ::-1], y, 400, 2, known) is not None
    assert fault(X * [1.0, 1.01], y, 400, 2, known).startswith("the mean of feature 2 is")
    assert fault(X, y * 1.01 - 0.01 * y.mean(), 400, 2, known).startswith("the standard deviation of the target is")
