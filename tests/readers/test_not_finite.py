"""Numbers that float64, or real numbers at all, cannot hold: each is named by its line, and can be skipped."""

import numpy as np
import pandas as pd
import pytest

from kernelstream.prepare import Preparation, parse_classes
from kernelstream.prepare.target_column import ClassTarget, value_at
from kernelstream.readers import BadLine, FileStream, Options, RowReader, SkipBad

from .data import dense, everything, notes

GIANT = "9" * 400


def test_libsvm_names_the_line_and_skips_it(tmp_path):
    text = ["1 1:2 2:1", "0 1:1 2:1e400", "1 1:3\t2:-1e999 3:1e400 # twice", f"0 1:{GIANT}", "1 what", "1 2:7"]
    (tmp_path / "a.svm").write_text("\n".join(text))
    policy = SkipBad()
    block = everything([tmp_path / "a.svm"], policy=policy)
    assert dense(block.numeric, 2).tolist() == [[2, 1], [0, 7]]
    assert block.lines.tolist() == [1, 6] and block.target.tolist() == [1, 1]
    assert [message.partition("a.svm, ")[2] for message in policy.first] == [
        "line 2, character 7: the value in '2:1e400' is too large for float64.",
        "line 3, character 7: the value in '2:-1e999' is too large for float64.",
        f"line 4, character 3: the value in '1:{'9' * 37}…' is too large for float64.",
        "line 5, character 3: 'what' is not an index:value pair.",
    ]
    assert policy.count == 4
    with pytest.raises(BadLine, match="line 2, character 7"):
        everything([tmp_path / "a.svm"])


@pytest.mark.parametrize("scale", ["standard", "minmax", "none"])
@pytest.mark.parametrize("missing", ["refuse", "mean", "zero"])
@pytest.mark.parametrize("suffix", [".npz", ".parquet"])
def test_infinite_numbers_among_the_first_rows_spoil_no_others(tmp_path, scale, missing, suffix):
    """Text has none, but arrays do. Warnings are errors here."""
    X = np.random.default_rng(0).normal(size=(50, 2))
    X[7, 1], X[9, 0] = np.inf, -np.inf
    path = tmp_path / f"a{suffix}"
    if suffix == ".npz":
        np.savez(path, X=X, y=np.arange(50) % 2)
    else:
        pd.DataFrame(X, columns=["1", "2"]).assign(y=np.arange(50) % 2).to_parquet(path)
    rows = RowReader(FileStream([str(path)]), policy=SkipBad())
    block = rows.take(50)
    prepared, found = Preparation.from_first_rows(block, rows.stream.schema, scale, missing).rows(
        block, rows.refuse, "float32"
    )
    assert len(prepared) == len(found) == 48 and np.isfinite(found).all()
    assert rows.policy.count == 2
    assert "row 8, column '2': inf is too large for float32, or not finite." in rows.policy.first[0]
    rows.close()
    clean = block.take(np.isfinite(X).all(axis=1))
    alone = Preparation.from_first_rows(clean, rows.stream.schema, scale, missing).rows(clean, rows.refuse, "float32")
    np.testing.assert_array_equal(found, alone[1])


@pytest.mark.parametrize("scale", ["standard", "minmax"])
@pytest.mark.parametrize("form", ["csv", "svm", "sparse"])
def test_numbers_whose_sum_or_square_overflows_spoil_no_others(tmp_path, scale, form):
    X = np.random.default_rng(0).normal(size=(50, 2))
    X[5:8, 1], X[9, 1] = 1.7e308, -1.7e308
    if form == "csv":
        lines = ["a,b,y", *(f"{a!r},{b!r},1" for a, b in X.tolist())]
    else:
        far = " 1000:1" if form == "sparse" else ""
        lines = [f"1 1:{a!r} 2:{b!r}{far}" for a, b in X.tolist()]
    (tmp_path / f"a.{form}").write_text("\n".join(lines))
    options = Options(format="csv" if form == "csv" else "libsvm")
    rows = RowReader(FileStream([str(tmp_path / f"a.{form}")], options), policy=SkipBad())
    block = rows.take(50)
    preparation = Preparation.from_first_rows(block, rows.stream.schema, scale, "mean")
    assert preparation.sparse == (form == "sparse")
    kept, found = preparation.rows(block, rows.refuse, "float32")
    rows.close()
    found = found.toarray() if form == "sparse" else found
    assert len(kept) + rows.policy.count == 50 and rows.policy.count <= 3
    assert np.isfinite(found).all() and found[:, 1].std() > 0.0


def test_all_rows_infinite(tmp_path):
    np.savez(tmp_path / "a.npz", X=np.full((5, 1), np.inf), y=np.arange(5))
    rows = RowReader(FileStream([str(tmp_path / "a.npz")]))
    with pytest.raises(ValueError, match=r"All of the first 5 rows have an infinite number\. Exclude"):
        Preparation.from_first_rows(rows.take(5), rows.stream.schema)
    rows.close()


@pytest.mark.parametrize("digits", [400, 6000])
def test_giant_integers_of_json(tmp_path, digits):
    giant = "9" * digits
    (tmp_path / "a.jsonl").write_text(f'{{"x": 1, "y": 1}}\n{{"x": {giant}, "y": 2}}\n{{"x": 3, "y": {giant}}}\n')
    policy = SkipBad()
    assert everything([tmp_path / "a.jsonl"], policy=policy).numeric.tolist() == [[1.0]]
    assert policy.count == 2
    says = "is not a finite number." if digits == 400 else "an integer with thousands of digits is too large"
    assert "line 2" in policy.first[0] and says in policy.first[0] and len(policy.first[0]) < 300


def test_giant_integers_of_csv(tmp_path):
    (tmp_path / "a.csv").write_text("x,y\n" + "1,1\n" * 30 + f"{GIANT},1\n1,{GIANT}\n")
    policy = SkipBad()
    assert len(everything([tmp_path / "a.csv"], policy=policy)) == 30
    assert policy.count == 2 and "line 32, column 1 ('x')" in policy.first[0] and "…" in policy.first[0]


def test_labels_beyond_the_integers(tmp_path):
    assert ClassTarget([1.0, 2.0]).classes.dtype == np.int64
    target = ClassTarget([1.0, 1e300])
    assert target.classes.tolist() == [1.0, 1e300]
    assert target.read(np.array([1e300, 7.0]))[1] == {1: "the label 7 is not among the classes 1.0, 1e+300."}
    assert value_at(np.array([1e300]), 0) == 1e300 and isinstance(value_at(np.array([1e300]), 0), float)
    with pytest.raises(ValueError, match="The class 1e400 is not a finite number"):
        parse_classes(["1", "1e400"], is_text=False)


@pytest.mark.parametrize("kind", ["M8[D]", "m8[s]", "c16"])
def test_columns_of_dates_and_complex_numbers_are_left_out(tmp_path, kind):
    np.savez(tmp_path / "a.npz", X=np.ones((3, 1)), y=np.arange(3), when=np.zeros(3, kind))
    assert everything([tmp_path / "a.npz"]).numeric.shape == (3, 1)
    (note,) = notes(tmp_path / "a.npz", Options())
    assert note.startswith("'when' is left out: it is of type ")
    np.savez(tmp_path / "b.npz", X=np.ones((3, 1)), y=np.zeros(3, kind))
    with pytest.raises(ValueError, match="column 'y' is of type"):
        everything([tmp_path / "b.npz"])
    # a file to predict, in which a column has become one of dates
    stream = FileStream([str(tmp_path / "a.npz")], Options(ignore=("when",)))
    stream.close()
    rows = RowReader(FileStream([str(tmp_path / "a.npz")], Options(), stream.schema._replace(numeric=("1", "when"))))
    with pytest.raises(ValueError, match="column 'when' is of type"):
        rows.take(3)


def test_a_column_that_has_become_one_of_dates(tmp_path):
    pd.DataFrame({"x": [1.0, 2.0], "y": [0, 1]}).to_parquet(tmp_path / "a.parquet")
    stream = FileStream([str(tmp_path / "a.parquet")])
    stream.close()
    frame = pd.DataFrame({"x": pd.to_datetime(["2020-01-01", "2021-01-01"]), "y": [0, 1]})
    frame.to_parquet(tmp_path / "b.parquet")
    rows = RowReader(FileStream([str(tmp_path / "b.parquet")], Options(), stream.schema))
    with pytest.raises(ValueError, match=r"column 'x' is of type timestamp.*, which cannot be read as numbers"):
        rows.take(2)


def test_longer_floats_than_float64(tmp_path):
    X = np.array([[1, 2], [3, 4]], np.longdouble)
    X[1, 0] *= np.longdouble("1e4000")
    np.save(tmp_path / "a.npy", X)
    block = everything([tmp_path / "a.npy"], Options(target="2"))
    assert block.numeric.tolist() == [[1.0], [np.inf]]
