"""Rows made ready, against scikit-learn's preprocessing."""

import json

import numpy as np
import pytest
from sklearn.preprocessing import MaxAbsScaler, MinMaxScaler, OneHotEncoder, StandardScaler

from kernelstream.prepare import ClassTarget, Preparation, categorical
from kernelstream.readers import FilePosition, Pairs, RowBlock, Schema
from kernelstream.readers.blocks import categorical_column


def block(numeric, texts=(), target=None):
    rows = len(numeric.ends) if isinstance(numeric, Pairs) else len(numeric)
    lines, files = np.arange(1, rows + 1), np.zeros(rows, np.int32)
    columns = tuple(categorical_column(column) for column in texts)
    return RowBlock(numeric, columns, target, lines, files, FilePosition(), FilePosition(), 0.0, ())


def pairs(X):
    rows, columns = np.nonzero(X)
    return Pairs(np.cumsum((X != 0).sum(axis=1)), columns.astype(np.int32), X[rows, columns])


class Refusals(list):
    """Remembers what is refused, and leaves it out."""

    def __call__(self, rows, wrong, reasons):
        self.extend(zip(rows.lines[wrong].tolist(), reasons, strict=True))
        return rows.take(~np.isin(np.arange(len(rows)), wrong))


def saved(preparation):
    """As it comes back from a file."""
    return Preparation.from_dict(json.loads(json.dumps(preparation.as_dict())), preparation.schema)


RNG = np.random.default_rng(0)
X = RNG.normal(50, 3, size=(40, 4)) * [1, 10, 0, 1e-3]  # the third column is constant
SCALERS = {"standard": StandardScaler(), "minmax": MinMaxScaler(), "none": None}


@pytest.mark.parametrize("scale", SCALERS)
def test_dense_rows_are_scaled_as_scikit_learn_does(scale):
    schema = Schema(numeric=tuple("abcd"))
    prepared = saved(Preparation.from_first_rows(block(X[:30]), schema, scale))
    _, found = prepared.rows(block(X), Refusals(), "float64")
    scaler = SCALERS[scale]
    np.testing.assert_allclose(found, X if scaler is None else scaler.fit(X[:30]).transform(X), rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("scale", ["standard", "minmax"])
def test_sparse_rows_are_scaled_without_centring(scale):
    wide = np.where(RNG.random((50, 300)) < 0.05, RNG.normal(size=(50, 300)), 0.0)
    wide[:, 299] = np.where(np.arange(50) < 40, 0.0, 2.0)  # comes after the first rows
    prepared = saved(Preparation.from_first_rows(block(pairs(wide[:40])), Schema(pairs=True), scale))
    assert prepared.sparse and prepared.width == 299
    _, found = prepared.rows(block(pairs(wide)), Refusals(), "float64", learn=True)
    scaler = StandardScaler(with_mean=False) if scale == "standard" else MaxAbsScaler()
    expected = np.column_stack([scaler.fit(wide[:40, :299]).transform(wide[:, :299]), wide[:, 299]])
    np.testing.assert_allclose(found.toarray(), expected, rtol=1e-12, atol=1e-12)
    assert prepared.width == 300


def test_pairs_that_are_narrow_become_the_rows_of_a_table():
    table = np.where(RNG.random((30, 5)) < 0.5, RNG.normal(size=(30, 5)), 0.0)
    table[:, 4] = 1.0
    by_name = Preparation.from_first_rows(block(table), Schema(numeric=tuple("abcde")))
    by_index = Preparation.from_first_rows(block(pairs(table)), Schema(pairs=True))
    assert not by_index.sparse
    a, b = (
        p.rows(rows, Refusals(), "float32")[1] for p, rows in ((by_name, block(table)), (by_index, block(pairs(table))))
    )
    np.testing.assert_array_equal(a, b)


def test_an_outlying_index_is_refused():
    """One wrong index must not make a model of a billion features."""
    prepared = Preparation.from_first_rows(block(pairs(np.eye(3))), Schema(pairs=True), "none")
    wild = Pairs(np.array([1, 3]), np.array([4, 0, 10**9], np.int32), np.ones(3))
    refusals = Refusals()
    kept, found = prepared.rows(block(wild), refusals, "float32", learn=True)
    assert len(kept) == 1 and found.shape == (1, 5) and prepared.width == 5
    where, why = refusals[0][1]
    assert where == "feature 1000000001" and why.startswith("its index is far beyond the 3 features so far.")
    with pytest.raises(
        ValueError, match=r"The first rows have a feature with index 1,000,000,001; the maximum is 16,777,216"
    ):
        Preparation.from_first_rows(block(wild), Schema(pairs=True))


def test_features_that_were_never_learned_are_left_out():
    prepared = Preparation.from_first_rows(block(pairs(np.eye(2))), Schema(pairs=True), "none")
    _, found = prepared.rows(block(pairs(np.array([[0, 3.0, 5.0]]))), Refusals(), "float32")
    assert found.tolist() == [[0.0, 3.0]]


COLOURS = [["red", "blue", "red", None], ["x", "y", "z", "x"]]


def test_categories_are_encoded_as_scikit_learn_does():
    prepared = saved(
        Preparation.from_first_rows(block(np.zeros((4, 0)), COLOURS), Schema(categorical=("c", "d")), missing="mean")
    )
    _, found = prepared.rows(block(np.zeros((4, 0)), COLOURS), Refusals(), "float32")
    known = [["red", "blue"], ["x", "y", "z"]]
    encoder = OneHotEncoder(categories=known, handle_unknown="ignore", sparse_output=False)
    expected = encoder.fit_transform(np.array(COLOURS, object).T)
    np.testing.assert_array_equal(found, expected)


def test_new_categories_add_columns_in_training_and_are_ignored_in_prediction():
    prepared = Preparation.from_first_rows(block(np.ones((2, 1)), [["red", "blue"]]), Schema(("n",), ("c",)), "none")
    new = block(np.ones((2, 1)), [["green", "red"]])
    assert prepared.rows(new, Refusals(), "float32")[1].tolist() == [[1, 0, 0], [1, 1, 0]]
    assert prepared.rows(new, Refusals(), "float32", learn=True)[1].tolist() == [[1, 0, 0, 1], [1, 1, 0, 0]]
    assert prepared.width == 4


def test_too_many_categories(monkeypatch):
    monkeypatch.setattr(categorical, "MAX_CATEGORIES", 3)
    schema, numbers = Schema(("n",), ("id",)), np.ones((4, 1))
    with pytest.raises(ValueError, match=r"'id' has 4 categories .* \(--ignore id\), or hash .* \(--hash 256\)"):
        Preparation.from_first_rows(block(numbers, [list("abcd")]), schema)
    prepared = Preparation.from_first_rows(block(numbers[:3], [list("abc")]), schema)
    assert prepared.rows(block(numbers, [list("abcd")]), Refusals(), "float32", learn=True)[1].shape == (4, 4)
    assert prepared.categories.unencoded == 1
    hashed = saved(Preparation.from_first_rows(block(numbers, [list("abcd")]), schema, hashed=8))
    _, found = hashed.rows(block(numbers, [list("abcd")]), Refusals(), "float32")
    assert found.shape == (4, 9) and found[:, 1:].sum(axis=1).tolist() == [1, 1, 1, 1]


def test_many_categories_make_rows_sparse_and_nothing_else():
    colours = [[f"w{i}" for i in range(200)]]
    numbers = RNG.normal(size=(200, 2))
    schema = Schema(("m", "n"), ("c",))
    prepared = saved(Preparation.from_first_rows(block(numbers, colours), schema))
    assert prepared.sparse
    _, found = prepared.rows(block(numbers, colours), Refusals(), "float64")
    prepared.sparse = False
    _, dense = prepared.rows(block(numbers, colours), Refusals(), "float64")
    np.testing.assert_array_equal(found.toarray(), dense)
    np.testing.assert_allclose(dense[:, :2], StandardScaler().fit_transform(numbers))


def test_missing_values():
    gaps = X.copy()
    gaps[3, 1] = gaps[5, 0] = np.nan
    colours = ["red"] * 39 + [None]
    rows, schema = block(gaps, [colours]), Schema(tuple("abcd"), ("c",))
    refusals = Refusals()
    strict = Preparation.from_first_rows(rows, schema)
    kept, found = strict.rows(rows, refusals, "float32")
    assert refusals == [
        (4, ("column 'b'", "the value is missing.")),
        (6, ("column 'a'", "the value is missing.")),
        (40, ("column 'c'", "the value is missing.")),
    ]
    assert len(kept) == len(found) == 37
    for name, expected in (("mean", np.nanmean(gaps[:, 1])), ("zero", 0.0)):
        lenient = saved(Preparation.from_first_rows(rows, schema, "none", missing=name))
        _, found = lenient.rows(rows, Refusals(), "float64")
        assert found[3, 1] == pytest.approx(expected)
        assert found[39, 4] == 0.0
    with pytest.raises(ValueError, match="All of the first 1 rows have a missing value"):
        Preparation.from_first_rows(rows.take(slice(3, 4)), schema)


@pytest.mark.parametrize("sparse", [False, True])
def test_numbers_too_large_are_refused_with_their_column(sparse):
    table = np.ones((3, 2))
    table[1, 1] = 1e39
    table[2, 0] = np.inf
    schema = Schema(pairs=True) if sparse else Schema(("a", "b"))
    rows = block(pairs(table)) if sparse else block(table)
    prepared = Preparation.from_first_rows(rows.take(slice(0, 1)), schema, "none")
    refusals = Refusals()
    kept, found = prepared.rows(rows, refusals, "float32")
    assert len(kept) == len(found) == 1
    columns = ["feature 2", "feature 1"] if sparse else ["column 'b'", "column 'a'"]
    assert [where for _, (where, _) in refusals] == columns
    assert refusals[0][1][1] == "1e+39 is too large for float32, or not finite."


def test_labels_are_numbers_or_text():
    whole, texts = ClassTarget([2.0, 1.0]), ClassTarget(["b", "a"])
    assert whole.classes.tolist() == [1, 2] and whole.classes.dtype == np.int64
    labels, wrong = whole.read(np.array([2.0, np.nan, 1.5]))
    assert labels[0] == 2
    assert wrong == {1: "the label is missing.", 2: "the label 1.5 is not among the classes 1, 2."}
    assert texts.read(categorical_column(["a", "c"]))[1] == {1: "the label 'c' is not among the classes 'a', 'b'."}
