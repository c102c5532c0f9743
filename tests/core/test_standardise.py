"""A row in other units is what NumPy makes of it, and a row that is not finite is named as such."""

import numpy as np
import pytest

from kernelstream.core.standardise import standardise

pytestmark = [pytest.mark.engine, pytest.mark.bounds]


def quietly(*arguments):
    """In pure Python, NumPy warns of what overflows."""
    with np.errstate(all="ignore"):
        return standardise(*arguments)


def given(seed=0, features=5):
    rng = np.random.default_rng(seed)
    return 10.0 * rng.normal(size=(3, features)), rng.normal(size=features), rng.uniform(0.0, 2.0, features)


@pytest.mark.parametrize("features", [0, 1, 5, 40])
def test_it_is_the_formula(features):
    for seed in range(20):
        row, centre, factors = given(seed, features)
        kept, out = row.copy(), np.full((3, features), np.nan)
        assert standardise(row, centre, factors, 6.0, out)
        np.testing.assert_allclose(out, np.clip((row - centre) * factors, -6.0, 6.0), rtol=1e-12)
        np.testing.assert_array_equal(row, kept)


def test_the_limits_are_reached_and_not_exceeded():
    out = np.zeros((1, 4))
    assert quietly(np.array([[1e308, -1e308, 3.0, 0.0]]), np.zeros(4), np.full(4, 10.0), 2.5, out)
    assert out.tolist() == [[2.5, -2.5, 2.5, 0.0]]


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("place", [0, 2, 4])
def test_what_is_not_finite_is_found(bad, place):
    row, centre, factors = given()
    row[1, place] = bad
    assert not quietly(row, centre, factors, 6.0, np.zeros((3, 5)))
    factors[place] = 0.0
    assert not quietly(row, centre, factors, 6.0, np.zeros((3, 5)))
