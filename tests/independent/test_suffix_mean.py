"""Checks of the suffix means against two real accumulators and against plain means of function values."""

import math

import numpy as np
import pytest

from .suffix_mean import (
    covered,
    covered_known,
    evaluate,
    iterates_before_updates,
    mean_of,
    suffix_mean,
    suffix_mean_known,
)


def gaussian(x, z):
    return math.exp(-float(np.sum((x - z) ** 2)))


def some_iterates(count, outputs=2):
    rng = np.random.default_rng(1)
    pool = rng.normal(size=(6, 2))
    chosen = [np.sort(rng.choice(6, rng.integers(0, 5), replace=False)) for _ in range(count)]
    return [(pool[rows], rng.normal(size=(len(rows), outputs))) for rows in chosen]


def test_first_ranges():
    first = {1: (1, 1), 2: (2, 2), 3: (2, 3), 4: (3, 4), 5: (3, 5), 7: (3, 7), 8: (5, 8), 15: (5, 15), 16: (9, 16)}
    for t, (start, end) in first.items():
        assert list(covered(t)) == list(range(start, end + 1))


def test_share_is_between_a_half_and_three_quarters():
    for t in range(2, 5000):
        assert 2 * len(covered(t)) >= t and 4 * len(covered(t)) < 3 * t
        assert covered(t)[-1] == t
    for k in range(1, 12):
        assert 2 * len(covered(2**k)) == 2**k
        assert len(covered(2 ** (k + 1) - 1)) == 3 * 2 ** (k - 1) - 1


def test_two_accumulators_hold_the_same_iterates():
    held, emptied_at = [set(), set()], [0, 0]
    turn = 0
    for t in range(1, 1100):
        for one in held:
            one.add(t)
        older = int(emptied_at[1] < emptied_at[0])
        if t & (t - 1) == 0:
            if t > 1:
                assert emptied_at[turn] <= emptied_at[1 - turn]  # it is the turn of the one emptied longest ago
            held[turn], emptied_at[turn] = set(), t
            turn = 1 - turn
            older = turn
        assert held[older] == set(covered(t))


def test_known_length():
    assert list(covered_known(10, 0.5)) == [6, 7, 8, 9, 10]
    assert list(covered_known(11, 0.5)) == [6, 7, 8, 9, 10, 11]
    assert len(covered_known(30, 0.1)) == 3
    assert list(covered_known(4, 1.0)) == [1, 2, 3, 4]
    assert list(covered_known(4, 0.01)) == [4]


@pytest.mark.parametrize("t", [1, 2, 3, 6, 16, 20])
def test_the_mean_expansion_has_the_mean_values(t):
    iterates = some_iterates(20)
    x = np.array([0.2, -0.1])
    values = np.array([evaluate(pair, gaussian, x) for pair in iterates])
    np.testing.assert_allclose(
        evaluate(suffix_mean(iterates, t), gaussian, x), values[[s - 1 for s in covered(t)]].mean(axis=0), atol=1e-13
    )
    np.testing.assert_allclose(
        evaluate(suffix_mean_known(iterates, 0.4), gaussian, x), values[12:].mean(axis=0), atol=1e-13
    )
    support, _ = mean_of(iterates, range(1, 21))
    assert len(support) == len(np.unique(support, axis=0))


def test_states_after_updates_are_shifted_by_one():
    steps = some_iterates(5)
    before = iterates_before_updates(steps, 2, 2)
    assert len(before) == 5 and len(before[0][0]) == 0
    np.testing.assert_array_equal(before[1][1], steps[0][1])
    np.testing.assert_array_equal(before[4][1], steps[3][1])
    support, coef = suffix_mean(before, 1)
    assert support.shape == (0, 2) and coef.shape == (0, 2)
