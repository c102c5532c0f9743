"""`Model.finish`: the refit over data that is all there."""

import numpy as np
import pytest
from numba import config
from scipy.sparse import csr_matrix

from kernelstream import Model, kernels, losses, recipes
from kernelstream.datasets import checkerboard
from kernelstream.output import refit as stage
from properties.common import pure_only
from tests.output.refit_cases import DEFAULT, GATHERED, GAUSSIAN, begun, bits, last_iterate, own, refitted, stream

pytestmark = pytest.mark.engine
ROWS = 400
HELD = np.arange(19, ROWS, 20)
LEARNED = np.delete(np.arange(ROWS), HELD)
BOARD = refitted(recipes.default(kernels.Gaussian(4.0), losses.Hinge(), 1e-3, 30))
CAUCHY = kernels.Cauchy(0.5)


@pytest.fixture(autouse=True)
def gather_few(monkeypatch):
    monkeypatch.setattr(stage, "GATHERED", GATHERED)


def regression(kernel=GAUSSIAN, loss=losses.Squared(), budget: int = 12, **options):
    return refitted(recipes.bsgd(kernel, loss, 0.01, budget, "smallest", offset=2.0), **options)


def ready(recipe, task: str = "binary", rows=slice(None), dtype="float64"):
    """A model that has learned some rows of a stream, and the whole of it."""
    X, y, _ = stream(task, ROWS)
    return begun(recipe, task, dtype).learn_many(X[rows], y[rows]), X, y


def ridge(model, X, Y, weight, lam):
    sv, kernel = last_iterate(model)[0], model.recipe.kernel
    K = kernel(X, sv)
    A = (K * weight[:, None]).T @ K + lam * weight.sum() * kernel.gram(sv)
    return K @ np.linalg.solve(A, (K * weight[:, None]).T @ Y)


@pure_only
@pytest.mark.parametrize("task", ["values", "vector"])
@pytest.mark.parametrize("kernel", [GAUSSIAN, CAUCHY], ids=repr)
def test_least_squares_become_ridge_regression(kernel, task):
    model, X, y = ready(regression(kernel, lam=0.02), task)
    weight = np.random.default_rng(0).uniform(0.0, 2.0, ROWS)
    model.refit(X, y, weight)
    wanted = ridge(model, X, y.reshape(ROWS, -1), weight, 0.02)
    assert own(model).serves[0] == 1
    assert np.abs(model.scores_many(X) - wanted).max() < 0.01 * np.abs(wanted).max()


@pure_only
@pytest.mark.parametrize("loss", [losses.Huber(0.3), losses.Logistic(), losses.Multinomial(), losses.Hinge()], ids=repr)
def test_the_objective_falls_to_where_its_slope_vanishes(loss):
    """Ten times fewer evaluations would do: what is left of the slope is small beside what it began with."""
    task = {"values": "values", "signs": "binary", "class": "classes"}[loss.target]
    model, X, y = ready(regression(loss=loss, lam=0.02), task)
    sv, last = last_iterate(model)
    model.refit(X, y)
    K, gram, smooth = GAUSSIAN(X, sv), GAUSSIAN.gram(sv), loss.smooth()
    T = smooth.targets(y.reshape(ROWS, 1).astype(float), last.shape[1])

    def objective(a):
        values, slopes = smooth.loss(K @ a, T)
        pull = ROWS * 0.02 * (gram @ a)
        return values.sum() + 0.5 * np.sum(a * pull), np.abs(K.T @ slopes + pull).max()

    found = own(model).coef[:, : len(sv)].T
    (value, slope), (before, steep), (nothing, _) = objective(found), objective(last), objective(np.zeros_like(last))
    assert value < min(before, nothing)
    assert slope < 0.1 * steep


def accuracy(model):
    X, y = checkerboard(1000, start=50_000, seed=0)
    return np.mean(np.sign(model.scores_many(X)[:, 0]) == y)


@pytest.mark.parametrize("dtype", ["float64"] if config.DISABLE_JIT else ["float64", "float32"])
def test_a_checkerboard_is_seen_better_and_learning_goes_on(dtype):
    X, y = checkerboard(1000, seed=0)
    model = Model.from_recipe(BOARD, X, y, total=600, dtype=dtype).learn_many(X[:600], y[:600])
    assert own(model).n[0] == 0  # where the end is known, nothing is fitted on the way there
    before, iterate = accuracy(model), last_iterate(model)
    model.refit(X[:600], y[:600])
    finished = accuracy(model)
    assert finished > before + 0.02
    assert own(model).mass[0] == 600.0
    np.testing.assert_array_equal(model.function.support_vectors, iterate[0])
    for found, wanted in zip(last_iterate(model), iterate, strict=True):
        np.testing.assert_array_equal(found, wanted)  # the recipe's own function goes on from where it was
    model.learn_many(X[600:], y[600:])
    size = len(own(model).waiting.weight)
    assert own(model).mass[0] == 600.0 + (400 - 1) // size * size  # the last of a gathering waits for the next
    assert model.record.examples == 1000
    assert accuracy(model) > finished - 0.02


def test_rows_held_back_judge():
    """With λ = 10⁶ the function is a smoothed mean of the labels: under a wide kernel, the common class everywhere."""
    X, _, _ = stream("binary", ROWS)
    y, held = np.where(X[:, 0] > 0.5, 1.0, -1.0), np.arange(0, ROWS, 4)
    rest = np.delete(np.arange(ROWS), held)
    wide = recipes.default(kernels.Gaussian(0.1), losses.Hinge(), 1e-3, 20)
    model = begun(refitted(wide, lam=1e6, start_after=ROWS)).learn_many(X[rest], y[rest])
    before = model.scores_many(X)
    model.refit(X, y, None, held)
    after, last = own(model).tally
    assert after > last and own(model).serves[0] == 0
    np.testing.assert_array_equal(model.scores_many(X), before)
    model.refit(X, y)  # nobody objects
    assert own(model).serves[0] == 1


@pure_only
def test_rows_held_back_judge_numbers_by_their_loss():
    model, X, y = ready(regression(lam=1e6), "values", LEARNED)
    before = model.scores_many(X)
    model.refit(X, y, None, HELD)
    assert own(model).serves[0] == 0
    last, flat = 0.5 * np.square(before[HELD, 0] - y[HELD]), 0.5 * np.square(y[HELD])  # λ leaves next to nothing
    chance = 2.0 * np.sqrt(np.square(flat - last).sum())
    assert own(model).tally[0] == pytest.approx(flat.sum(), rel=1e-3)
    assert own(model).tally[1] == pytest.approx(last.sum() + chance, rel=1e-3) and own(model).tally[1] < flat.sum()
    np.testing.assert_array_equal(model.scores_many(X), before)


@pure_only
def test_mistakes_alone_must_be_overwhelming_where_the_refit_has_less_loss():
    model, X, y = ready(regression(lam=1e-4), "values", LEARNED)
    sv, a = last_iterate(model)
    last = 0.5 * np.square((GAUSSIAN(X[HELD], sv) @ a)[:, 0] - y[HELD])
    model.refit(X, y, None, HELD)
    fitted = 0.5 * np.square(model.scores_many(X)[HELD, 0] - y[HELD])
    assert fitted.sum() < last.sum() and own(model).serves[0] == 1
    chance = 4.0 * np.sqrt(np.square(fitted - last).sum())
    assert own(model).tally[1] == pytest.approx(last.sum() + chance, rel=1e-3)


@pure_only
def test_nothing_is_learned_from_rows_held_back():
    """Their targets change what is thought of the result, not the result."""
    model, X, y = ready(regression(lam=0.02, max_passes=2), "values", LEARNED)
    other, _, _ = ready(regression(lam=0.02, max_passes=2), "values", LEARNED)
    model.refit(X, y, None, HELD)
    other.refit(X, np.where(np.isin(np.arange(ROWS), HELD), -y, y), None, HELD)
    np.testing.assert_array_equal(own(model).coef, own(other).coef)
    assert own(model).mass[0] == len(LEARNED)
    assert own(model).tally[0] != own(other).tally[0]


@pure_only
@pytest.mark.parametrize("held", [HELD, ()], ids=["held", "all"])
@pytest.mark.parametrize("budget", [12, 30])
def test_rows_of_weight_0_count_as_absent(budget, held):
    absent = np.arange(3, ROWS, 5)
    present = np.delete(np.arange(ROWS), absent)
    weight = np.where(np.isin(np.arange(ROWS), absent), 0.0, 1.5)
    recipe = regression(budget=budget, lam=0.02)
    (model, X, y), (other, _, _) = ready(recipe, "values", LEARNED), ready(recipe, "values", LEARNED)
    model.refit(X, np.where(weight == 0.0, 1e6, y), weight, held)
    other.refit(X[present], y[present], weight[present], np.flatnonzero(np.isin(present, held)))
    assert own(model).mass[0] == pytest.approx(own(other).mass[0])
    assert own(model).serves[0] == own(other).serves[0]
    np.testing.assert_allclose(own(model).tally, own(other).tally, rtol=1e-6)
    np.testing.assert_allclose(own(model).coef, own(other).coef, rtol=1e-6, atol=1e-7)
    before = bits(model)
    assert bits(model.refit(X, y, np.zeros(ROWS))) == before


@pure_only
def test_sparse_rows_and_integers_do_as_well():
    model, X, y = ready(DEFAULT)
    again, _, _ = ready(DEFAULT)
    X = np.where(np.abs(X) < 0.7, 0.0, np.round(X))
    model.refit(X, y)
    again.refit(csr_matrix(X), y.astype(int))
    np.testing.assert_allclose(own(again).coef, own(model).coef, rtol=1e-9, atol=1e-12)


def test_what_is_refused_leaves_the_model_as_it_was():
    model, X, y = ready(DEFAULT, rows=slice(200))
    model.refit(X[:200], y[:200])
    before = bits(model)
    spoiled = X.copy()
    spoiled[7, 2] = np.nan
    for bad, message in (
        ((spoiled, y), "NaN at row 7, column 2"),
        ((X[:, :2], y), "2 features, but the model has 3"),
        ((X, np.where(np.arange(ROWS) == 4, 3.0, y)), "at row 4"),
        ((X, np.where(np.arange(ROWS) == 4, np.nan, y)), "nan at row 4"),
        ((X, y, -np.ones(ROWS)), "weight of row 0"),
    ):
        with pytest.raises(ValueError, match=message):
            model.refit(*bad)
        assert bits(model) == before


@pytest.mark.parametrize("cut", [(slice(None), slice(300)), (slice(300), slice(None))], ids=["y", "X"])
def test_as_many_targets_as_rows(cut):
    model, X, y = ready(DEFAULT, rows=slice(200))
    before = bits(model)
    with pytest.raises(ValueError, match=r"X has \d+ rows and y has \d+"):
        model.refit(X[cut[0]], y[cut[1]])
    assert bits(model) == before


@pytest.mark.parametrize("held", [[ROWS], [-1], np.arange(ROWS) < 20], ids=["beyond", "negative", "mask"])
def test_rows_held_back_are_rows(held):
    model, X, y = ready(DEFAULT, rows=slice(200))
    before = bits(model)
    with pytest.raises(ValueError, match="held"):
        model.refit(X, y, None, held)
    assert bits(model) == before


def test_without_support_vectors_or_without_a_refit_nothing_happens():
    X, y, _ = stream("binary", ROWS)
    empty = begun(DEFAULT)
    before = bits(empty)
    assert bits(empty.refit(X, y)) == before
    if config.DISABLE_JIT:
        plain = begun(recipes.bsgd(GAUSSIAN, budget=12)).learn_many(X, y)
        before = bits(plain)
        assert bits(plain.refit(X, y)) == before
