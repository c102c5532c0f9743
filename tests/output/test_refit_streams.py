"""A stream may come in any pieces, rest in a file, be sparse or short of digits: the refit is the same."""

import copy
import pickle

import numpy as np
import pytest
from scipy.sparse import csr_matrix

import kernelstream
from kernelstream import losses, output, recipes
from kernelstream.output import Refit
from kernelstream.output import refit as stage
from properties.common import pure_only
from tests.output.refit_cases import (
    DEFAULT,
    GATHERED,
    GAUSSIAN,
    RUNNABLE,
    begun,
    bits,
    last_iterate,
    own,
    refitted,
    stream,
)

pytestmark = pytest.mark.engine
ROWS = 4 * GATHERED + 7
# one for each kind of target and of growth; the others differ in what is done with the numbers only
KINDS = {"merge hinge", "merge hinge half-life", "project squared", "merge three classes", "mini-batches", "projectron"}
every_kind = pytest.mark.parametrize("case", [c for c in RUNNABLE if c.name in KINDS], ids=lambda case: case.name)
both_widths = pytest.mark.parametrize("dtype", ["float32", "float64"])


@pytest.fixture(autouse=True)
def gather_few(monkeypatch):
    monkeypatch.setattr(stage, "GATHERED", GATHERED)


def learned(case, dtype="float64", rows: int = ROWS):
    X, y, _ = stream(case.task, rows)
    return begun(case.recipe, case.task, dtype).learn_many(X, y)


@every_kind
def test_chunks_do_not_matter(case):
    X, y, _ = stream(case.task, ROWS)
    whole, one_by_one, pieces = learned(case), begun(case.recipe, case.task), begun(case.recipe, case.task)
    for x, target in zip(X, y, strict=True):
        one_by_one.learn_one(x, target)
    for start in range(0, ROWS, 37):
        pieces.learn_many(X[start : start + 37], y[start : start + 37])
    assert bits(one_by_one) == bits(whole)
    assert bits(pieces) == bits(whole)
    assert own(whole).mass[0] > 0


@every_kind
def test_interrupted_equals_never_interrupted(case, tmp_path):
    X, y, _ = stream(case.task, ROWS)
    half = 3 * GATHERED - 5
    straight = learned(case)
    model = begun(case.recipe, case.task).learn_many(X[:half], y[:half])
    kernelstream.save(model, tmp_path / "model.ks")
    before = bits(model)
    for again in (pickle.loads(pickle.dumps(model)), copy.deepcopy(model), kernelstream.load(tmp_path / "model.ks")):
        assert bits(again) == before
        assert bits(again.learn_many(X[half:], y[half:])) == bits(straight)
    assert bits(model) == before != bits(straight)


@pure_only
def test_sparse_rows_give_the_model_of_dense_rows():
    X, y, _ = stream("binary", ROWS)
    X = np.where(np.abs(X) < 0.5, 0.0, X)
    dense, sparse = begun(DEFAULT).learn_many(X, y), begun(DEFAULT).learn_many(csr_matrix(X), y)
    assert own(dense).mass[0] == own(sparse).mass[0] > 0
    np.testing.assert_allclose(own(sparse).coef, own(dense).coef, rtol=1e-6, atol=1e-9)
    np.testing.assert_array_equal(own(sparse).tally, own(dense).tally)


@pure_only
@pytest.mark.parametrize("recipe", [recipes.perceptron(GAUSSIAN), recipes.oskl(GAUSSIAN)], ids=["perceptron", "oskl"])
def test_float32_follows_float64(recipe):
    X, y, _ = stream("binary", 8 * GATHERED)
    X = X.astype(np.float32).astype(np.float64)
    wide, narrow = (begun(refitted(recipe), dtype=dtype).learn_many(X, y) for dtype in ("float64", "float32"))
    assert own(narrow).sv.dtype == own(narrow).waiting.x.dtype == np.float32
    assert own(narrow).H.dtype == own(narrow).coef.dtype == np.float64
    assert own(narrow).mass[0] == own(wide).mass[0] > 0
    n = int(own(wide).n[0])
    K = wide.recipe.kernel(X, own(wide).sv[:, :n].T)
    values, wanted = K @ own(narrow).coef[:, :n].T, K @ own(wide).coef[:, :n].T
    assert np.abs(values - wanted).max() < 2e-3 * np.abs(wanted).max()


@both_widths
def test_the_usual_gatherings(dtype, monkeypatch):
    """256 examples at a time; the last of them are taken in when the next one comes."""
    monkeypatch.undo()
    X, y, _ = stream("binary", 769)
    model = begun(DEFAULT, dtype=dtype)
    masses = []
    for stop in (256, 257, 512, 513, 768, 769):
        model.learn_many(X[model.record.examples : stop], y[model.record.examples : stop])
        masses.append((int(own(model).n[0]), float(own(model).mass[0])))
    assert masses == [(0, 0.0), (20, 0.0), (20, 0.0), (20, 256.0), (20, 256.0), (20, 512.0)]
    assert len(own(begun(DEFAULT.replace(budget=300))).waiting.weight) == 256


NAMED = {
    "default": recipes.default(GAUSSIAN, budget=12),
    "kernel_sgd": recipes.kernel_sgd(GAUSSIAN, lam=0.01),
    "pegasos": recipes.pegasos(GAUSSIAN, lam=0.01),
    "bsgd": recipes.bsgd(GAUSSIAN, lam=0.01, budget=12),
    "nbsgd": recipes.nbsgd(GAUSSIAN, lam=0.01, budget=12, beta=30),
    "polk": recipes.polk(GAUSSIAN, parsimony=0.8),
    "olk": recipes.olk(GAUSSIAN),
    "olru": recipes.olru(GAUSSIAN),
    "olrd": recipes.olrd(GAUSSIAN),
    "oskl": recipes.oskl(GAUSSIAN),
    "perceptron": recipes.perceptron(GAUSSIAN),
    "rbp": recipes.rbp(GAUSSIAN, 12),
    "budget_perceptron": recipes.budget_perceptron(GAUSSIAN, 12),
    "forgetron": recipes.forgetron(GAUSSIAN, 12),
    "projectron": recipes.projectron(GAUSSIAN),
    "pa": recipes.pa(GAUSSIAN),
    "bpa": recipes.bpa(GAUSSIAN, budget=12),
    "norma": recipes.norma(GAUSSIAN, budget=12),
    "bogd": recipes.bogd(GAUSSIAN, budget=12),
    "sparse_klr": recipes.sparse_klr(GAUSSIAN, 1.5),
    "krls": recipes.krls(GAUSSIAN, 0.5),
    "nogd": recipes.nogd(GAUSSIAN, budget=12),
}


def test_every_recipe_is_named_here():
    assert set(NAMED) == set(recipes.RECIPES) - {"fogd"}


def blobs(rows: int):
    """Two classes far apart: few examples of it need become support vectors."""
    rng = np.random.default_rng(0)
    y = rng.choice([-1.0, 1.0], rows)
    return 0.8 * y[:, None] + 0.4 * rng.normal(size=(rows, 3)), y


@pure_only
@pytest.mark.parametrize("name", NAMED)
def test_every_recipe_can_be_refitted_and_does_not_notice(name):
    plain, model = (begun(NAMED[name].replace(output=average)) for average in (output.Last(), Refit()))
    X, y = blobs(6 * len(own(model).waiting.weight) + 1)
    for each in (plain, model):
        each.learn_many(X, y)
    for found, wanted in zip(last_iterate(model), last_iterate(plain), strict=True):
        np.testing.assert_array_equal(found, wanted)
    kept = own(model)
    n = int(kept.n[0])
    assert kept.mass[0] > 0 and n > 0
    kept.serves[0] = 1
    scores = model.scores_many(X)
    np.testing.assert_allclose(scores, model.recipe.kernel(X, kept.sv[:, :n].T) @ kept.coef[:, :n].T, atol=1e-12)
    assert np.array_equal(model.function.support_vectors, kept.sv[:, :n].T)
    assert np.mean(np.sign(scores[:, 0]) == y) > 0.9


@pure_only
@pytest.mark.parametrize("name", ["perceptron", "projectron", "nbsgd", "polk", "oskl"])
def test_it_grows_with_the_capacity(name):
    X, _, _ = stream("binary", 330)
    y = np.random.default_rng(0).choice([-1.0, 1.0], 330)  # nothing to be learned, so errors never end
    model = begun(refitted(NAMED[name]))
    before = model.state.expansion.sq.shape[0]
    model.learn_many(X, y)
    kept, room = own(model), model.state.expansion.sq.shape[0]
    assert room > before
    assert kept.H.shape == (room, room) and len(kept.waiting.weight) == GATHERED
    assert kept.mass[0] > 0


@pure_only
def test_it_is_fitted_where_every_example_becomes_a_support_vector():
    X, y, _ = stream("values", 700)
    model = begun(refitted(recipes.kernel_sgd(GAUSSIAN, losses.Squared(), 0.01, 1.0)), "values")
    assert own(model.learn_many(X, y)).mass[0] > 0


def test_memory_stays():
    X, y, _ = stream("binary", ROWS)
    model = begun(DEFAULT)
    before = model.nbytes
    assert model.learn_many(X, y).nbytes == before


@pure_only
def test_compressing_begins_afresh():
    X, y, _ = stream("binary", ROWS)
    model = begun(DEFAULT).learn_many(X, y)
    own(model).serves[0] = 1
    small = model.compress(10)
    assert (own(small).n[0], own(small).mass[0], own(small).serves[0], small.n_support) == (0, 0.0, 0, 10)
    error = np.abs(small.scores_many(X) - model.scores_many(X)).mean()
    assert error < 0.5 * np.abs(model.scores_many(X)).mean()
    small.learn_many(X, y).learn_many(X, y)
    assert own(small).n[0] > 0 and own(small).mass[0] > 0


def test_without_support_vectors_nothing_is_fitted():
    X, y, _ = stream("binary", ROWS)
    model = begun(DEFAULT).learn_many(X, y, np.zeros(ROWS))
    assert model.n_support == own(model).n[0] == own(model).serves[0] == 0
    assert not model.scores_many(X).any()
    assert own(model.learn_many(X, y)).mass[0] > 0


@pure_only
def test_an_overflow_half_way_leaves_the_refit_as_it_was():
    recipe = refitted(recipes.bsgd(GAUSSIAN, losses.Squared(), 0.01, 12, "smallest"))
    X, y, _ = stream("values", ROWS)
    model = begun(recipe, "values").learn_many(X, y)
    before = bits(model)
    far = np.where(np.arange(ROWS)[:, None] == ROWS - 1, 1e160, X)
    with pytest.raises(ValueError, match=f"too large for float64, at row {ROWS - 1}"), np.errstate(over="ignore"):
        model.learn_many(far, y)
    assert bits(model) == before
