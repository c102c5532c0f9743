"""What must hold for every recipe, tested once over the catalogue of all of them: first of all, its paper."""

import copy
import pickle

import numpy as np
import pytest
from numba import config
from scipy.sparse import csr_matrix

from kernelstream.core.state import arrays
from kernelstream.maintenance import Keep, Prune, Sometimes, choice
from kernelstream.maintenance.merge import merge, partner
from tests.catalogue import RUNNABLE, data, model_for

pytestmark = pytest.mark.engine
# compiling with array bounds checked costs as much again: these index their arrays in every way there is
EDGES = {"bsgd merge classes", "polk"}


every_recipe = pytest.mark.parametrize(
    "case", [pytest.param(case, marks=[pytest.mark.bounds] * (case.name in EDGES), id=case.name) for case in RUNNABLE]
)


def stream(case):
    X, y, _ = data(case.task, case.rows)
    return X, y


def bits(model):
    """The whole state of a model, byte for byte."""
    return [a.tobytes() for a in arrays(model.state)]


def learned(case, **options):
    X, y = stream(case)
    return model_for(case, **options).learn_many(X, y)


def function_of(model):
    """Support vectors and coefficients of the last iterate, in their storage order."""
    ex = model.state.expansion
    n = int(ex.n[0])
    return ex.sv[:, :n].T.copy(), (ex.coef[:, :n] * ex.scale[0]).T.copy()


@every_recipe
def test_every_iterate_equals_the_oracles(case):
    X, y, outputs = data(case.task, case.rows)
    steps = case.oracle(X, y, outputs=outputs, seed=5)
    model = model_for(case, "float64", seed=5)
    batch = case.recipe.batch
    assert len(steps) == len(X) // batch
    for t, step in enumerate(steps):
        model.learn_many(X[t * batch : (t + 1) * batch], y[t * batch : (t + 1) * batch])
        sv, coef = function_of(model)
        if not case.ordered:
            values, wanted = model.recipe.kernel(X, sv) @ coef, model.recipe.kernel(X, step.sv) @ step.coef
            np.testing.assert_allclose(values, wanted, rtol=1e-7, atol=1e-8, err_msg=f"update {t + 1}")
            sv, coef = step.sv, step.coef  # the same function; the order is the oracle's
        assert len(sv) == len(step.sv), f"update {t + 1}"
        np.testing.assert_allclose(sv, step.sv, rtol=1e-7, atol=1e-7, err_msg=f"update {t + 1}")
        np.testing.assert_allclose(coef, step.coef, rtol=1e-7, atol=1e-8, err_msg=f"update {t + 1}")
        delta = float(model.state.run.delta[0])
        if batch == 1 and not np.isnan(delta):
            assert delta == pytest.approx(step.delta, rel=1e-6, abs=1e-7), f"update {t + 1}"


@every_recipe
def test_chunks_do_not_matter(case):
    X, y = stream(case)
    whole = learned(case, seed=3)
    one_by_one = model_for(case, seed=3)
    for x, target in zip(X, y, strict=True):
        one_by_one.learn_one(x, target)
    pieces = model_for(case, seed=3)
    for start in range(0, len(X), 37):
        pieces.learn_many(X[start : start + 37], y[start : start + 37])
    for other in (one_by_one, pieces):
        np.testing.assert_array_equal(other.scores_many(X), whole.scores_many(X))
        assert other.state.run.rng[0] == whole.state.run.rng[0]


@every_recipe
def test_same_seed_same_model_and_another_seed_another_stream_of_draws(case):
    first, second, other = learned(case, seed=3), learned(case, seed=3), learned(case, seed=4)
    assert bits(first) == bits(second)
    assert first.state.run.rng[0] != other.state.run.rng[0]


@every_recipe
def test_the_budget_holds_and_memory_stays(case):
    if isinstance(case.recipe.maintenance, (Keep, Prune, Sometimes)):
        return
    model = model_for(case)
    X, y = stream(case)
    before = None
    for i, (x, target) in enumerate(zip(X, y, strict=True)):
        model.learn_one(x, target)
        assert model.n_support <= model.recipe.budget.at(i + 1)
        before = before or model.nbytes
    assert model.nbytes == before


@every_recipe
def test_tracked_norm_is_the_norm(case):
    tracked = case._replace(recipe=case.recipe.replace(track_norm=True)) if not case.compiled else case
    model = learned(tracked)
    square = model.recipe.norm.square(model.state.norm)
    if not np.isnan(square):
        assert square == pytest.approx(model.norm**2, rel=1e-9, abs=1e-12)
        assert model.norm > 0


@every_recipe
def test_interrupted_equals_never_interrupted(case):
    X, y = stream(case)
    half = case.rows // 2 + 1  # inside a mini-batch
    straight = learned(case, seed=1)
    model = model_for(case, seed=1).learn_many(X[:half], y[:half])
    for again in (pickle.loads(pickle.dumps(model)), copy.deepcopy(model)):
        assert bits(again) == bits(model)
        assert bits(again.learn_many(X[half:], y[half:])) == bits(straight)
    assert bits(model) != bits(straight)


@every_recipe
def test_bad_rows_are_named_and_nothing_is_learned(case):
    X, y = stream(case)
    model = learned(case)
    before = bits(model)
    for value, word in ((np.nan, "NaN"), (np.inf, "infinity")):
        spoiled = X.copy()
        spoiled[7, 2] = value
        with pytest.raises(ValueError, match=f"{word} at row 7, column 2"):
            model.learn_many(spoiled, y)
        with pytest.raises(ValueError, match=f"{word} at row 0, column 2"):
            model.learn_one(spoiled[7], y[7])
        with pytest.raises(ValueError, match=f"{word} at row 7, column 2"):
            model.scores_many(spoiled)
        with pytest.raises(ValueError, match=f"{word} at row 0, column 2"):
            model.scores_one(spoiled[7])
    with pytest.raises(ValueError, match="4 features, but the model has 3"):
        model.learn_many(np.ones((2, 4)), y[:2])
    with pytest.raises(ValueError, match=f"{case.rows} rows"):
        model.learn_many(X, y[:-1])
    with pytest.raises(ValueError, match="nan at row 1"):
        model.learn_many(X[:2], np.where(np.arange(2) == 1, np.nan, y[:2].T).T)
    assert bits(model) == before


@every_recipe
def test_unknown_labels_are_refused(case):
    X, _ = stream(case)
    model = learned(case)
    before = bits(model)
    if case.recipe.loss.target != "values":
        with pytest.raises(ValueError, match=r"at row 1; .* takes"):
            model.learn_many(X[:3], np.array([1.0, 9.0, 1.0]))
    else:
        with pytest.raises(ValueError, match="columns"):
            model.learn_many(X[:3], np.ones((3, 5)))
    assert bits(model) == before


@every_recipe
def test_predictions_are_those_of_the_function(case):
    X, _ = stream(case)
    model = learned(case)
    sv, coef = model.function
    np.testing.assert_allclose(model.scores_many(X), model.recipe.kernel(X, sv) @ coef, rtol=1e-9, atol=1e-10)
    np.testing.assert_array_equal(model.scores_one(X[3]), model.scores_many(X[3:4])[0])


@every_recipe
def test_sparse_rows_give_the_model_of_dense_rows(case):
    if case.compiled and case.name not in ("bsgd merge ball", "bsgd project"):
        return  # one dense and one projecting composition stand for all in compiled code
    X, y = stream(case)
    X = np.where(np.abs(X) < 0.5, 0.0, X)
    dense = model_for(case).learn_many(X, y)
    sparse = model_for(case).learn_many(csr_matrix(X), y)
    np.testing.assert_allclose(sparse.scores_many(csr_matrix(X)), dense.scores_many(X), rtol=1e-6, atol=1e-7)


@every_recipe
def test_float32_follows_float64(case, monkeypatch):
    if case.compiled and case.name != "bsgd merge ball":
        return
    if config.DISABLE_JIT:
        # the two stores draw the line between equal and unequal coefficients in different places: here, in the same
        for module in (choice, merge, partner):
            monkeypatch.setattr(module, "tolerance", lambda sv: 1e-5)
    X, _ = stream(case)
    wide, narrow = learned(case, dtype="float64"), learned(case, dtype="float32")
    assert narrow.state.expansion.sv.dtype == np.float32
    difference = np.abs(narrow.scores_many(X) - wide.scores_many(X)).max()
    assert difference <= 2e-3 * max(np.abs(wide.scores_many(X)).max(), 1.0)
