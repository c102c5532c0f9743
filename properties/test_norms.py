"""The tracked ‖f‖² and the recorded ‖Δ‖ against what they are defined as, over random streams."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernelstream import Model, Recipe, recipes
from kernelstream.bounds import Ball, Clip, Scale, Unbounded
from kernelstream.budgets import Growing
from kernelstream.kernels import Cauchy, Gaussian, Polynomial
from kernelstream.losses import Hinge, Logistic, Multinomial, Squared
from kernelstream.maintenance import (
    Cheapest,
    Discard,
    Keep,
    LargestMargin,
    Merge,
    MergeBestPair,
    Oldest,
    Project,
    ProjectOnNearest,
    Prune,
    Random,
    Remove,
    Smallest,
    Sometimes,
)
from kernelstream.steps import Constant, InverseTime, Power
from properties.common import PURE, before_maintenance, distance, examples, function_of, pure_only, rows, seeds

choices = st.sampled_from([Smallest(), Oldest(), Random(), Cheapest(), LargestMargin()])
plain = st.one_of(
    st.builds(Remove, choices),
    st.builds(Project, choices),
    st.builds(ProjectOnNearest, st.integers(1, 5), choices),
    st.just(Discard()),
    st.floats(0.05, 0.5).map(Prune),
    st.just(Merge()),
    st.just(MergeBestPair()),
)
maintenances = st.one_of(
    plain, st.builds(lambda c: Sometimes(Remove(c), 20.0), st.sampled_from([Smallest(), Random()]))
)
losses = st.sampled_from([(Hinge(), 1), (Logistic(), 1), (Multinomial(), 3), (Squared(), 2)])
steps = st.sampled_from([Constant(0.4, 0.02), InverseTime(0.05, 10.0), Power(0.6, 0.5, 0.1), Constant(0.4)])


def stream(maintenance, loss, outputs, step, bound, seed, kernel=Gaussian(0.8), budget=7, repeats=0.15, batch=1):
    X = rows(seed, 36, 2, repeats)
    score = np.sin(2.0 * X[:, 0]) + X[:, 1]
    if loss.target == "values":
        y = np.column_stack([score, X[:, 0]])
    else:
        y = np.where(score > 0.0, 1.0, -1.0) if loss.target == "signs" else np.digitize(score, [-0.5, 0.5])
    budget = None if isinstance(maintenance, (Prune, Keep)) else budget
    recipe = Recipe(
        kernel, loss, step, maintenance=maintenance, budget=budget, bound=bound, track_norm=True, batch=batch
    )
    return Model.from_recipe(recipe, X, y, n_outputs=outputs, dtype="float64", seed=seed % 89), X, y


@pure_only
@examples(120)
@given(
    maintenances,
    losses,
    steps,
    st.sampled_from([Unbounded(), Clip(2.0), Scale(3.0), Ball(2.5)]),
    seeds,
    st.sampled_from([7, Growing(1.1)]),
    st.sampled_from([1, 1, 3]),
)
def test_tracked_norm_is_the_norm(maintenance, loss, step, bound, seed, budget, batch):
    if isinstance(bound, (Clip, Scale)) and isinstance(maintenance, Prune):
        bound = Unbounded()  # these two need a budget
    if isinstance(bound, Ball) and isinstance(step, InverseTime):
        bound = Ball()
    model, X, y = stream(maintenance, *loss, step, bound, seed, budget=budget, batch=batch)
    for x, target in zip(X, y, strict=True):
        model.learn_one(x, target)
        assert model.state.norm.square[0] == pytest.approx(model.norm**2, rel=1e-6, abs=1e-9)
    assert model.norm > 0.0


@pure_only
@examples(100)
@given(plain, losses, steps, seeds)
def test_recorded_distance_is_the_measured_distance(maintenance, loss, step, seed):
    model, X, y = stream(maintenance, *loss, step, Unbounded(), seed)
    total = 0.0
    for x, target in zip(X, y, strict=True):
        before = before_maintenance(model, x, target)
        model.learn_one(x, target)
        measured = distance(model.recipe.kernel, before, function_of(model))
        assert float(model.state.run.delta[0]) == pytest.approx(measured, rel=1e-5, abs=5e-6)
        total += measured
    assert model.record.distance == pytest.approx(total, rel=1e-4, abs=1e-4)
    assert model.record.maintenance > 0


@pure_only
@pytest.mark.parametrize("maintenance", [Remove(), Project(), ProjectOnNearest(2), Discard()], ids=repr)
@examples(4)
@given(seed=seeds)
def test_both_hold_for_other_kernels(maintenance, seed):
    for kernel in (Cauchy(1.0), Polynomial(2, 0.5, 1.0), Gaussian(1.0) + 0.5 * Polynomial(1, 1.0, 0.0)):
        model, X, y = stream(maintenance, Logistic(), 1, Constant(0.1, 0.1), Unbounded(), seed, kernel)
        for x, target in zip(X, y, strict=True):
            before = before_maintenance(model, x, target)
            model.learn_one(x, target)
            after = function_of(model)
            assert float(model.state.run.delta[0]) == pytest.approx(distance(kernel, before, after), rel=1e-4, abs=2e-5)
            assert model.state.norm.square[0] == pytest.approx(model.norm**2, rel=1e-5, abs=1e-8)


@pure_only
def test_untracked_discard_says_so():
    X = rows(0, 30)
    y = np.where(X[:, 0] > 0.0, 1.0, -1.0)
    recipe = Recipe(Gaussian(0.8), Hinge(), Constant(0.5), maintenance=Discard(), budget=5)
    assert np.isnan(Model.from_recipe(recipe, X, y).learn_many(X, y).record.distance)
    assert Model.from_recipe(recipe.replace(track_norm=True), X, y).learn_many(X, y).record.distance > 0.0


@pytest.mark.engine
def test_norm_does_not_drift_over_a_long_stream():
    """OLRD's re-scaling magnifies what rounding there is at every discard."""
    count = 1500
    X = rows(0, count, 3)
    y = np.where(X[:, 0] * X[:, 1] > 0.0, 1.0, -1.0)
    model = Model.from_recipe(recipes.pegasos(Gaussian(1.5), lam=0.01), X, y, dtype="float64").learn_many(
        X[:400], y[:400]
    )
    assert model.state.norm.square[0] == pytest.approx(model.norm**2, rel=1e-9)
    assert model.norm <= 10.0 * (1.0 + 1e-12)
    if PURE:
        recipe = Recipe(
            Gaussian(0.8), Hinge(), Constant(0.5), maintenance=Discard(), budget=6, track_norm=True, bound=Ball(50.0)
        )
        model = Model.from_recipe(recipe, X, y, dtype="float64").learn_many(X, y)
        assert model.state.norm.square[0] == pytest.approx(model.norm**2, rel=1e-6)
