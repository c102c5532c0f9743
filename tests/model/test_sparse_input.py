"""Sparse matrices that lead outside of themselves are refused in words, by everything that takes rows."""

import warnings

import numpy as np
import pytest
from scipy import sparse

from kernelstream import KernelClassifier
from kernelstream.core.inputs import canonical
from kernelstream.evaluate import progressive

from .common import MERGE, begin, bits, data

pytestmark = [pytest.mark.engine, pytest.mark.bounds]

FAR = (3, 4, 5_000_000, -1, -100_000)


def with_index(value, form="csr", dtype=np.int32):
    """A valid matrix of 60 rows and 3 features, with one index set to another value afterwards."""
    X = sparse.csr_matrix(data()[0]).asformat(form)
    if form == "coo":
        X.coords = tuple(part.astype(dtype) for part in X.coords)
        X.col[41] = value
    elif form == "lil":
        X.rows[13][2] = value
    else:
        X.indices = X.indices.astype(dtype)
        X.indices[41] = value
    return X


def refused(model, X, match):
    """By learning and by predicting, with nothing changed."""
    before, y = bits(model), data()[1]
    for call in (lambda: model.learn_many(X, y), lambda: model.scores_many(X), lambda: begin(MERGE, X, y)):
        with pytest.raises(ValueError, match=match) as caught:
            call()
        assert "X is not valid" in str(caught.value)
    assert bits(model) == before


@pytest.fixture
def model():
    X, y = data()
    return begin(MERGE, X, y, dtype="float32").learn_many(sparse.csr_matrix(X), y)


@pytest.mark.parametrize("index", FAR)
@pytest.mark.parametrize("form", ["csr", "csc", "coo", "lil"])
def test_an_index_outside_of_the_shape(model, form, index):
    outside = 57 + index if form == "csc" and index > 0 else index  # 60 rows
    refused(model, with_index(outside, form), f"index {outside} at .* allows from 0 to")


def test_the_row_of_a_wrong_index_is_named(model):
    refused(model, with_index(7), "column index 7 at row 13, and the shape allows from 0 to 2")


@pytest.mark.parametrize("index", [2**32 + 1, -(2**32), 2**62])
def test_long_indices_are_not_cut_to_32_bits(model, index):
    refused(model, with_index(index, dtype=np.int64), f"index {index} at row 13")


@pytest.mark.parametrize("form", ["csr", "csc"])
@pytest.mark.parametrize(
    "place, value, words",
    [
        (0, 2, "leads from 2"),
        (-1, 10**6, "to 1000000, and there are 180 entries"),
        (-1, 179, None),
        (1, 170, "falls from 170 to"),
        (2, -5, "falls from"),
    ],
    ids=repr,
)
def test_pointers(model, form, place, value, words):
    X = sparse.csr_matrix(data()[0]).asformat(form)
    X.indptr[place] = value
    if words is None:  # an entry that no row owns is none of the matrix
        assert model.learn_many(X, data()[1]).record.examples == 120
    else:
        refused(model, X, words)


def test_arrays_of_the_wrong_length_or_type(model):
    X = sparse.csr_matrix(data()[0])
    X.indptr = X.indptr[:-1]
    refused(model, X, "indptr must be 61 integers")
    for name in ("indices", "data"):
        X = sparse.csr_matrix(data()[0])
        setattr(X, name, getattr(X, name)[:100])
        refused(model, X, "to 180, and there are 100 entries")
    X = sparse.csr_matrix(data()[0])
    X.indices = X.indices + 0.5
    refused(model, X, "integers in one dimension")
    X = sparse.coo_matrix(data()[0])
    X.data = X.data[:9]
    refused(model, X, "differ in length")
    X = sparse.bsr_matrix(data()[0], blocksize=(2, 3))
    X.indices[3] = 1
    refused(model, X, "block column index 1")
    X = sparse.lil_matrix(data()[0])
    X.rows[4].append(2)
    refused(model, X, "row 4 has 4 indices and 3 values")


def test_one_dimension(model):
    with pytest.raises(ValueError, match="two dimensions"):
        model.scores_many(sparse.coo_array(np.ones(3)))


def test_what_scipy_allows_means_what_it_means():
    """Unsorted, duplicate and 64-bit indices, explicit zeros, room at the end, notes out of date, any format."""
    X, y = data()
    X = np.round(4 * X)
    expected = bits(begin(MERGE, X, y, dtype="float32").learn_many(sparse.csr_matrix(X), y))
    zeros = X[:, [0, 0, 1, 2]].copy()
    zeros[:, 1] = 0.0
    many = sparse.csr_matrix((zeros.ravel(), np.tile([0, 0, 1, 2], 60), np.arange(61) * 4), (60, 3))
    halves = np.concatenate([X / 2, X[:, ::-1] / 2], axis=1)
    order = np.tile(np.array([0, 1, 2, 2, 1, 0], np.int64), 60)
    twice = sparse.csr_matrix((halves.ravel(), order, np.arange(61) * 6), (60, 3))
    roomy = sparse.csr_matrix(X)
    roomy.data, roomy.indices = np.append(roomy.data, np.nan), np.append(roomy.indices, 10**6).astype(np.int32)
    forms = [sparse.csr_matrix(X).asformat(form) for form in ("csc", "coo", "lil", "dok", "dia", "bsr")]
    outdated = twice.copy()
    outdated.has_canonical_format = outdated.has_sorted_indices = True
    for same in (many, twice, outdated, roomy, *forms, sparse.csr_array(X), sparse.csr_matrix(X, dtype=np.int8)):
        model = begin(MERGE, X, y, dtype="float32").learn_many(same, y)
        assert bits(model) == expected, same.format
        np.testing.assert_array_equal(model.scores_many(same), model.scores_many(sparse.csr_matrix(X)))


def test_empty_matrices(model):
    before, (_, y) = bits(model), data()
    for form in ("csr", "csc", "coo", "lil", "dok", "bsr"):
        none = sparse.csr_matrix((0, 3)).asformat(form)
        assert model.scores_many(none).shape == (0, 1) and bits(model.learn_many(none, y[:0])) == before
        zeros = sparse.csr_matrix((5, 3)).asformat(form)
        np.testing.assert_allclose(model.scores_many(zeros), model.scores_many(np.zeros((5, 3))), rtol=1e-5)
    with pytest.raises(ValueError, match="0 features"):
        model.scores_many(sparse.csr_matrix((4, 0)))


def test_the_estimators_and_their_evaluation():
    X, y = data()
    classifier = KernelClassifier(MERGE).partial_fit(sparse.csr_matrix(X), y, classes=[-1, 1])
    for form in ("csr", "csc"):
        wrong = with_index(10**6, form)
        for call in (
            lambda X: classifier.fit(X, y),
            lambda X: classifier.partial_fit(X, y),
            lambda X: classifier.predict_then_learn(X, y),
            classifier.predict,
            classifier.predict_proba,
            lambda X: classifier.calibrate(X, y),
            lambda X: progressive(classifier, [(X, y)]),
            lambda X: canonical(X, "float32"),
        ):
            call(sparse.csr_matrix(X))
            with pytest.raises(ValueError, match="index 1000000"):
                call(wrong)


@pytest.mark.parametrize(
    "given, words",
    [
        (np.full((60, 3), 1j), "complex numbers"),
        (np.full((60, 3), "2020-01-01", "M8[D]"), "dates or times"),
        (np.full((60, 3), 5, "m8[s]"), "dates or times"),
        (np.full((60, 3), 1j, object), "1j, which is not a number, at row 0, column 0"),
        (np.full((60, 3), 10**400, object), "an integer too large for float64 at row 0, column 0"),
        (np.full((60, 3), "red", object), "'red', which is not a number, at row 0, column 0"),
        (sparse.csr_matrix(np.full((60, 3), 1j)), "complex numbers"),
    ],
    ids=["complex", "dates", "times", "object", "integer", "text", "sparse"],
)
def test_what_is_not_a_real_number(model, given, words):
    before, (_, y) = bits(model), data()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for call in (lambda: model.learn_many(given, y), lambda: model.scores_many(given)):
            with pytest.raises(ValueError, match=words):
                call()
        for one in (lambda row: model.learn_one(row, 1.0), model.scores_one):
            with pytest.raises(ValueError):
                one(given[0])
        if isinstance(given, np.ndarray):
            with pytest.raises((ValueError, TypeError)):  # a TypeError is scikit-learn's, and has its words
                KernelClassifier(MERGE).fit(given, y)
    assert bits(model) == before
