"""Where the refit is exact: least squares on a dictionary that stays or shrinks."""

import numpy as np
import pytest

from kernelstream import losses, recipes
from kernelstream.core.strategy import Dims
from kernelstream.losses.smooth import Hubers, SquaredHinges
from kernelstream.output import refit as stage
from kernelstream.output.refit import new_state
from kernelstream.refit.statistics import Statistics
from properties.common import pure_only
from tests.output.refit_cases import GATHERED, GAUSSIAN, begun, last_iterate, own, refitted, stream

LAM = 0.02


@pytest.fixture(autouse=True)
def gather_few(monkeypatch):
    monkeypatch.setattr(stage, "GATHERED", GATHERED)


def ridge(sv, X, Y, weight):
    """The minimum of N λ/2 tr(aᵀKa) + Σ w/2 ‖aᵀk(x) − y‖², by its normal equations."""
    K = GAUSSIAN(X, sv)
    A = (K * weight[:, None]).T @ K + LAM * weight.sum() * GAUSSIAN.gram(sv)
    return np.linalg.solve(A, (K * weight[:, None]).T @ Y)


FROZEN = {
    "nogd": recipes.nogd(GAUSSIAN, losses.Squared(), 0.5, 12, 6),
    "krls": recipes.krls(GAUSSIAN, 0.5),
    "projectron": recipes.projectron(GAUSSIAN, 0.8).replace(loss=losses.Squared()),
}


@pure_only
@pytest.mark.parametrize("task", ["values", "vector"])
@pytest.mark.parametrize("recipe", FROZEN.values(), ids=FROZEN)
def test_it_is_the_ridge_regression_of_the_stream(recipe, task):
    model = begun(refitted(recipe, lam=LAM), task)
    size = len(own(model).waiting.weight)
    rows = 8 * size + 1
    X, y, outputs = stream(task, rows)
    # rows come again, with other targets: none of them is new to the dictionary then
    X, Y = 0.5 * X[np.arange(rows) % size], y.reshape(rows, outputs)
    weight = np.random.default_rng(2).uniform(0.0, 2.0, rows)
    model.learn_many(X[: size + 1], y[: size + 1], weight[: size + 1])
    sv = own(model).sv[:, : own(model).n[0]].T.copy()
    model.learn_many(X[size + 1 :], y[size + 1 :], weight[size + 1 :])
    kept = own(model)
    n = int(kept.n[0])
    np.testing.assert_array_equal(last_iterate(model)[0], sv)
    np.testing.assert_array_equal(kept.sv[:, :n].T, sv)
    assert kept.renew[0] == 16 * size  # taken over, and solved for, just now
    past = slice(size, 8 * size)  # the first examples found no dictionary yet
    wanted = ridge(sv, X[past], Y[past], weight[past])
    np.testing.assert_allclose(kept.coef[:, :n].T, wanted, rtol=1e-6, atol=1e-6 * np.abs(wanted).max())


def statistics(smooth, sv, outputs: int, capacity: int = 32) -> Statistics:
    fit = Statistics(new_state(Dims(capacity, sv.shape[1], outputs, np.dtype("float64"))), GAUSSIAN, smooth, LAM)
    fit.take_over(sv, (sv**2).sum(axis=1), np.zeros((len(sv), outputs)))
    return fit


def fed(fit: Statistics, X, T, weight) -> Statistics:
    """All at the same scores, 0: parabolas do not depend on the dictionary then."""
    fit.add(GAUSSIAN(X, fit.support), np.zeros_like(T), T, weight)
    return fit


@pytest.mark.parametrize("smooth", [Hubers(), SquaredHinges()], ids=["squared", "hinge"])
def test_a_removal_carries_the_statistics_over(smooth):
    rng = np.random.default_rng(3)
    sv, X, weight = rng.normal(size=(15, 3)), rng.normal(size=(100, 3)), rng.uniform(0.1, 2.0, 100)
    T = np.sign(rng.normal(size=(100, 2)))
    fewer = sv[rng.permutation(15)[:9]]  # in another order, too
    carried, fresh = fed(statistics(smooth, sv, 2), X, T, weight), fed(statistics(smooth, fewer, 2), X, T, weight)
    carried.take_over(fewer, (fewer**2).sum(axis=1), np.zeros((9, 2)))
    fresh.solve()
    assert carried.own.mass[0] == pytest.approx(weight.sum())
    for name in ("H", "b", "coef", "sv", "sq", "n", "mass", "solve"):
        found, wanted = getattr(carried.own, name), getattr(fresh.own, name)
        np.testing.assert_allclose(found, wanted, rtol=1e-6, atol=1e-6 * np.abs(wanted).max(), err_msg=name)


def test_a_projection_loses_nothing_of_what_lies_in_the_span():
    """Twice the same function: the statistics of a support vector that coincides with an old one are the old one's."""
    rng = np.random.default_rng(4)
    sv, X = rng.normal(size=(6, 3)), rng.normal(size=(50, 3))
    T = rng.normal(size=(50, 1))
    fit = fed(statistics(Hubers(), sv, 1), X, T, np.ones(50))
    twice = np.concatenate([sv, sv[:2]])
    fit.take_over(twice, (twice**2).sum(axis=1), np.zeros((8, 1)))
    K = GAUSSIAN(X, twice)
    np.testing.assert_allclose(fit.own.H[:8, :8], K.T @ K, rtol=1e-6, atol=1e-6)
    np.testing.assert_allclose(fit.own.b[:8], K.T @ T, rtol=1e-6, atol=1e-6)
    wanted = ridge(sv, X, T, np.ones(50))
    np.testing.assert_allclose(K @ fit.own.coef[:, :8].T, GAUSSIAN(X, sv) @ wanted, rtol=1e-5, atol=1e-6)


def test_close_where_support_vectors_were_merged():
    rng = np.random.default_rng(5)
    sv, X = rng.normal(size=(10, 2)), rng.normal(size=(200, 2))
    sv[1] = sv[0] + 0.05
    merged = np.concatenate([0.5 * (sv[:1] + sv[1:2]), sv[2:]])
    T = np.sin(2.0 * X[:, :1])
    fit = fed(statistics(Hubers(), sv, 1), X, T, np.ones(200))
    fit.take_over(merged, (merged**2).sum(axis=1), np.zeros((9, 1)))
    K = GAUSSIAN(X, merged)
    assert np.abs(fit.own.H[:9, :9] - K.T @ K).max() < 1e-3 * np.abs(K.T @ K).max()
    values = K @ fit.own.coef[:, :9].T
    wanted = K @ ridge(merged, X, T, np.ones(200))
    assert np.abs(values - wanted).max() < 0.02 * np.abs(wanted).max()


def test_forgetting_weighs_old_examples_less():
    rng = np.random.default_rng(6)
    sv, X, T = rng.normal(size=(8, 3)), rng.normal(size=(60, 3)), rng.normal(size=(60, 1))
    fit = fed(statistics(Hubers(), sv, 1), X[:40], T[:40], np.ones(40))
    fit.forget(0.25)
    fed(fit, X[40:], T[40:], np.ones(20)).solve()
    weight = np.where(np.arange(60) < 40, 0.25, 1.0)
    assert fit.own.mass[0] == pytest.approx(weight.sum())
    np.testing.assert_allclose(fit.own.coef[:, :8].T, ridge(sv, X, T, weight), rtol=1e-8, atol=1e-9)
