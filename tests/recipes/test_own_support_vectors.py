"""Projectron(++) in which every class projects on its own support vectors: trajectories, and the inverse it keeps."""

import numpy as np
import pytest

from kernelstream import Function, Model, Recipe, kernels, losses, recipes, steps
from kernelstream.admission import LinearDependence, MarginDependence
from kernelstream.maintenance import Before, Freeze, Merge, Oldest, Project, Random, Remove
from properties.common import function_of, pure_only
from tests.independent import projectron as independent

GAMMA = 0.5
KERNEL = kernels.Gaussian(GAMMA)


def gauss(x, z):
    return float(np.exp(-GAMMA * np.sum((x - z) ** 2)))


def stream(n, classes, seed):
    """A sector of the plane for every class, with noise."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 2))
    angle = np.arctan2(X[:, 1], X[:, 0]) + 0.3 * rng.normal(size=n)
    return X, np.floor((angle / np.pi + 1) / 2 * classes).astype(int) % classes


def begin(recipe, X, y, outputs):
    if recipe.loss.target != "class":
        recipe = recipe.replace(loss=recipe.loss.for_classes(outputs))
    return Model.from_recipe(recipe, X, y, n_outputs=outputs, dtype="float64")


def on_a_budget(maintenance, batch=1):
    return Recipe(
        KERNEL, losses.PerceptronClasses(), steps.Constant(1.0), LinearDependence(0.3, own=True), maintenance, 14,
        batch=batch,
    )  # fmt: skip


def members_of(model, c):
    own = model.state.inverse
    return own.slots[c, : own.sizes[c, 0]]


def inverse_of(model, c):
    """Q_c as a full matrix, with the terms that wait."""
    Q, n = model.state.inverse.Q, int(model.state.inverse.sizes[c, 0])
    lower = np.tril(Q.lower[c, :n, :n])
    full = lower + np.tril(lower, -1).T
    for k in range(int(Q.waiting[c, 0])):
        full = full + Q.s[c, k] * np.outer(Q.u[c, k, :n], Q.u[c, k, :n])
    return full


def check_inverses(model, tolerance=1e-6):
    """Every class has the inverse over its own support vectors, and no coefficient anywhere else."""
    sv, coef = function_of(model)
    sizes = []
    for c in range(model.n_outputs):
        members = members_of(model, c)
        assert len(set(members)) == len(members)
        assert set(np.flatnonzero(coef[:, c])) <= set(members) <= set(range(len(sv)))
        gram = model.recipe.kernel(sv[members])
        np.testing.assert_allclose(inverse_of(model, c) @ gram, np.eye(len(members)), atol=tolerance)
        sizes.append(len(members))
    return sizes


@pure_only
@pytest.mark.parametrize("plus", [False, True])
@pytest.mark.parametrize(("classes", "eta"), [(3, 0.2), (4, 0.35), (6, 0.5)])
def test_every_iterate_equals_an_independent_transcriptions(classes, eta, plus):
    X, y = stream(180, classes, classes)
    wanted = independent.run_multiclass(X, y, gauss, classes, eta, plus, "own")
    model = begin(recipes.projectron(KERNEL, eta, plus, own=True), X, y, classes)
    for t, step in enumerate(wanted):
        model.learn_one(X[t], y[t])
        sv, coef = function_of(model)
        np.testing.assert_array_equal(sv, step.support, err_msg=f"example {t}")
        np.testing.assert_allclose(coef, step.coef, rtol=1e-7, atol=1e-8, err_msg=f"example {t}")
    shared = independent.run_multiclass(X, y, gauss, classes, eta, plus, "all")[-1]
    assert len(shared.support) < model.n_support < len(X)  # the option makes a difference, and something is projected


@pure_only
@pytest.mark.parametrize("plus", [False, True])
def test_two_classes_share_all_support_vectors(plus):
    X, y = stream(200, 2, 1)
    own, shared = (begin(recipes.projectron(KERNEL, 0.3, plus, own), X, y, 2) for own in (True, False))
    for x, target in zip(X, y, strict=True):
        own.learn_one(x, target)
        shared.learn_one(x, target)
        for a, b in zip(function_of(own), function_of(shared), strict=True):
            np.testing.assert_allclose(a, b, rtol=1e-9, atol=1e-10)
    assert 5 < own.n_support < 100 and list(members_of(own, 0)) == list(members_of(own, 1))


@pure_only
def test_projecting_changes_only_the_coefficients_of_the_class():
    X, y = stream(250, 5, 2)
    model = begin(recipes.projectron(KERNEL, 0.4, True, own=True), X, y, 5)
    projected = 0
    for x, target in zip(X, y, strict=True):
        before = function_of(model)[1]
        model.learn_one(x, target)
        after = function_of(model)[1][: len(before)]
        assert not after[before == 0.0].any()
        projected += not np.array_equal(before, after)
    assert projected > 30
    assert max(check_inverses(model)) < model.n_support


@pytest.mark.engine
def test_inverses_after_many_examples():
    X, y = stream(700, 4, 3)
    model = begin(recipes.projectron(KERNEL, 0.05, True, own=True), X, y, 4).learn_many(X, y)
    sizes = check_inverses(model)
    assert min(sizes) > 5 and int(model.state.inverse.Q.waiting.max()) > 0


@pure_only
@pytest.mark.parametrize("batch", [1, 4])
@pytest.mark.parametrize("maintenance", [Remove(Random()), Before(Remove(Oldest())), Merge()])
def test_support_vectors_that_leave_or_move(maintenance, batch):
    X, y = stream(150, 4, 4)
    model = begin(on_a_budget(maintenance, batch), X, y, 4)
    for start in range(0, len(X), 10):
        model.learn_many(X[start : start + 10], y[start : start + 10])
        check_inverses(model)
    assert model.n_support <= 14 and model.record.maintenance > 20


@pure_only
def test_a_point_that_one_class_has_already():
    """x is a support vector of 0 and 1; then it comes as one of 0 and 2, and class 2 has nothing to project on."""
    X = np.array([[0.0, 0.0], [3.0, 0.0], [0.0, 0.0]])
    model = begin(recipes.projectron(KERNEL, 0.1, own=True), X, np.array([0, 1, 2]), 3)
    sv, coef = np.array([[0.0, 0.0]]), np.array([[1.0, -1.0, 0.0]])
    model.adopt(Function(sv, coef)).learn_one(X[2], 2)
    found, after = function_of(model)
    np.testing.assert_allclose(
        model.recipe.kernel(X, found) @ after, model.recipe.kernel(X, sv) @ [[0.0, -1.0, 1.0]], atol=1e-8
    )
    assert model.n_support == 2
    np.testing.assert_allclose(after, [[0.0, -1.0, 0.0], [0.0, 0.0, 1.0]], atol=1e-8)
    assert check_inverses(model) == [1, 1, 1]


@pure_only
def test_drift_is_found_and_mended():
    X, y = stream(300, 3, 5)
    model = begin(recipes.projectron(KERNEL, 0.1, own=True), X, y, 3).learn_many(X[:40], y[:40])
    own = model.state.inverse
    for part in (own.Q.lower, own.Q.s):
        part[1] *= 1.001
    with pytest.raises(AssertionError):
        check_inverses(model)
    own.changes[1] = 127
    size = own.sizes[1, 0]
    for x, target in zip(X[40:], y[40:], strict=True):
        model.learn_one(x, target)
        if own.sizes[1, 0] > size:
            break
    assert check_inverses(model)[1] == size + 1


@pure_only
def test_models_of_other_sizes_go_on():
    X, y = stream(200, 3, 6)
    recipe = recipes.projectron(KERNEL, 0.3, own=True).replace(loss=losses.PerceptronClasses())
    model = begin(recipe, X, y, 3).learn_many(X[:100], y[:100])
    smaller = model.compress(8)
    assert check_inverses(smaller, 1e-4) == [8, 8, 8]
    wider = model.copy().add_outputs(4)
    assert check_inverses(wider)[3] == 0
    mixed = model.expand(recipe, 2, [[0.5, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, -1.0], [1.0, 1.0, 0.0]])
    before = check_inverses(model)
    sizes = check_inverses(mixed, 1e-4)
    assert sizes[:3] == before and sizes[3] >= max(before[:2])
    for other in (smaller, wider, mixed):
        n = other.n_support
        other.learn_many(X[100:], y[100:])
        check_inverses(other, 1e-4)
        assert other.n_support > n


@pytest.mark.parametrize("maintenance", [Project(), Freeze(5)])
def test_maintenance_that_projects_on_all_is_refused(maintenance):
    with pytest.raises(ValueError, match=r"projects on all support vectors, but MarginDependence.* Use own=False"):
        Recipe(KERNEL, admission=MarginDependence(own=True), maintenance=maintenance, budget=10)
    assert Recipe(KERNEL, admission=MarginDependence(), maintenance=maintenance, budget=10).budget.size == 10
