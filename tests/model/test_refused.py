"""Values that cannot be learned are refused, and the model is as it was."""

import copy
import warnings

import numpy as np
import pytest
from scipy.sparse import csr_matrix

from kernelstream import recipes
from kernelstream.kernels import Gaussian
from kernelstream.losses import Squared

from .common import (
    CLASSES,
    MERGE,
    POLYNOMIAL,
    SQUARED,
    begin,
    bits,
    compiled_only,
    data,
    pure_only,
)

pytestmark = [pytest.mark.engine, pytest.mark.bounds]


def refused(model, X, y, match, weight=None):
    """The rows are refused with these words, and nothing has changed."""
    before = bits(model)
    with pytest.raises(ValueError, match=match):
        model.learn_many(X, y, weight)
    assert bits(model) == before


def trained(recipe=MERGE, dtype="float64", **options):
    X, y = data()
    return begin(recipe, X, y, dtype=dtype, **options).learn_many(X, y), X, y


@pytest.mark.parametrize("sparse", [False, True], ids=["dense", "sparse"])
@pytest.mark.parametrize(
    "values, words",
    [((np.nan,), "NaN"), ((np.inf,), "infinity"), ((-np.inf,), "infinity")],
    ids=repr,
)
def test_values_that_are_not_finite(values, words, sparse):
    model, X, y = trained()
    spoiled = X.copy()
    spoiled[17, 2] = values[0]
    spoiled[23, 0] = np.nan
    refused(model, csr_matrix(spoiled) if sparse else spoiled, y, f"{words} at row 17, column 2")


def test_infinities_of_both_signs():
    model, X, y = trained()
    X[3, 1], X[5, 1] = np.inf, -np.inf
    refused(model, X, y, "infinity at row 3, column 1")


def test_values_beyond_float32():
    model, X, y = trained(dtype="float32")
    X[9000 % 60, 1] = 1e200
    refused(model, X, y, "1e\\+200, a value too large for float32, at row 0, column 1")
    late = np.concatenate([np.repeat(X[1:2], 9000, axis=0), X[:1]])  # beyond the first chunk
    refused(model, late, np.ones(9001), "at row 9000, column 1")
    refused(model, csr_matrix(late), np.ones(9001), "at row 9000, column 1")


def test_wrong_width_and_length():
    model, X, y = trained()
    refused(model, X[:, :2], y, "2 features, but the model has 3")
    refused(model, csr_matrix(X[:, :2]), y, "2 features, but the model has 3")
    refused(model, X, y[:-1], "60 rows and y has 59")
    refused(model, X[0], y[:1], "two dimensions")
    with pytest.raises(ValueError, match="2 features, but the model has 3"):
        model.scores_many(X[:, :2])
    with pytest.raises(ValueError, match="2 features, but the model has 3"):
        model.scores_one(X[0, :2])


@pytest.mark.parametrize(
    "weight, words", [(-1.0, "row 4 is -1.0"), (np.nan, "row 4 is nan"), (np.inf, "row 4 is inf")], ids=repr
)
def test_weights_that_make_no_sense(weight, words):
    model, X, y = trained()
    weights = np.ones(60)
    weights[4] = weight
    refused(model, X, y, words, weights)


def test_weight_is_a_multiple_of_the_step():
    X, _ = data()
    y = np.arange(60) % 4
    whole = begin(CLASSES, X, y, n_outputs=4, dtype="float64").learn_many(X[:1], y[:1])
    half = begin(CLASSES, X, y, n_outputs=4, dtype="float64").learn_many(X[:1], y[:1], [0.5])
    np.testing.assert_allclose(half.scores_many(X), 0.5 * whole.scores_many(X), rtol=1e-12)
    assert half.record.loss == 0.5 * whole.record.loss > 0.0
    nothing = begin(CLASSES, X, y, n_outputs=4, dtype="float64").learn_many(X, y, np.zeros(60))
    assert nothing.n_support == 0 and nothing.record.examples == 60


@pytest.mark.parametrize("label", [0.0, 2.0, -0.5])
def test_unknown_labels(label):
    model, X, y = trained()
    y[11] = label
    refused(model, X, y, "at row 11; Hinge\\(\\) takes −1 or \\+1")
    classes = begin(CLASSES, X, np.zeros(60), n_outputs=3, dtype="float64")
    refused(
        classes,
        X,
        np.where(np.arange(60) == 8, 3 + abs(label) if label != 2 else -1.0, 1.0),
        "at row 8; .* class from 0 to 2",
    )


@pytest.mark.parametrize(
    "y, weight",
    [
        (3.0, 1.0),
        (0.0, 1.0),
        (np.nan, 1.0),
        (1.0, -1.0),
        (1.0, np.nan),
    ],
)
def test_one_example_is_checked_as_many_are(y, weight):
    model, X, _ = trained()
    before = bits(model)
    with pytest.raises(ValueError):
        model.learn_one(X[0], y, weight)
    assert bits(model) == before


def test_one_example_of_an_unknown_class():
    X, _ = data()
    model = begin(CLASSES, X, np.zeros(60), n_outputs=3, dtype="float64")
    with pytest.raises(ValueError, match="class from 0 to 2"):
        model.learn_one(X[0], 7)


@pure_only
@pytest.mark.parametrize("y", [1.0, [1.0], [1.0, -1.0, 1.0]], ids=repr)
def test_one_example_is_one(y):
    model, X, _ = trained()
    before = bits(model)
    with pytest.raises(ValueError):
        model.learn_one(X[:3], y)
    assert bits(model) == before


def test_one_prediction_is_one():
    model, X, _ = trained()
    with pytest.raises(ValueError):
        model.scores_one(X[:2])


@pytest.mark.parametrize("container", [list, np.array], ids=["list", "array"])
@pytest.mark.parametrize("dtype, value", [("float32", 1e39), ("float32", 1e200), ("float64", 1e152)])
def test_one_example_is_too_large_where_many_are(dtype, value, container):
    model, _, _ = trained(dtype=dtype)
    before, x = bits(model), [0.0, -value, 0.0]
    for learn in (lambda: model.learn_one(container(x), 1.0), lambda: model.learn_many([x], [1.0])):
        with warnings.catch_warnings(record=True) as noticed, pytest.raises(ValueError, match=f"too large for {dtype}"):
            warnings.simplefilter("always")
            learn()
        assert not noticed and bits(model) == before


@compiled_only
@pytest.mark.parametrize("dtype, value", [("float32", 1e38), ("float64", 1e150)])
def test_one_example_may_be_as_large_as_many(dtype, value):
    one, _, _ = trained(dtype=dtype)
    many = copy.deepcopy(one)
    one.learn_one([value, -value, value], 1.0)
    many.learn_many([[value, -value, value]], [1.0])
    assert bits(one) == bits(many)


def test_one_example_of_any_type_is_the_same():
    given = [[1, 0, -2], np.array([1, 0, -2]), np.array([1.0, 0.0, -2.0]), np.array([1.0, 0.0, -2.0], np.float32)]
    given += [np.array([1.0, 9.0, 0.0, 9.0, -2.0, 9.0])[::2], np.array([1.0, 0.0, -2.0], ">f8")]
    model, _, _ = trained(dtype="float32")
    models = [copy.deepcopy(model).learn_one(x, 1.0) for x in given]
    assert len({tuple(bits(m)) for m in models}) == 1 and bits(models[0]) != bits(model)
    assert len({m.scores_one(x).tobytes() for m, x in zip(models, given, strict=True)}) == 1


@compiled_only
def test_a_row_too_large_for_float64_leaves_the_model_unchanged():
    model, X, y = trained()
    X[30, 1] = 1e200  # finite, but ‖x‖² is not
    refused(model, X, y, "row 30")


@compiled_only
def test_a_target_too_large_leaves_the_model_unchanged():
    X, y = data()
    model = begin(SQUARED, X, y, dtype="float64").learn_many(X, y)
    y[30] = 1e200
    refused(model, X, y, "row 30")


@compiled_only
def test_predictions_too_large_for_float64_are_refused():
    model, X, _ = trained()
    with pytest.raises(ValueError, match="row 30"):
        X[30, 1] = 1e200
        model.scores_many(X)


@compiled_only
@pytest.mark.parametrize("value", [1e15, 1e30])
def test_a_kernel_that_overflows(value):
    X, y = data()
    for before in (0, 20):
        model = begin(POLYNOMIAL, X, y, dtype="float32").learn_many(X[:before], y[:before])
        huge = X[:30].copy()
        huge[10:12] = value
        refused(model, huge, y[:30], "row 1[01]")


@compiled_only
def test_a_row_whose_own_kernel_value_overflows_is_refused_by_itself():
    X, y = data()
    model = begin(POLYNOMIAL, X, y, dtype="float32")
    refused(model, np.full((1, 3), 1e15), y[:1], "row 0")
    model.learn_many(X, y)


@compiled_only
def test_a_kernel_that_overflows_between_two_rows():
    X = np.array([[1.0, 0.0, 0.0], [1e4, 0.0, 0.0], [1e9, 0.0, 0.0]])
    y = np.array([1.0, -1.0, 1.0])  # κ of the last two is 1e39: a loss of infinity
    model = begin(POLYNOMIAL, X, y, dtype="float32").learn_many(X[:1], y[:1])
    scores = model.scores_many(X[:2])
    refused(model, X, y, "row 2")
    np.testing.assert_array_equal(model.scores_many(X[:2]), scores)
    assert np.isfinite(scores).all()


@compiled_only
def test_huge_values_are_far_away():
    X, y = data()
    X[5:8] = [[1e30, 0.0, 0.0], [0.0, 1e30, 0.0], [-1e30, 1e30, 1.0]]
    for form in (np.asarray, csr_matrix):
        model = begin(MERGE, X, y, dtype="float32").learn_many(form(X), y)
        assert np.isfinite(model.scores_many(form(X))).all()
        assert np.abs(model.scores_many(form(X))).max() < 1e3


@compiled_only
def test_a_function_that_diverges_says_so():
    X, y = data()
    model = begin(recipes.kernel_sgd(Gaussian(0.1), Squared(), 1e-6), X, y, dtype="float64")
    before = bits(model)
    with pytest.raises(ValueError, match=r"diverge|step"):
        model.learn_many(X, y)
    assert bits(model) == before


@pytest.mark.parametrize("x", ["12", b"12", [[1.0], [2.0]], [1.0], [1.0, "a"], None, 3.0], ids=repr)
def test_what_is_not_one_row_is_refused(x):
    X, y = data(40)
    model = begin(MERGE, X[:, :2], y).learn_many(X[:, :2], y)
    before = bits(model)
    with pytest.raises((ValueError, TypeError)):
        model.learn_one(x, 1.0)
    with pytest.raises((ValueError, TypeError)):
        model.scores_one(x)
    assert bits(model) == before


@pytest.mark.parametrize("weight", [None, -1.0, np.nan, np.inf])
def test_a_weight_that_is_none_is_refused(weight):
    X, y = data(40)
    model = begin(MERGE, X, y).learn_many(X, y)
    before = bits(model)
    with pytest.raises((ValueError, TypeError)):
        model.learn_one(X[0], y[0], weight)
    assert bits(model) == before
