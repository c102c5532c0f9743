"""Normal equations over rows that come and go, and the steps of majorisation."""

import numpy as np
import pytest

from kernelstream.tuning import blocks
from kernelstream.tuning.blocks import ShortRows
from kernelstream.tuning.losses_of_task import relaxed


@pytest.mark.parametrize("flips", [0, 3, 40, 300])
def test_the_matrix_of_the_short_rows_follows_the_rows_that_change_sides(flips, monkeypatch):
    rng = np.random.default_rng(flips)
    K = rng.uniform(size=(300, 8)).astype(np.float32)
    worked, normal_matrix = [], blocks.normal_matrix
    monkeypatch.setattr(blocks, "normal_matrix", lambda K, rows: worked.append(rows.sum()) or normal_matrix(K, rows))
    short_rows, short = ShortRows(K), np.ones(300, bool)
    short_rows.normal_matrix(short)
    for _ in range(3):
        before, short = short, short.copy()
        short[rng.choice(300, flips, replace=False)] ^= True
        worked.clear()
        found, some = short_rows.normal_matrix(short), K[short].astype(float)
        np.testing.assert_allclose(found, some.T @ some, atol=1e-4)
        assert sum(worked) <= min(short.sum(), (short != before).sum())


def test_without_short_rows_the_matrix_is_nothing():
    short_rows = ShortRows(np.ones((5, 2), np.float32))
    short_rows.normal_matrix(np.ones(5, bool))
    np.testing.assert_array_equal(short_rows.normal_matrix(np.zeros(5, bool)), np.zeros((2, 2)))


def majorised(relax, steps, seed=0):
    """Scores, objectives and norms of the gradient after every step; few rows are short of their margin, so that the
    bound on the curvature, which counts all of them, is far above it."""
    rng = np.random.default_rng(seed)
    K, P = rng.normal(size=(200, 6)), 0.1 * np.eye(6)
    T = np.where(K @ rng.normal(size=(6, 3)) + 0.3 * rng.normal(size=(200, 3)) > 0.0, 1.0, -1.0)
    there, aims, found = None, T, []
    for _ in range(steps):
        a = np.linalg.solve(K.T @ K + P, K.T @ aims)
        F = K @ a
        there, aims = relaxed(F, there if relax else None, T)
        R = np.where(T * F < 1.0, F - T, 0.0)
        found.append((there, 0.5 * (R**2).sum() + 0.5 * (a * (P @ a)).sum(), np.linalg.norm(P @ a + K.T @ R)))
    return found


@pytest.mark.parametrize("seed", range(5))
def test_relaxed_steps_of_majorisation_lower_the_objective_and_need_half_as_many(seed):
    plain, twice = majorised(False, 30, seed), majorised(True, 30, seed)
    assert (np.diff([value for _, value, _ in twice]) <= 1e-12).all()
    gradients = [[norm for _, _, norm in found] for found in (plain, twice)]
    assert gradients[1][15] < gradients[0][29] and gradients[0][15] > 1.2 * gradients[0][29]


def test_a_relaxed_step_goes_twice_as_far_from_where_the_last_one_went():
    T, first, second, third = np.array([[1.0]]), np.array([[0.1]]), np.array([[0.3]]), np.array([[0.5]])
    there, aims = relaxed(first, None, T)
    assert there == first and aims == T
    there, _ = relaxed(second, there, T)
    np.testing.assert_allclose(there, 0.5)  # 0.1, and twice 0.2
    there, _ = relaxed(third, there, T)
    np.testing.assert_allclose(there, 0.5)  # 0.5, and twice nothing
    there, aims = relaxed(np.array([[1.5]]), there, T)
    np.testing.assert_allclose([there, aims], 2.5)  # beyond its margin, a score aims at itself
