"""Small models at the edges: odd data, odd containers, values that overflow, and what must stay as it was."""

import copy
import pickle
import threading
import tracemalloc
import warnings

import numpy as np
import pytest
from numba import config
from scipy.sparse import csc_matrix, csr_array, csr_matrix, random_array

from kernelstream import Model, Recipe, recipes
from kernelstream.averaging import Mean
from kernelstream.bounds import Ball
from kernelstream.kernels import Gaussian, Linear, Polynomial
from kernelstream.losses import CrammerSinger, Hinge, Logistic, Multinomial, PerceptronClasses, Squared
from kernelstream.maintenance import Discard, Keep, Merge, Project, ProjectOnNearest, Prune, Remove, Sometimes
from kernelstream.state import arrays
from kernelstream.steps import Constant, InverseTime

pytestmark = [pytest.mark.engine, pytest.mark.bounds]
PURE = bool(config.DISABLE_JIT)
LAM = 0.01

# Few compositions, each used by many tests: compiling is what they cost.
MERGE = recipes.bsgd(Gaussian(1.5), Hinge(), LAM, 12, "merge")
CLASSES = recipes.bsgd(Gaussian(1.5), CrammerSinger(), LAM, 12, "merge", 2.0, Ball(10.0))
PROJECT = recipes.bsgd(Gaussian(1.5), Hinge(), LAM, 12, "project")
POLK = recipes.polk(Gaussian(1.5), Logistic(), 0.5, 0.01, 0.3)
POLYNOMIAL = recipes.pegasos(Polynomial(3, 1.0, 1.0), Hinge(), LAM)
SQUARED = recipes.kernel_sgd(Gaussian(1.5), Squared(), LAM, 2.0)
PEGASOS = recipes.pegasos(Gaussian(1.5), Hinge(), LAM)


def pure_only(test):
    """Collected without the compiler only: a composition of its own."""
    return test if PURE else None


def compiled_only(test):
    return None if PURE else test


def data(rows=60, features=3, seed=0):
    X = np.random.default_rng(seed).normal(size=(rows, features))
    return X, np.where(X[:, 0] * X[:, -1] > 0.0, 1.0, -1.0)


def bits(model):
    """Everything that learning goes on from, byte for byte."""
    state = model._state
    kept = state._replace(scratch=(), work=())
    return [a.tobytes() for a in arrays(kept)]


def begin(recipe, X, y, **options):
    return Model.begin(recipe, X, y, **options)


# ------------------------------------------------------------------ odd data


@pytest.mark.parametrize("sparse", [False, True], ids=["dense", "sparse"])
def test_data_far_from_the_origin(sparse):
    X, y = data(120)
    X = np.round(X * 64) / 64  # what float32 keeps exactly at 1000
    form = csr_matrix if sparse else np.asarray
    near = begin(MERGE, X, y, dtype="float64").learn_many(X, y)
    far = begin(MERGE, X + 1000.0, y, dtype="float32").learn_many(form(X + 1000.0), y)
    same = np.abs(far.predict_many(form(X + 1000.0)) - near.predict_many(X))
    # a merged point between two SVs is rounded to 6e-5
    assert np.median(same) < 1e-2 * np.abs(near.predict_many(X)).max()
    assert (np.sign(far.predict_many(form(X + 1000.0))) == np.sign(near.predict_many(X))).mean() > 0.95


def test_constant_features():
    X, y = data()
    X[:, 1] = 7.0
    model = begin(MERGE, X, y, dtype="float32").learn_many(X, y)
    without = begin(MERGE, X[:, [0, 2]], y, dtype="float32").learn_many(X[:, [0, 2]], y)
    np.testing.assert_allclose(model.predict_many(X), without.predict_many(X[:, [0, 2]]), rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("value", [0.0, 5.0])
def test_rows_that_are_all_equal(value):
    X, y = np.full((50, 3), value), np.ones(50)
    for recipe in (MERGE, PROJECT, POLK):
        model = begin(recipe, X, y, dtype="float64").learn_many(X, y)
        assert model.n_support >= 1
        assert (model.predict_many(X) > 0.0).all() and np.isfinite(model.predict_many(X)).all()
    assert begin(recipes.bsgd(Gaussian("scale"), budget=5), X, y).recipe.kernel.gamma == pytest.approx(1 / 3)
    assert begin(recipes.bsgd(Gaussian("auto"), budget=5), X, y).recipe.kernel.gamma == pytest.approx(1 / 3)


@pytest.mark.parametrize("recipe", [MERGE, PROJECT, POLK], ids=["merge", "project", "polk"])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_duplicates_by_the_thousand(recipe, dtype):
    distinct, _ = data(8)
    labels = np.where(np.arange(8) % 2, 1.0, -1.0)
    pick = np.random.default_rng(1).integers(8, size=300 if PURE else 5000)
    model = begin(recipe, distinct, labels, dtype=dtype).learn_many(distinct[pick], labels[pick])
    scores = model.predict_many(distinct)[:, 0]
    assert np.isfinite(scores).all()
    assert (np.sign(scores) == labels).all()
    if recipe is not MERGE:
        assert model.n_support <= 8  # folded in
        assert model.recipe.norm.square(model._state.norm) == pytest.approx(model.norm**2, rel=1e-3) or recipe is POLK


def test_one_class_only():
    X, _ = data()
    model = begin(MERGE, X, np.ones(60), dtype="float64").learn_many(X, np.ones(60))
    assert (model.predict_many(X) > 0.0).mean() > 0.9
    many = begin(CLASSES, X, np.full(60, 2), n_outputs=4, dtype="float64").learn_many(X, np.full(60, 2))
    assert (many.predict_many(X).argmax(axis=1) == 2).all()


@pure_only
def test_a_single_class_has_no_loss():
    X, _ = data()
    for loss in (CrammerSinger(), PerceptronClasses()):
        model = begin(recipes.kernel_sgd(Gaussian(1.0), loss, LAM), X, np.zeros(60))
        assert model.n_outputs == 1
        assert model.learn_many(X, np.zeros(60)).n_support == 0


def test_one_feature_and_one_support_vector():
    X, _ = data(60, 1)
    y = np.where(X[:, 0] > 0.0, 1.0, -1.0)
    model = begin(MERGE, X, y, dtype="float64").learn_many(X, y)
    assert (np.sign(model.predict_many(X)[:, 0]) == y).mean() > 0.8
    for recipe in (MERGE, PROJECT):
        alone = begin(recipe.replace(budget=1), X, y, dtype="float64").learn_many(X, y)
        assert alone.n_support == 1
        assert np.isfinite(alone.predict_many(X)).all()


@compiled_only
def test_fifty_thousand_sparse_features():
    rng, rows = np.random.default_rng(0), 2000
    X = csr_array(random_array((rows, 50_000), density=4e-4, rng=rng, dtype=np.float32))
    y = np.where(rng.random(rows) > 0.5, 1.0, -1.0)
    model = begin(MERGE, X[:10], y[:10], dtype="float32")
    size = model.nbytes
    assert size < 4 * 50_000 * (16 + 8)  # the SVs of its capacity and a few rows
    model.learn_many(X[:5], y[:5]).predict_many(X[:5])
    tracemalloc.start()
    scores = model.learn_many(X, y).predict_many(X)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert np.isfinite(scores).all()
    assert model.nbytes == size
    assert peak < 20e6  # the dense matrix would take 400e6


def test_a_width_from_sparse_rows_does_not_make_them_dense():
    X = csr_array(random_array((200, 50_000), density=4e-4, rng=np.random.default_rng(0)))
    tracemalloc.start()
    begin(recipes.oskl(Gaussian("auto")), X, np.ones(200))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 40e6


def test_widths_of_sparse_and_dense_rows_agree():
    X, y = data(80)
    X[np.abs(X) < 0.7] = 0.0
    for rule in ("scale", "auto"):
        recipe = recipes.bsgd(Gaussian(rule), budget=5)
        dense, sparse = begin(recipe, X, y), begin(recipe, csr_matrix(X), y)
        assert dense.recipe.kernel.gamma == pytest.approx(sparse.recipe.kernel.gamma, rel=1e-12)
    assert begin(recipes.bsgd(Gaussian("scale"), budget=5), X, y).recipe.kernel.gamma == pytest.approx(
        1 / (3 * X.var())
    )


def test_empty_rows_of_a_sparse_matrix_are_zero():
    X, y = data()
    X[::3] = 0.0
    dense = begin(MERGE, X, y, dtype="float64").learn_many(X, y)
    sparse = begin(MERGE, X, y, dtype="float64").learn_many(csr_matrix(X), y)
    np.testing.assert_allclose(sparse.predict_many(csr_matrix(X)), dense.predict_many(X), rtol=1e-9, atol=1e-9)
    nothing = csr_matrix((4, 3))
    np.testing.assert_allclose(sparse.predict_many(nothing), dense.predict_many(np.zeros((4, 3))), rtol=1e-9)


def test_no_rows():
    X, y = data()
    model = begin(MERGE, X, y, dtype="float64").learn_many(X, y)
    before = bits(model)
    for empty in (X[:0], csr_matrix((0, 3))):
        assert model.learn_many(empty, y[:0]).predict_many(empty).shape == (0, 1)
    assert bits(model) == before
    assert begin(MERGE, X[:0], y[:0]).n_support == 0


# ------------------------------------------------------------------ values that cannot be learned


def refused(model, X, y, match, weight=None, one=True):
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
        model.predict_many(X[:, :2])
    with pytest.raises(ValueError, match="2 features, but the model has 3"):
        model.predict_one(X[0, :2])


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
    np.testing.assert_allclose(half.predict_many(X), 0.5 * whole.predict_many(X), rtol=1e-12)
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
        model.predict_one(X[:2])


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
    assert len({m.predict_one(x).tobytes() for m, x in zip(models, given, strict=True)}) == 1


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
        model.predict_many(X)


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
    scores = model.predict_many(X[:2])
    refused(model, X, y, "row 2")
    np.testing.assert_array_equal(model.predict_many(X[:2]), scores)
    assert np.isfinite(scores).all()


@compiled_only
def test_huge_values_are_far_away():
    X, y = data()
    X[5:8] = [[1e30, 0.0, 0.0], [0.0, 1e30, 0.0], [-1e30, 1e30, 1.0]]
    for form in (np.asarray, csr_matrix):
        model = begin(MERGE, X, y, dtype="float32").learn_many(form(X), y)
        assert np.isfinite(model.predict_many(form(X))).all()
        assert np.abs(model.predict_many(form(X))).max() < 1e3


@compiled_only
def test_a_function_that_diverges_says_so():
    X, y = data()
    model = begin(recipes.kernel_sgd(Gaussian(0.1), Squared(), 1e-6), X, y, dtype="float64")
    before = bits(model)
    with pytest.raises(ValueError, match=r"diverge|step"):
        model.learn_many(X, y)
    assert bits(model) == before


# ------------------------------------------------------------------ containers


def containers(X):
    """The same numbers, float32-exact, in every kind of container."""
    wide = np.zeros((len(X), 2 * X.shape[1]))
    wide[:, ::2] = X
    frozen = X.copy()
    frozen.flags.writeable = False
    return {
        "float64": X,
        "float32": X.astype(np.float32),
        "float16": X.astype(np.float16),
        "fortran": np.asfortranarray(X),
        "frozen": frozen,
        "frozen float32": _frozen(X.astype(np.float32)),
        "big-endian": X.astype(">f4"),
        "strided": wide[:, ::2],
        "reversed": X[::-1][::-1],
        "list": X.tolist(),
        "int": X.astype(np.int32),
        "int8": X.astype(np.int8),
        "object": X.astype(object),
        "unaligned": _unaligned(X.astype(np.float32)),
        "csr": csr_matrix(X),
        "csr array": csr_array(X),
        "csc": csc_matrix(X),
        "coo": csr_matrix(X).tocoo(),
        "int64 indices": _int64(X),
        "unsorted with duplicates": _shuffled(X),
    }


def _frozen(X):
    X.flags.writeable = False
    return X


def _unaligned(X):
    buffer = np.zeros(X.nbytes + 1, np.uint8)
    view = buffer[1:].view(np.float32).reshape(X.shape)
    view[...] = X
    return view


def _int64(X):
    new = csr_matrix(X)
    new.indptr, new.indices = new.indptr.astype(np.int64), new.indices.astype(np.int64)
    return new


def _shuffled(X):
    """Every entry twice, as halves, in reverse order of columns."""
    plain = csr_matrix(X)
    indptr = 2 * plain.indptr
    indices, values = [], []
    for a, b in zip(plain.indptr, plain.indptr[1:], strict=False):
        for _ in range(2):
            indices.extend(plain.indices[a:b][::-1])
            values.extend(0.5 * plain.data[a:b][::-1])
    return csr_matrix((values, indices, indptr), X.shape)


def signatures(model):
    return len(model._learn.signatures), len(model._predict.signatures)


def test_every_container_gives_the_same_model():
    X = np.round(4 * data()[0])
    y = np.where(X[:, 0] > 0.0, 1.0, -1.0)
    reference = begin(MERGE, X, y, dtype="float32").learn_many(X, y)
    sparse = begin(MERGE, X, y, dtype="float32").learn_many(csr_matrix(X), y)
    compiled = None if PURE else signatures(sparse)
    for name, same in containers(X).items():
        model = begin(MERGE, X, y, dtype="float32").learn_many(same, y)
        twin = sparse if not isinstance(same, (np.ndarray, list)) else reference
        assert bits(model) == bits(twin), name
        np.testing.assert_array_equal(
            model.predict_many(same), twin.predict_many(csr_matrix(X) if twin is sparse else X), err_msg=name
        )
        assert PURE or signatures(model) == compiled, name


def test_targets_in_every_container():
    X, y = data()
    reference = bits(begin(MERGE, X, y, dtype="float64").learn_many(X, y))
    frozen = y.copy()
    frozen.flags.writeable = False
    for same in (
        y.tolist(),
        y.astype(np.int8),
        y.astype(">f8"),
        np.repeat(y, 2)[::2],
        y[:, None],
        np.asfortranarray(y[:, None]),
        frozen,
    ):
        assert bits(begin(MERGE, X, y, dtype="float64").learn_many(X, same)) == reference
    for weight in (1, 1.0, np.ones(60, np.int32), np.ones(120)[::2], _frozen(np.ones(60))):
        assert bits(begin(MERGE, X, y, dtype="float64").learn_many(X, y, weight)) == reference


def test_bool_rows():
    X = data()[0] > 0.0
    y = np.where(X[:, 0] ^ X[:, 1], 1.0, -1.0)
    model = begin(MERGE, X, y, dtype="float32").learn_many(X, y)
    assert bits(model) == bits(begin(MERGE, X, y, dtype="float32").learn_many(X.astype(float), y))
    assert (np.sign(model.predict_many(X)[:, 0]) == y).all()


def test_a_seed_may_be_a_numpy_integer():
    X, y = data()
    assert bits(begin(MERGE, X, y, seed=np.int64(5))) == bits(begin(MERGE, X, y, seed=5))


def test_negative_seeds_are_seeds():
    X, y = data()
    assert begin(MERGE, X, y, seed=-1)._state.run.rng[0] == 2**64 - 1


# ------------------------------------------------------------------ copies, growth, threads


@pure_only
@pytest.mark.parametrize("average", ["last", "mean", "suffix", "random"])
def test_copies_in_the_middle_of_a_batch(average):
    X, y = data(90)
    recipe = recipes.bsgd(Gaussian(1.5), Logistic(), LAM, 8, "merge", batch=7, average=average)
    model = begin(recipe, X, y, dtype="float64", seed=2).learn_many(X[:40], y[:40])
    assert model._state.batch.seen[0] == 5 and model._state.batch.staged[0] > 0
    straight = begin(recipe, X, y, dtype="float64", seed=2).learn_many(X, y)
    for again in (copy.deepcopy(model), pickle.loads(pickle.dumps(model)), copy.copy(model)):
        again.learn_many(X[40:], y[40:])
        assert bits(again) == bits(straight)
    assert model.record.examples == 40  # the copies were copies
    assert bits(model.learn_many(X[40:], y[40:])) == bits(straight)


def test_growth_does_not_matter():
    X, y = data(400)
    small = begin(PEGASOS, X, y, dtype="float64").learn_many(X, y)
    large = begin(PEGASOS, X, y, dtype="float64")
    large._resize(large._dims._replace(capacity=1024))
    large.learn_many(X, y)
    assert small._dims.capacity in (256, 320, 512) and small.n_support > 128  # doubled more than once
    n = small.n_support
    assert n == large.n_support
    for name in ("sq", "diag", "age", "coef", "sv"):
        a, b = getattr(small._state.expansion, name), getattr(large._state.expansion, name)
        np.testing.assert_array_equal(a[..., :n], b[..., :n])
    assert [a.tobytes() for a in small._state.run] == [a.tobytes() for a in large._state.run]
    np.testing.assert_array_equal(small.predict_many(X), large.predict_many(X))


@pure_only
def test_growth_does_not_matter_for_averages():
    X, y = data(150)
    for maintenance, budget in ((Merge(), 8), (Prune(0.1), None), (Keep(), None)):
        recipe = Recipe(
            Gaussian(1.5),
            Logistic(),
            Constant(0.5, 0.02),
            maintenance=maintenance,
            budget=budget,
            average=Mean(),
            batch=3,
        )
        small = begin(recipe, X, y, dtype="float64").learn_many(X, y)
        large = begin(recipe, X, y, dtype="float64")
        large._resize(large._dims._replace(capacity=512, attic=2048))
        large.learn_many(X, y)
        np.testing.assert_array_equal(small.predict_many(X), large.predict_many(X))
        assert small._dims.attic < 2048 and small._dims.capacity < 512


def test_threads_share_a_model():
    X, y = data(400)
    model = begin(PEGASOS, X, y, dtype="float64").learn_many(X, y)
    part = slice(40) if PURE else slice(None)
    expected = model.predict_many(X[part])
    alone = model.predict_one(X[7])
    wrong, before = [], bits(model)

    def work(k):
        for _ in range(2 if PURE else 40):
            if not np.array_equal(model.predict_many(X[part]), expected):
                wrong.append(k)
            if not np.array_equal(model.predict_one(X[7]), alone):
                wrong.append(k)

    threads = [threading.Thread(target=work, args=(k,)) for k in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong
    assert bits(model) == before


def test_models_share_no_memory():
    X, y = data()
    first = begin(MERGE, X, y, dtype="float64").learn_many(X, y)
    others = [
        copy.deepcopy(first),
        pickle.loads(pickle.dumps(first)),
        first.compress(budget=5),
        begin(MERGE, X, y, dtype="float64"),
    ]
    models = [first, *others]
    for i, a in enumerate(models):
        for b in models[i + 1 :]:
            assert not any(np.shares_memory(p, q) for p in arrays(a._state) for q in arrays(b._state))
    before = bits(first)
    for other in others:
        other.learn_many(X[::-1], y[::-1])
    assert bits(first) == before


# ------------------------------------------------------------------ combinations


@pure_only
def test_sometimes_remove_the_cheapest():
    from kernelstream.maintenance import Cheapest

    X, y = data()
    recipe = Recipe(Gaussian(1.0), maintenance=Sometimes(Remove(Cheapest()), 100.0), budget=10)
    assert begin(recipe, X, y).learn_many(X, y).n_support >= 10


@pure_only
@pytest.mark.parametrize("inner", [Prune(0.1), Keep()], ids=repr)
def test_sometimes_of_what_cannot_reduce_is_refused(inner):
    with pytest.raises(ValueError, match="Sometimes"):
        Recipe(Gaussian(1.0), maintenance=Sometimes(inner, 100.0), budget=10)


@pure_only
def test_sometimes_always_keeps_the_budget_with_batches():
    X, y = data(200)
    recipe = Recipe(Gaussian(1.0), maintenance=Sometimes(Remove(), 1e9), budget=10, batch=8)
    assert begin(recipe, X, y).learn_many(X, y).n_support <= 10


@pure_only
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_projection_on_more_neighbours_than_the_kernel_has_dimensions(dtype):
    X, y = data(300)
    recipe = Recipe(Linear(), Logistic(), Constant(0.05, 0.05), maintenance=ProjectOnNearest(8), budget=25)
    model = begin(recipe, X, y, dtype=dtype).learn_many(X, y)
    plain = begin(recipe.replace(maintenance=Keep(), budget=None), X, y, dtype="float64").learn_many(X, y)
    np.testing.assert_allclose(model.predict_many(X), plain.predict_many(X), atol=0.05)


@pure_only
@pytest.mark.parametrize(
    "rule",
    [
        Remove(),
        Project(),
        Discard(),
        ProjectOnNearest(2),
    ],
    ids=repr,
)
def test_a_linear_kernel_and_rows_of_zeros(rule):
    X, y = data(80)
    X[::4] = 0.0
    recipe = Recipe(Linear(), Hinge(), InverseTime(0.1, 10.0), maintenance=rule, budget=6, track_norm=True)
    model = begin(recipe, X, y, dtype="float64").learn_many(X, y)
    assert np.isfinite(model.predict_many(X)).all()
    assert model.n_support <= 6


@pure_only
def test_multinomial_of_one_class_learns_nothing():
    X, _ = data()
    model = begin(recipes.kernel_sgd(Gaussian(1.0), Multinomial(), LAM), X, np.zeros(60)).learn_many(X, np.zeros(60))
    assert model.n_support == 0 and model.record.loss == 0.0


@pytest.mark.parametrize("x", ["12", b"12", [[1.0], [2.0]], [1.0], [1.0, "a"], None, 3.0], ids=repr)
def test_what_is_not_one_row_is_refused(x):
    X, y = data(40)
    model = begin(MERGE, X[:, :2], y).learn_many(X[:, :2], y)
    before = bits(model)
    with pytest.raises((ValueError, TypeError)):
        model.learn_one(x, 1.0)
    with pytest.raises((ValueError, TypeError)):
        model.predict_one(x)
    assert bits(model) == before


@pytest.mark.parametrize("weight", [None, -1.0, np.nan, np.inf])
def test_a_weight_that_is_none_is_refused(weight):
    X, y = data(40)
    model = begin(MERGE, X, y).learn_many(X, y)
    before = bits(model)
    with pytest.raises((ValueError, TypeError)):
        model.learn_one(X[0], y[0], weight)
    assert bits(model) == before
