"""Rows in memory as the source of a refit."""

import numpy as np
import pytest

from kernelstream.refit.sources import InMemory


@pytest.mark.parametrize("size", [1, 7, 30, 1000])
def test_a_sample_is_spread_over_the_rows_that_have_a_weight(size):
    X = np.arange(100.0)[:, None]
    weight = np.where(X[:, 0] % 2 == 1.0, X[:, 0], 0.0)  # every second row, from 1 to 99
    source = InMemory(X, X.copy(), weight)
    assert source.rows == 50 and source.mass == weight.sum()
    found = source.sample(size)
    places = found.X[:, 0]
    assert len(places) == min(size, 50) and len(np.unique(places)) == len(places)
    assert (places % 2 == 1.0).all() and places[0] == 1.0
    np.testing.assert_array_equal(found.weight, places)
    np.testing.assert_array_equal(found.Y, found.X)
    if size > 1:
        assert places[-1] == 99.0 and np.diff(places).max() <= 2.0 * (50.0 / (min(size, 50) - 1) + 1.0)
