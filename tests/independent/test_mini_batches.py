"""Checks of the mini-batch runs against weight-space computations and closed forms."""

import math

import numpy as np
import pytest

from .derivatives import derivative
from .mini_batches import (
    Step,
    batches,
    constant_schedule,
    diminishing_schedule,
    evaluate,
    gradient_step,
    gram,
    prune,
    run_bsgd,
    run_olk,
    run_polk,
    run_sgd,
    squared_norm,
)


def gaussian(x, z):
    return math.exp(-0.7 * float(np.sum((np.asarray(x) - z) ** 2)))


def twice(x, z):
    return 2.0 * gaussian(x, z)


def linear(x, z):
    return float(np.dot(x, z))


def data(seed, count=23, classes=2):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(count, 3))
    Y = np.where(X[:, 0] + 0.4 * rng.normal(size=count) > 0, 1, -1) if classes == 2 else rng.integers(0, classes, count)
    return X, Y


def weights(step):
    return step.support.T @ step.coef


def test_batches_cover_everything_and_only_the_last_is_short():
    assert [list(rows) for rows in batches(7, 3)] == [[0, 1, 2], [3, 4, 5], [6]]
    assert len(batches(6, 3)) == 2


@pytest.mark.parametrize("loss, classes", [("hinge", 2), ("logistic", 2), ("l2", 2), ("hinge", 4), ("logistic", 4)])
@pytest.mark.parametrize("size, t0, radius", [(1, 0.0, None), (4, 0.0, 1.1), (5, 3.0, None)])
def test_sgd_equals_the_weight_vector_recursion_for_a_linear_kernel(loss, classes, size, t0, radius):
    X, Y = data(1, classes=classes)
    outputs, lam = 1 if classes == 2 else classes, 0.2
    history = run_sgd(X, Y, linear, lam, loss, outputs, size, t0, radius)
    w = np.zeros((3, outputs))
    for t, rows in enumerate(batches(len(X), size), start=1):
        mean = sum(np.outer(X[i], derivative(loss, Y[i], w.T @ X[i])) for i in rows) / len(rows)
        w = w - (lam * w + mean) / (lam * (t + t0))
        if radius is not None:
            w = w * min(1.0, radius / max(np.linalg.norm(w), 1e-300))
        np.testing.assert_allclose(weights(history[t - 1]), w, atol=1e-12)


def test_without_offset_a_batch_run_is_a_mean_of_all_gradients():
    """η_t = 1/(λt): f_{t+1} = −(1/λt) Σ_s (mean gradient of batch s), so all hinge coefficients are 1/(λ t m)."""
    X, Y = data(2)
    last = run_sgd(X[:20], Y[:20], gaussian, 0.3, size=4)[-1]
    np.testing.assert_allclose(np.abs(last.coef), 1 / (0.3 * 5 * 4), rtol=1e-13)


def test_examples_without_loss_are_not_added_but_count_in_the_mean():
    X, Y = np.array([[3.0], [0.1], [3.0], [3.0]]), np.array([1, 1, 1, 1])
    history = run_olk(X, Y, linear, 0.5, 1e9, size=2)
    np.testing.assert_allclose(history[0].coef[:, 0], [0.25, 0.25])  # both have a loss at f = 0
    assert len(history[1].support) == 2 and weights(history[1])[0, 0] == pytest.approx(0.25 * 3.1)
    one = run_olk(X[[1, 0]], Y[[1, 0]], linear, 0.5, 1e9, size=1)
    assert len(one) == 2


def test_short_last_batch_uses_its_own_size():
    X, Y = data(3, count=5)
    last = run_olk(X, Y, gaussian, 1.0, 1e9, loss="l2", size=4)
    before = last[0]
    assert last[1].coef[-1, 0] == pytest.approx(Y[4] - evaluate(before, gaussian, X[4])[0])


@pytest.mark.parametrize("loss", ["hinge", "logistic"])
@pytest.mark.parametrize("size", [1, 3])
def test_two_classes_equal_the_binary_run_with_twice_the_kernel(loss, size):
    """h = f_1 − f_0 obeys the binary rule with kernel 2κ; the class coefficients are ∓ the binary ones."""
    X, Y = data(4, count=16)
    Z = (Y + 1) // 2
    runs = [
        (run_sgd, (0.1,), {"t0": 2.0, "ball": 1.5}),
        (run_bsgd, (0.1, 5), {"t0": 2.0, "ball": 1.5}),
        (run_polk, (0.1, constant_schedule(0.5, 0.2)), {}),
        (run_olk, (0.5, 1.5), {}),
    ]
    for function, arguments, options in runs:
        binary = function(X, Y, twice, *arguments, loss=loss, outputs=1, size=size, **options)
        paired = function(X, Z, gaussian, *arguments, loss=loss, outputs=2, size=size, **options)
        for one, two in zip(binary, paired, strict=True):
            np.testing.assert_array_equal(one.support, two.support)
            np.testing.assert_allclose(two.coef, one.coef @ [[-1.0, 1.0]], atol=1e-9)


@pytest.mark.parametrize("size", [1, 4, 7])
def test_budget_is_kept_and_the_smallest_goes(size):
    X, Y = data(5)
    history = run_bsgd(X, Y, gaussian, 0.1, 6, loss="logistic", size=size, t0=5.0)
    assert max(len(step.support) for step in history) == 6
    previous = Step(np.zeros((0, 3)), np.zeros((0, 1)))
    for t, rows in enumerate(batches(len(X), size), start=1):
        full = gradient_step(previous, X[rows], Y[rows], gaussian, "logistic", 1 / (0.1 * (t + 5)), 1 / (t + 5))
        order = np.argsort(np.abs(full.coef[:, 0]), kind="stable")  # κ(x, x) = 1, no ties with this loss
        kept = np.sort(order[max(len(order) - 6, 0) :])
        np.testing.assert_allclose(history[t - 1].coef, full.coef[kept], atol=1e-14)
        previous = history[t - 1]


def test_equal_coefficients_lose_the_oldest():
    X, Y = data(6)
    step = run_bsgd(X[:8], Y[:8], gaussian, 0.01, 4, size=8)[-1]  # all eight have the same |a|
    np.testing.assert_array_equal(step.support, X[4:8])


@pytest.mark.parametrize("outputs", [1, 3])
def test_pruning_is_the_best_fit_and_its_error_is_within_epsilon(outputs):
    rng = np.random.default_rng(7)
    full = Step(rng.normal(size=(9, 2)), rng.normal(size=(9, outputs)))
    root = np.linalg.cholesky(gram(gaussian, full.support, full.support) + 1e-13 * np.eye(9))  # rows are features
    before = root.T @ full.coef
    sizes = []
    for error in (0.0, 0.3, 1.0, 100.0):
        pruned = prune(full, error, gaussian)
        kept = [int(np.argmin(np.sum((full.support - x) ** 2, axis=1))) for x in pruned.support]
        assert kept == sorted(kept)
        best = np.linalg.lstsq(root[kept].T, before, rcond=None)[0] if kept else np.zeros((0, outputs))
        np.testing.assert_allclose(pruned.coef, best, atol=1e-6)
        assert np.linalg.norm(before - root[kept].T @ pruned.coef) <= error + 1e-6
        sizes.append(len(kept))
    assert sizes[0] == 9 and sizes[-1] == 0 and sizes == sorted(sizes, reverse=True)


def test_errors_of_successive_removals_add_up():
    """Squared errors against f̃ grow by ‖a_j‖²/Q_jj per removal, Q the inverse Gram matrix of what is still there."""
    rng = np.random.default_rng(8)
    full = Step(rng.normal(size=(7, 2)), rng.normal(size=(7, 1)))
    kept, coef, total = list(range(7)), full.coef[:, 0].copy(), 0.0
    while len(kept) > 3:
        inverse = np.linalg.inv(gram(gaussian, full.support[kept], full.support[kept]))
        rise = coef**2 / np.diag(inverse)
        j = int(np.argmin(rise))
        total += rise[j]
        coef = np.delete(coef - inverse[:, j] / inverse[j, j] * coef[j], j)
        kept.pop(j)
        pruned = prune(full, math.sqrt(total) * (1 + 1e-7), gaussian)
        assert len(pruned.support) <= len(kept)
        if len(pruned.support) == len(kept):
            np.testing.assert_allclose(pruned.coef[:, 0], coef, atol=1e-7)


@pytest.mark.parametrize("schedule", [constant_schedule(0.5, 0.3), diminishing_schedule(0.2, 9.0)])
@pytest.mark.parametrize("size", [1, 4])
def test_polk_stays_within_epsilon_at_every_step(schedule, size):
    X, Y = data(9, count=26)
    history = run_polk(X, Y, gaussian, 0.2, schedule, loss="logistic", size=size)
    previous = Step(np.zeros((0, 3)), np.zeros((0, 1)))
    for t, rows in enumerate(batches(len(X), size), start=1):
        eta = schedule[0](t)
        full = gradient_step(previous, X[rows], Y[rows], gaussian, "logistic", eta, eta * 0.2)
        both = Step(
            np.concatenate([full.support, history[t - 1].support]), np.concatenate([full.coef, -history[t - 1].coef])
        )
        assert math.sqrt(max(squared_norm(both, gaussian), 0.0)) <= schedule[1](t) + 1e-7
        previous = history[t - 1]


def test_polk_without_pruning_is_sgd_with_that_step():
    X, Y = data(10)
    sgd = run_sgd(X, Y, gaussian, 0.2, "logistic", size=3, t0=4.0)
    polk = run_polk(X, Y, gaussian, 0.2, (diminishing_schedule(0.2, 4.0)[0], lambda t: 0.0), "logistic", size=3)
    for one, two in zip(sgd, polk, strict=True):
        np.testing.assert_allclose(one.coef, two.coef, atol=1e-12)


def test_olk_ball_holds_and_is_a_projection():
    X, Y = data(11)
    for step in run_olk(X, Y, gaussian, 1.0, 0.8, size=3):
        assert math.sqrt(squared_norm(step, gaussian)) <= 0.8 * (1 + 1e-12)
    first = run_olk(X[:3], Y[:3], gaussian, 1.0, 0.2, size=3)[0]
    assert math.sqrt(squared_norm(first, gaussian)) == pytest.approx(0.2)
    ratios = first.coef[:, 0] / (Y[:3] / 3)
    np.testing.assert_allclose(ratios, ratios[0])
