"""Support vectors that move with their coefficients, where the kernel is a Gaussian."""

import copy

import numpy as np
import pytest
from scipy.sparse import csr_matrix

from kernelstream import Model, kernels, losses, recipes
from kernelstream.core.strategy import Dims
from kernelstream.datasets import checkerboard
from kernelstream.output.refit import new_state
from kernelstream.refit.judge import Judge
from kernelstream.refit.moves import Moving
from kernelstream.refit.objective import Objective
from kernelstream.refit.sources import InMemory
from kernelstream.refit.statistics import Statistics
from properties.common import pure_only
from tests.output.refit_cases import GAUSSIAN, begun, last_iterate, own, refitted, stream

pytestmark = pytest.mark.engine
ROWS, LAM = 600, 1e-3


def moving(loss, outputs: int, X, Y, sv, a):
    fit = Statistics(new_state(Dims(16, 3, outputs, np.dtype("float64"))), GAUSSIAN, loss.smooth(), 0.05)
    fit.replace(sv, (sv**2).sum(axis=1), a, np.zeros((len(sv), len(sv))), np.zeros_like(a))
    data = Objective(fit, InMemory(X, Y, np.random.default_rng(1).uniform(0.0, 2.0, len(Y))))
    return Moving(data, a, Judge(data, X[:0], Y[:0], np.zeros(0)))


@pytest.mark.parametrize(
    ("loss", "outputs"), [(losses.Hinge(), 1), (losses.Multinomial(), 3), (losses.Squared(), 2), (losses.Huber(0.4), 1)]
)
def test_slopes_are_those_of_the_objective(loss, outputs):
    """In the coefficients and in the places alike; dense rows and sparse ones."""
    rng = np.random.default_rng(0)
    X, sv, a = np.round(rng.normal(size=(40, 3))), rng.normal(size=(5, 3)), rng.normal(size=(5, outputs))
    Y = rng.normal(size=(40, outputs))
    if loss.target != "values":
        Y = np.sign(Y) if loss.target == "signs" else rng.integers(outputs, size=(40, 1)).astype(float)
    for rows in (X, csr_matrix(X)) if outputs == 3 else (X,):
        problem = moving(loss, outputs, rows, Y, sv, a)
        column, way = problem.pack(a, sv), rng.normal(size=(5 * (outputs + 3), 1))
        up, down = (problem.objective(column + step * way)[0] for step in (1e-6, -1e-6))
        slope = problem.objective(column)[1]
        assert float(np.sum(way * slope)) == pytest.approx((up - down) / 2e-6, rel=1e-5, abs=1e-5 * np.abs(slope).max())


def objective(model, X, y):
    """N λ/2 ‖f‖² + Σ max(0, 1 − yf)² of the refit."""
    n = int(own(model).n[0])
    sv, a, kernel = own(model).sv[:, :n].T.astype(float), own(model).coef[:, :n].T, model.recipe.kernel
    short = np.maximum(1.0 - y * (kernel(X, sv) @ a)[:, 0], 0.0)
    return 0.5 * len(X) * LAM * np.sum(a * (kernel.gram(sv) @ a)) + short @ short


def test_a_checkerboard_is_seen_better_still():
    X, y = checkerboard(ROWS, seed=0)
    fresh, labels = checkerboard(1000, start=50_000, seed=0)
    recipe = refitted(recipes.default(kernels.Gaussian(4.0), losses.Hinge(), LAM, 20), move_passes=16)
    model = Model.from_recipe(recipe, X, y, total=ROWS, dtype="float64").learn_many(X, y)
    still = copy.deepcopy(model)
    still.recipe = still.recipe.replace(output=still.recipe.output.replace(move_passes=0))
    before = last_iterate(model)
    for each in (still, model):
        each.refit(X, y)
    assert objective(model, X, y) < 0.9 * objective(still, X, y)
    right, wanted = ((np.sign(each.scores_many(fresh)[:, 0]) == labels).mean() for each in (model, still))
    assert right > wanted
    np.testing.assert_array_equal(own(still).sv[:, :20].T, before[0])
    assert np.abs(own(model).sv[:, :20].T - before[0]).max() > 1e-3
    np.testing.assert_allclose(own(model).sq[:20], np.square(own(model).sv[:, :20]).sum(axis=0))
    for found, kept in zip(last_iterate(model), before, strict=True):
        np.testing.assert_array_equal(found, kept)  # the recipe's own stay where they are


@pure_only
def test_other_kernels_stay():
    X, y, _ = stream("binary", 200)
    recipe = recipes.bsgd(kernels.Cauchy(0.5), losses.Hinge(), 0.01, 12, "smallest")
    finished = [begun(refitted(recipe, move_passes=moves)).learn_many(X, y).refit(X, y) for moves in (0, 5)]
    np.testing.assert_array_equal(own(finished[0]).sv, own(finished[1]).sv)
    np.testing.assert_array_equal(own(finished[0]).coef, own(finished[1]).coef)


def test_the_default_moves_small_dictionaries():
    assert recipes.default(budget=200).output.move_passes > 0
    assert recipes.default(budget=201).output.move_passes == 0
