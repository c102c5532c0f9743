"""Data at the edges: far away, constant, equal, empty, of one class."""

import tracemalloc

import numpy as np
import pytest
from scipy.sparse import csr_array, csr_matrix, random_array

from kernelstream import recipes
from kernelstream.kernels import Gaussian
from kernelstream.losses import CrammerSinger, PerceptronClasses

from .common import CLASSES, LAM, MERGE, POLK, PROJECT, PURE, begin, bits, compiled_only, data, pure_only

pytestmark = [pytest.mark.engine, pytest.mark.bounds]


@pytest.mark.parametrize("sparse", [False, True], ids=["dense", "sparse"])
def test_data_far_from_the_origin(sparse):
    X, y = data(120)
    X = np.round(X * 64) / 64  # what float32 keeps exactly at 1000
    form = csr_matrix if sparse else np.asarray
    near = begin(MERGE, X, y, dtype="float64").learn_many(X, y)
    far = begin(MERGE, X + 1000.0, y, dtype="float32").learn_many(form(X + 1000.0), y)
    same = np.abs(far.scores_many(form(X + 1000.0)) - near.scores_many(X))
    # a merged point between two SVs is rounded to 6e-5
    assert np.median(same) < 1e-2 * np.abs(near.scores_many(X)).max()
    assert (np.sign(far.scores_many(form(X + 1000.0))) == np.sign(near.scores_many(X))).mean() > 0.95


def test_constant_features():
    X, y = data()
    X[:, 1] = 7.0
    model = begin(MERGE, X, y, dtype="float32").learn_many(X, y)
    without = begin(MERGE, X[:, [0, 2]], y, dtype="float32").learn_many(X[:, [0, 2]], y)
    np.testing.assert_allclose(model.scores_many(X), without.scores_many(X[:, [0, 2]]), rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("value", [0.0, 5.0])
def test_rows_that_are_all_equal(value):
    X, y = np.full((50, 3), value), np.ones(50)
    for recipe in (MERGE, PROJECT, POLK):
        model = begin(recipe, X, y, dtype="float64").learn_many(X, y)
        assert model.n_support >= 1
        assert (model.scores_many(X) > 0.0).all() and np.isfinite(model.scores_many(X)).all()
    assert begin(recipes.bsgd(Gaussian("scale"), budget=5), X, y).recipe.kernel.gamma == pytest.approx(1 / 3)
    assert begin(recipes.bsgd(Gaussian("auto"), budget=5), X, y).recipe.kernel.gamma == pytest.approx(1 / 3)


@pytest.mark.parametrize("recipe", [MERGE, PROJECT, POLK], ids=["merge", "project", "polk"])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_duplicates_by_the_thousand(recipe, dtype):
    distinct, _ = data(8)
    labels = np.where(np.arange(8) % 2, 1.0, -1.0)
    pick = np.random.default_rng(1).integers(8, size=300 if PURE else 5000)
    model = begin(recipe, distinct, labels, dtype=dtype).learn_many(distinct[pick], labels[pick])
    scores = model.scores_many(distinct)[:, 0]
    assert np.isfinite(scores).all()
    assert (np.sign(scores) == labels).all()
    if recipe is not MERGE:
        assert model.n_support <= 8  # folded in
        assert model.recipe.norm.square(model.state.norm) == pytest.approx(model.norm**2, rel=1e-3) or recipe is POLK


def test_one_class_only():
    X, _ = data()
    model = begin(MERGE, X, np.ones(60), dtype="float64").learn_many(X, np.ones(60))
    assert (model.scores_many(X) > 0.0).mean() > 0.9
    many = begin(CLASSES, X, np.full(60, 2), n_outputs=4, dtype="float64").learn_many(X, np.full(60, 2))
    assert (many.scores_many(X).argmax(axis=1) == 2).all()


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
    assert (np.sign(model.scores_many(X)[:, 0]) == y).mean() > 0.8
    for recipe in (MERGE, PROJECT):
        alone = begin(recipe.replace(budget=1), X, y, dtype="float64").learn_many(X, y)
        assert alone.n_support == 1
        assert np.isfinite(alone.scores_many(X)).all()


@compiled_only
def test_fifty_thousand_sparse_features():
    rng, rows = np.random.default_rng(0), 2000
    X = csr_array(random_array((rows, 50_000), density=4e-4, rng=rng, dtype=np.float32))
    y = np.where(rng.random(rows) > 0.5, 1.0, -1.0)
    model = begin(MERGE, X[:10], y[:10], dtype="float32")
    size = model.nbytes
    assert size < 4 * 50_000 * (16 + 8)  # the SVs of its capacity and a few rows
    model.learn_many(X[:5], y[:5]).scores_many(X[:5])
    tracemalloc.start()
    scores = model.learn_many(X, y).scores_many(X)
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
    np.testing.assert_allclose(sparse.scores_many(csr_matrix(X)), dense.scores_many(X), rtol=1e-9, atol=1e-9)
    nothing = csr_matrix((4, 3))
    np.testing.assert_allclose(sparse.scores_many(nothing), dense.scores_many(np.zeros((4, 3))), rtol=1e-9)


def test_no_rows():
    X, y = data()
    model = begin(MERGE, X, y, dtype="float64").learn_many(X, y)
    before = bits(model)
    for empty in (X[:0], csr_matrix((0, 3))):
        assert model.learn_many(empty, y[:0]).scores_many(empty).shape == (0, 1)
    assert bits(model) == before
    assert begin(MERGE, X[:0], y[:0]).n_support == 0
