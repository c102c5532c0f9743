"""Features in units of their own, with ranks beside some: the map, and which features get ranks."""

import copy
import pickle

import numpy as np
import pytest

from kernelstream.core.parallel import jobs
from kernelstream.tuning import FeatureMap, RankColumn
from kernelstream.tuning.rank_columns import KNOTS, scaled, standardised

RNG = np.random.default_rng(0)
SQUARE = RankColumn(1, np.array([0.0, 1.0, 3.0]), np.array([-1.0, 0.0, 5.0]))
MAP = FeatureMap(np.array([1.0, 2.0]), np.array([10.0, 0.5]), (SQUARE,))


def test_rows_are_shifted_and_multiplied_and_ranks_follow():
    found = MAP.transform(np.array([[1.0, 2.0], [2.0, 0.5]], np.float32))
    assert found.dtype == np.float64 and (MAP.features, MAP.width) == (2, 3)
    np.testing.assert_array_equal(found, [[0.0, 0.0, 2.5], [10.0, -0.75, -0.5]])


def test_ranks_are_constant_outside_of_their_knots():
    found = MAP.transform([[0.0, -1e300], [0.0, 0.0], [0.0, 3.0], [0.0, 1e300]])
    np.testing.assert_array_equal(found[:, 2], [-1.0, -1.0, 5.0, 5.0])


def test_a_row_has_the_same_columns_alone_and_among_others():
    columns = standardised(RNG.lognormal(size=(300, 4)))
    X = RNG.lognormal(size=(50, 4))
    np.testing.assert_array_equal(columns.transform(X), np.vstack([columns.transform(x[None]) for x in X]))


def test_what_columns_have_is_added_up_by_feature():
    two = FeatureMap(np.zeros(3), np.ones(3), (SQUARE, SQUARE._replace(source=2)))
    values = np.array([1.0, 2.0, 4.0, 8.0, 16.0])
    np.testing.assert_array_equal(two.by_feature(values), [1.0, 10.0, 20.0])
    np.testing.assert_array_equal(values, [1.0, 2.0, 4.0, 8.0, 16.0])  # not changed
    np.testing.assert_array_equal(FeatureMap(np.zeros(2), np.ones(2)).by_feature(values[:2]), [1.0, 2.0])


def test_maps_are_equal_if_all_their_numbers_are():
    assert copy.deepcopy(MAP) == MAP and pickle.loads(pickle.dumps(MAP)) == MAP
    others = [
        FeatureMap(MAP.shift + 1.0, MAP.factor, MAP.ranks), FeatureMap(MAP.shift, 2.0 * MAP.factor, MAP.ranks),
        FeatureMap(MAP.shift, MAP.factor), FeatureMap(MAP.shift, MAP.factor, (SQUARE._replace(source=0),)),
        FeatureMap(MAP.shift, MAP.factor, (SQUARE._replace(knots=SQUARE.knots + 1.0),)),
        FeatureMap(MAP.shift, MAP.factor, (SQUARE._replace(values=SQUARE.values + 1.0),)),
        FeatureMap(MAP.shift[:1], MAP.factor[:1], MAP.ranks), None, "map",
    ]  # fmt: skip
    assert all(other != MAP for other in others)
    with pytest.raises(TypeError):
        hash(MAP)


def test_skewed_features_get_ranks_and_others_do_not():
    n = 2000
    X = np.column_stack([
        RNG.lognormal(sigma=1.5, size=n), RNG.integers(0, 2, n), RNG.uniform(size=n), RNG.integers(0, 4, n) ** 4.0,
        RNG.normal(size=n), -RNG.exponential(size=n) ** 2, np.full(n, 7.0),
    ])  # fmt: skip
    columns = standardised(X)
    # skewed to either side; neither two values nor four, neither uniform nor normal nor constant
    assert [rank.source for rank in columns.ranks] == [0, 5]
    found = columns.transform(X)
    varying = [0, 1, 2, 3, 4, 5, 7, 8]
    np.testing.assert_allclose(found.mean(axis=0), 0.0, atol=1e-9)
    np.testing.assert_allclose(found[:, varying].std(axis=0), 1.0, rtol=1e-9)
    assert not found[:, 6].any()
    assert standardised(X, ranks=False).ranks == ()


def test_ranks_are_those_of_the_rows():
    x = RNG.lognormal(sigma=2.0, size=5000)
    (column,) = standardised(x[:, None]).ranks
    assert len(column.knots) == len(column.values) == KNOTS and (np.diff(column.knots) > 0.0).all()
    assert (np.diff(column.values) > 0.0).all()
    ranks = x.argsort().argsort()
    found = np.interp(x, column.knots, column.values)
    assert np.corrcoef(found, ranks)[0, 1] > 0.999


def test_equal_values_share_their_middle_rank():
    # half of all rows are 0: their rank is a quarter
    x = np.concatenate([np.zeros(1000), RNG.exponential(size=1000) ** 2])
    (column,) = standardised(x[:, None]).ranks
    low, high = column.values[0], column.values[-1]
    ranks = np.interp(x, column.knots, column.values)
    assert column.knots[0] == 0.0 and high > -low
    np.testing.assert_allclose((ranks[-1000:].mean() - low) / (high - low), (0.75 - 0.25) / 0.75, atol=0.01)


def test_with_more_than_200_features_none_has_ranks():
    X = RNG.lognormal(sigma=1.5, size=(500, 201))
    assert len(standardised(X[:, :200]).ranks) == 200
    assert standardised(X).ranks == ()


@pytest.mark.parametrize("offset", [1e6, -1e9])
def test_a_large_offset_changes_neither_columns_nor_ranks(offset):
    X = RNG.exponential(size=(1000, 2)) ** 2 * np.array([1.0, 1e4])
    plain, moved = standardised(X), standardised(X + offset)
    assert [r.source for r in plain.ranks] == [r.source for r in moved.ranks] == [0, 1]
    np.testing.assert_allclose(moved.transform(X + offset), plain.transform(X), atol=1e-4)  # of 1e9, 1e-7 is left


@pytest.mark.parametrize("value", [0.0, 0.1, -1e12, 1e-12, 1e150])
def test_a_constant_of_any_size_counts_for_nothing(value):
    X = np.full((1000, 1), value)
    columns = standardised(X)
    assert columns.ranks == () and np.isfinite(columns.factor).all()
    assert np.ptp(columns.transform(X)) == 0.0


def test_other_units_scale_every_column_and_ranks_of_no_weight_are_dropped():
    X = RNG.lognormal(sigma=1.5, size=(500, 3))
    columns = standardised(X)
    scales = np.array([1.0, 2.0, 1e-9, 3.0, 1e-5, 4.0])
    found = scaled(columns, scales)
    assert [rank.source for rank in found.ranks] == [0, 2]
    np.testing.assert_allclose(found.transform(X), (columns.transform(X) * scales)[:, [0, 1, 2, 3, 5]], rtol=1e-12)


def test_many_rows_are_shared_out_among_threads_without_a_difference():
    X = np.random.default_rng(0).normal(size=(300_000, 3)).astype(np.float32)
    ranks = tuple(RankColumn(j, np.linspace(-2, 2, 9), np.linspace(0, 1, 9) ** 2) for j in range(3))
    found = FeatureMap(np.full(3, 0.5), np.arange(1.0, 4.0), ranks)
    with jobs(3):
        threads = found.transform(X)
    with jobs(1):
        np.testing.assert_array_equal(found.transform(X), threads)
    np.testing.assert_array_equal(threads[:, :3], (X.astype(np.float64) - 0.5) * np.arange(1.0, 4.0))
