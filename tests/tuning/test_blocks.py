"""Normal equations over rows that come and go, and the steps of majorisation."""

import numpy as np
import pytest

from kernelstream.tuning import blocks
from kernelstream.tuning.blocks import ShortRows
from kernelstream.tuning.losses_of_task import relaxed_aims


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


def test_relaxed_steps_of_majorisation_reach_the_minimum_in_half_as_many():
    rng = np.random.default_rng(0)
    K, P = rng.normal(size=(200, 6)), 0.1 * np.eye(6)
    # few rows are short of their margin, so that the bound, which counts all of them, is far above the curvature
    T = np.where(K @ rng.normal(size=(6, 3)) + 0.3 * rng.normal(size=(200, 3)) > 0.0, 1.0, -1.0)

    def errors(relaxed, steps):
        """Norms of the gradient after every step."""
        F, before, aims, found = None, None, T, []
        for _ in range(steps):
            a = np.linalg.solve(K.T @ K + P, K.T @ aims)
            before, F = F, K @ a
            aims = relaxed_aims(F, before if relaxed else None, T)
            found.append(np.linalg.norm(P @ a + K.T @ np.where(T * F < 1.0, F - T, 0.0)))
        return found

    plain, twice = errors(False, 24), errors(True, 12)
    assert twice[-1] < 1.1 * plain[-1] and plain[-1] < 0.5 * plain[0] and plain[11] > 1.5 * plain[-1]
