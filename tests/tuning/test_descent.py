"""The objective of the scales against exact minimisation, and its gradient against differences of that."""

import numpy as np
import pytest

from kernelstream.tuning import descent as tuning_descent
from kernelstream.tuning.descent import Descent
from kernelstream.tuning.losses_of_task import TunedTask
from tests.reference import tuning as reference

KINDS = {"numbers": (False, 1), "several numbers": (False, 2), "two classes": (True, 1), "three classes": (True, 3)}


def task(kind, seed=0, rows=60, features=3, centres=7):
    """Rows, targets, centres and log-scales of a small task."""
    hinge, outputs = KINDS[kind]
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(rows, features))
    signal = np.column_stack([np.sin(2.0 * X[:, 0] + c) + X[:, 1] * X[:, 0] for c in range(outputs)])
    signal += 0.3 * rng.normal(size=signal.shape)
    if not hinge:
        T = signal
    elif outputs == 1:
        T = np.where(signal > 0.0, 1.0, -1.0)
    else:
        T = np.where(np.arange(outputs) == signal.argmax(axis=1)[:, None], 1.0, -1.0)
    # what the engine is given in float32 is the same for the reference
    X, T = X.astype(np.float32), T.astype(np.float32)
    return TunedTask(hinge), X, T, X[:centres].copy(), rng.normal(-0.7, 0.3, features)


def converged(descent, point):
    """Value and gradient when the inner steps, which begin where the last ones ended, have nothing left to do."""
    for _ in range(200):
        found = descent(point)
    return found


@pytest.mark.parametrize("lam", [1e-4, 1e-2])
@pytest.mark.parametrize("kind", KINDS)
def test_value_and_gradient_are_those_of_the_exact_minimum(kind, lam):
    own, X, T, Z, theta = task(kind)
    point = np.concatenate([theta, Z.ravel().astype(float)])
    value, slope = converged(Descent(own, X, T, Z, lam, X, T), point)
    exact = reference.objective(theta, Z, X, T, lam, own.hinge) / len(X)
    wanted = reference.gradient(theta, Z, X, T, lam, own.hinge) / len(X)
    assert value == pytest.approx(exact, rel=1e-4)
    assert slope.shape == wanted.shape == (len(theta) + Z.size,)
    for part in (slice(None, len(theta)), slice(len(theta), None)):
        np.testing.assert_allclose(slope[part], wanted[part], atol=2e-3 * np.abs(wanted[part]).max(), rtol=2e-3)


@pytest.mark.parametrize("kind", KINDS)
def test_coefficients_are_the_exact_ones(kind):
    own, X, T, Z, theta = task(kind, seed=1)
    descent = Descent(own, X, T, Z, 1e-3, X, T)
    converged(descent, np.concatenate([theta, Z.ravel()]))
    exact = reference.coefficients(theta, Z, X, T, 1e-3, own.hinge)
    np.testing.assert_allclose(descent.a, exact, atol=2e-3 * np.abs(exact).max())


@pytest.mark.parametrize("kind", ["two classes", "three classes"])
def test_the_first_inner_steps_come_near_the_minimum(kind):
    own, X, T, Z, theta = task(kind)
    value, _ = Descent(own, X, T, Z, 1e-3, X, T)(np.concatenate([theta, Z.ravel()]))
    exact = reference.objective(theta, Z, X, T, 1e-3, own.hinge) / len(X)
    assert exact * (1.0 - 1e-4) <= value <= 1.05 * exact


def test_the_loss_of_held_out_rows_is_that_of_the_last_coefficients():
    own, X, T, Z, theta = task("two classes", rows=120)
    descent = Descent(own, X[:80], T[:80], Z, 1e-3, X[80:], T[80:])
    point = np.concatenate([theta, Z.ravel()])
    converged(descent, point)
    a = reference.coefficients(theta, Z, X[:80], T[:80], 1e-3, True)
    F = reference.kernel_matrix(X[80:], Z, np.exp(theta)) @ a
    assert descent.held(point) == pytest.approx(np.mean(np.maximum(0.0, 1.0 - T[80:] * F) ** 2), rel=1e-3)


@pytest.mark.parametrize("kind", KINDS)
def test_a_run_lowers_the_loss_of_held_out_rows(kind):
    own, X, T, Z, _ = task(kind, rows=400, features=5, centres=30)
    theta = np.full(5, -0.8)
    descent = Descent(own, X[:300], T[:300], Z, 1e-4, X[300:], T[300:])
    descent(np.concatenate([theta, Z.ravel()]))
    before = descent.held(np.concatenate([theta, Z.ravel()]))
    found = descent.run(theta, 8)
    assert found.theta.shape == theta.shape and found.steps > 0 and found.loss < before
    # two features carry the signal, three do not
    assert found.theta[:2].min() > found.theta[2:].max()


@pytest.mark.parametrize("kind", KINDS)
def test_a_point_without_centres_has_those_that_were_given(kind):
    own, X, T, Z, theta = task(kind)
    value, slope = converged(Descent(own, X, T, Z, 1e-3, X, T), theta)
    alike, whole = converged(Descent(own, X, T, Z, 1e-3, X, T), np.concatenate([theta, Z.ravel()]))
    assert value == alike
    np.testing.assert_array_equal(slope, whole[: len(theta)])


def test_centres_of_many_columns_stay(monkeypatch):
    own, X, T, Z, _ = task("two classes", rows=400, features=5, centres=30)
    asked = []
    call = Descent.__call__
    monkeypatch.setattr(Descent, "__call__", lambda self, point: asked.append(len(point)) or call(self, point))
    for most, length in ((4, 5), (5, 5 + Z.size)):
        monkeypatch.setattr(tuning_descent, "MOVING", most)
        asked.clear()
        found = Descent(own, X[:300], T[:300], Z, 1e-4, X[300:], T[300:]).run(np.full(5, -0.8), 8)
        assert set(asked) == {length} and found.theta[:2].min() > found.theta[2:].max()


def test_a_run_that_gains_nothing_ends_soon_where_it_began():
    own, X, T, Z, theta = task("two classes", rows=300, centres=20)
    descent = Descent(own, X, T, Z, 1e-3, X, -T)  # what fits the rows better does worse on the reversed ones
    found = descent.run(theta, 3)
    np.testing.assert_array_equal(found.theta, theta)
    assert found.steps == 0


def test_a_run_is_given_up_unless_it_soon_has_less_loss_than_its_rival():
    own, X, T, Z, _ = task("numbers", rows=400, features=5, centres=30)
    theta, points = np.full(5, -0.8), []

    def run(rival):
        descent = Descent(own, X[:300], T[:300], Z, 1e-4, X[300:], T[300:])
        points.clear()
        call = descent.held
        descent.held = lambda point: points.append(point) or call(point)
        return descent.run(theta, 8, rival=rival)

    free = run(np.inf)
    assert len(points) > tuning_descent.SOON + 1 and free.loss > 0.0
    assert run(100.0).loss == free.loss  # every descent is soon below this
    given_up = run(0.5 * free.loss)
    assert len(points) == tuning_descent.SOON + 1 and given_up.loss >= free.loss


def test_no_log_scale_changes_by_more_than_one_at_a_step():
    own, X, T, Z, _ = task("numbers", rows=400, features=5, centres=30)
    points = []
    descent = Descent(own, X[:300], T[:300], Z, 1e-4, X[300:], T[300:])
    call = descent.held
    descent.held = lambda point: points.append(point[:5].copy()) or call(point)
    descent.run(np.full(5, -3.0), 8)
    steps = np.abs(np.diff(points, axis=0)).max(axis=1)
    assert len(steps) > 3 and steps.max() <= tuning_descent.LONGEST * (1.0 + 1e-9) and steps.max() > 0.5


def test_a_run_ends_if_no_step_gains_as_much_as_is_asked_for():
    own, X, T, Z, _ = task("numbers", rows=400, features=5, centres=30)

    def steps(gain):
        descent, points = Descent(own, X[:300], T[:300], Z, 1e-4, X[300:], T[300:]), []
        call = descent.held
        descent.held = lambda point: points.append(point) or call(point)
        found = descent.run(np.full(5, -0.8), 3, gain)
        return len(points) - 1, found

    count, found = steps(0.999)
    assert count == 3 and 0 < found.steps <= 3  # what little was gained is kept
    assert steps(1e-6)[0] > 3
