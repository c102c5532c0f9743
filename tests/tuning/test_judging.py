"""Candidates for the scales: when one is surely better, which λ it takes, and the coefficients it is judged with."""

import numpy as np
import pytest

from kernelstream.tuning import judging
from kernelstream.tuning.blocks import FEW as FEW_ROWS
from kernelstream.tuning.blocks import kernel_matrix, normal_matrix
from kernelstream.tuning.folds import Fold
from kernelstream.tuning.judging import Verdicts, certainty, fitted, judged, winner
from kernelstream.tuning.ladder import LAMS, OFFSETS, best_rung
from kernelstream.tuning.losses_of_task import TunedTask
from tests.reference import tuning as reference
from tests.tuning.test_descent import KINDS, task

RNG = np.random.default_rng(0)
NOISE = RNG.normal(size=400)
LADDER = (1e-5, 1e-4, 1e-3)
FEW, MANY = np.repeat([0.0, 1.0], [360, 40]), np.repeat([0.0, 1.0], [300, 100])  # errors
LESS = np.repeat([0.0, 1.0], [304, 96])  # likely less than many, but not surely


def verdicts(*pairs):
    """Losses and errors for λ = 1e-5, 1e-4, …"""
    return Verdicts(
        {lam: np.asarray(losses, float) for lam, (losses, _) in zip(LADDER, pairs, strict=False)},
        {lam: np.asarray(errors, float) for lam, (_, errors) in zip(LADDER, pairs, strict=False)},
    )


def test_certainty_is_the_mean_gain_in_standard_errors():
    before, after = 1.0 + NOISE, 0.9 + RNG.normal(size=400)
    gain = before - after
    assert certainty(before, after) == pytest.approx(gain.mean() / (gain.std() / 20.0))
    assert certainty(after, before) == pytest.approx(-certainty(before, after))
    assert certainty(before, before) == 0.0
    assert certainty(np.ones(5), np.zeros(5)) > 1e100  # without any doubt


def test_certainty_pairs_rows():
    difficult = 100.0 * RNG.random(400)  # the same rows are difficult for both
    assert certainty(difficult, difficult - 0.1 + 0.01 * NOISE) > 50.0


def test_lam_rises_only_if_the_loss_is_surely_less_and_no_more_rows_are_wrong():
    base, less, unsure = (1.0 + NOISE, MANY), (0.8 + NOISE, MANY), (0.99 + NOISE[::-1], MANY)
    assert verdicts(base, less).lam() == 1e-4
    assert verdicts(base, unsure).lam() == 1e-5
    assert verdicts((1.0 + NOISE, FEW), less).lam() == 1e-5  # more errors
    assert verdicts(base, unsure, less).lam() == 1e-3  # past one that is not better
    assert verdicts(base, less, less).lam() == 1e-4  # the smallest of equals
    assert verdicts(base).lam() == 1e-5


def test_the_best_loss_is_that_of_any_lam():
    assert verdicts((np.full(3, 2.0), MANY), (np.full(3, 1.0), MANY)).best() == 1.0


def test_the_winner_has_the_least_loss_among_the_surely_better():
    usual = verdicts((1.0 + NOISE, MANY))
    better, best = verdicts((0.8 + NOISE, FEW)), verdicts((0.7 + NOISE, FEW))
    assert winner({"usual": usual, "better": better, "best": best}, "usual") == ("best", 1e-5)
    lucky = verdicts((0.6 + NOISE, np.roll(MANY, 1)))  # least loss, but as many errors
    assert winner({"usual": usual, "lucky": lucky, "better": better, "best": best}, "usual") == ("best", 1e-5)
    noisy = verdicts((0.5 + 9.0 * NOISE[::-1], LESS))  # least loss, but not surely
    assert winner({"usual": usual, "noisy": noisy, "better": better}, "usual") == ("better", 1e-5)


def test_of_those_that_are_surely_better_one_with_fewer_mistakes_is_taken_though_it_has_more_loss():
    usual = verdicts((1.0 + NOISE, MANY))
    close = MANY * (np.arange(len(MANY)) % 2)  # half as many mistakes
    assert certainty(close, np.zeros_like(close)) > 1.0
    less, fewer = verdicts((0.7 + NOISE, close)), verdicts((0.8 + NOISE, np.zeros_like(close)))
    assert winner({"usual": usual, "less": less, "fewer": fewer}, "usual") == ("fewer", 1e-5)
    alike = verdicts((0.8 + NOISE, np.roll(close, 2)))
    assert winner({"usual": usual, "less": less, "alike": alike}, "usual") == ("less", 1e-5)


def test_surely_fewer_mistakes_are_enough_if_the_loss_is_no_more():
    far = np.where(np.arange(400) == 0, 400.0, 0.0)  # one row far on the wrong side
    usual = verdicts((1.0 + NOISE + far[::-1], MANY))
    fewer = verdicts((0.9 + NOISE + far, FEW))
    assert certainty(usual.losses[1e-5], fewer.losses[1e-5]) < 0.5
    assert winner({"usual": usual, "fewer": fewer}, "usual") == ("fewer", 1e-5)
    more = verdicts((1.1 + NOISE + far, FEW))
    assert winner({"usual": usual, "more": more}, "usual") == ("usual", 1e-5)


def test_the_winner_takes_its_own_lam():
    better = verdicts((0.8 + NOISE, FEW), (0.7 + NOISE, FEW))
    assert winner({"usual": verdicts((1.0 + NOISE, MANY)), "better": better}, "usual") == ("better", 1e-4)


def test_the_usual_one_stands_if_none_is_sure_and_may_take_a_larger_lam():
    usual = verdicts((1.0 + NOISE, MANY), (0.8 + NOISE, MANY))
    unsure = verdicts((0.95 + NOISE[::-1], LESS))
    worse = verdicts((1.5 + NOISE, MANY))
    assert winner({"usual": usual, "unsure": unsure, "worse": worse}, "usual") == ("usual", 1e-4)
    assert winner({"usual": verdicts((1.0 + NOISE, MANY))}, "usual") == ("usual", 1e-5)


def test_the_usual_one_takes_a_larger_lam_only_if_that_is_as_sure_as_another_candidate_must_be():
    usual = verdicts((1.0 + NOISE, MANY), (0.9 + NOISE[::-1], MANY))
    assert 1.0 < certainty(*usual.losses.values()) < 2.5
    assert usual.lam() == 1e-4
    assert winner({"usual": usual}, "usual") == ("usual", 1e-5)


def problem(kind):
    """A task in the units of its kernel, its support vectors, and both kernel matrices."""
    own, X, T, _, theta = task(kind, rows=400)
    X = X * np.exp(theta).astype(np.float32)
    return own, X, T, X[:30], *(reference.kernel_matrix(rows, X[:30], np.ones(3)) for rows in (X, X[:30]))


@pytest.mark.parametrize("kind", KINDS)
def test_coefficients_meet_their_condition_if_there_are_steps_enough(kind, monkeypatch):
    monkeypatch.setattr(judging, "NEWTON", (60, 60))
    monkeypatch.setattr(judging, "MAJORISED", (5000, 5000))
    own, X, T, Z, K, gram = problem(kind)
    found = dict(fitted(own, X, T, Z, LADDER))
    assert tuple(found) == LADDER
    for lam, a in found.items():
        assert reference.stationarity(a, K, gram, T, lam, own.hinge) < 1e-3


@pytest.mark.parametrize("kind", KINDS)
def test_the_few_steps_taken_come_near(kind):
    """A hinge takes so few that J stays a few percent above its minimum; for numbers it is float32 alone."""
    own, X, T, Z, K, gram = problem(kind)
    for lam, a in fitted(own, X, T, Z, LADDER):
        exact = reference.objective(np.zeros(3), Z, X, T, lam, own.hinge)
        penalty = lam * len(X) * gram + reference.RIDGE * len(X) * np.eye(len(Z))
        value = 0.5 * np.sum(a * (penalty @ a)) + 0.5 * own.losses(K @ a, T).sum()
        assert exact * (1.0 - 1e-6) <= value <= exact * (1.05 if own.hinge else 1.005)


@pytest.mark.parametrize("seed", [1, 3])
def test_wide_kernels_of_several_classes_do_not_blow_up(seed):
    """Rows that are nearly alike: rounded to float32, K'K has eigenvalues as far below 0 as the penalty is above it."""
    rng = np.random.default_rng(seed)
    X = (0.1 * rng.integers(0, 3, size=(300, 30))).astype(np.float32)
    labels = np.rint(10.0 * X[:, :3].sum(axis=1)) + rng.integers(0, 3, 300)
    T = np.where(np.arange(10) == labels[:, None], 1.0, -1.0).astype(np.float32)
    own, K = TunedTask(True), reference.kernel_matrix(X, X[:150], np.ones(30))
    for _, a in fitted(own, X, T, X[:150], LADDER):
        assert own.losses(K @ a, T).mean() < 0.5 * own.losses(np.zeros_like(T), T).mean()


@pytest.mark.parametrize("rows, precise", [(300, False), (FEW_ROWS + 100, True)])
def test_the_normal_matrix_is_as_precise_as_its_smallest_eigenvalues_need(rows, precise):
    X = (0.01 * np.random.default_rng(0).normal(size=(rows, 5))).astype(np.float32)
    K = kernel_matrix(X, X[:50])
    exact = K.astype(np.float64).T @ K.astype(np.float64)
    np.testing.assert_allclose(normal_matrix(K, precise=precise), exact, rtol=1e-12)
    short = np.arange(rows) % 3 == 0
    np.testing.assert_allclose(normal_matrix(K, short, precise), K[short].astype(np.float64).T @ K[short], rtol=1e-6)


def test_errors_are_wrong_labels_or_squared():
    F = np.array([[0.5, 0.1], [-0.2, 0.3]])
    labels = np.array([[1.0, -1.0], [1.0, -1.0]])
    assert TunedTask(True).errors(F, labels).tolist() == [0.0, 1.0]
    assert TunedTask(True).errors(F[:, :1], -labels[:, :1]).tolist() == [1.0, 0.0]
    np.testing.assert_allclose(TunedTask(True).losses(F, labels), [0.5**2 + 1.1**2, 1.2**2 + 1.3**2])
    np.testing.assert_allclose(TunedTask(False).errors(F, labels), [0.5**2 + 1.1**2, 1.2**2 + 1.3**2])


def test_held_out_rows_of_all_folds_are_judged_with_the_support_vectors_found():
    own, X, T, _, theta = task("two classes", rows=90)
    folds = [Fold(np.setdiff1d(np.arange(90), held), held, held) for held in np.split(np.arange(90), 3)]
    asked = []

    def find(columns, rows):
        asked.append(rows)
        np.testing.assert_array_equal(columns, X[rows] * np.exp(theta).astype(np.float32))
        return columns[:10]

    (found,) = judged(own, X, T, [theta] * 3, folds, (1e-3,), find)
    assert [rows.tolist() for rows in asked] == [fold.learned.tolist() for fold in folds]
    expected = []
    for fold in folds:
        Z = X[fold.learned[:10]]
        a = reference.coefficients(theta, Z, X[fold.learned], T[fold.learned], 1e-3, True)
        F = reference.kernel_matrix(X[fold.held], Z, np.exp(theta)) @ a
        expected.append(np.maximum(0.0, 1.0 - T[fold.held] * F)[:, 0] ** 2)
    np.testing.assert_allclose(found.losses[1e-3], np.concatenate(expected), atol=1e-2)
    assert set(found.errors[1e-3]) <= {0.0, 1.0}


def test_the_ladder_takes_the_width_and_lam_of_least_held_out_loss():
    _, X, T, _, _ = task("numbers", rows=300)
    rule = np.full(3, -0.5 * np.log(3.0))
    fold = Fold(np.arange(200), np.arange(200, 300), np.arange(40))
    losses = {}
    for offset in OFFSETS:
        for lam in LAMS:
            a = reference.coefficients(rule + offset, X[:40], X[:200], T[:200], lam, False)
            held = reference.kernel_matrix(X[200:], X[:40], np.exp(rule + offset)) @ a
            losses[offset, lam] = np.sum((held - T[200:]) ** 2)
    assert losses[best_rung(X, T, [fold], rule)] <= min(losses.values()) * (1.0 + 1e-3)
