"""Tables of cells are those of their definition; grids follow the deviations; hashing spreads the cells."""

import itertools

import numpy as np
import pytest

from kernelstream.core import cells as module
from properties.common import callable_from_python
from tests.reference.cells import Table, cells_of, exponent_for, looks
from tests.reference.mixture import doubted, softmax

pytestmark = [pytest.mark.engine, pytest.mark.bounds]

locate, add_up, step = (callable_from_python(f) for f in (module.locate, module.add_up, module.descend))
follow_units, choose_crossed = callable_from_python(module.follow_units), callable_from_python(module.choose_crossed)


def descend(cells, table, slope, weight):
    cells.slope[:] = slope
    step(cells, table, weight)


def stream(rows, seed=0):
    """A number, small codes, a large number, many codes, and a mark that is mostly 0."""
    rng = np.random.default_rng(seed)
    return np.column_stack(
        [
            rng.normal(size=rows), rng.integers(0, 3, rows), 5000.0 + 900.0 * rng.normal(size=rows),
            rng.integers(-20, 20, rows), rng.random(rows) < 0.1,
        ]
    )  # fmt: skip


def learned(X):
    """Cells that have counted these rows."""
    cells = module.new_cells(X.shape[1], 2)
    for x in X:
        follow_units(cells, x)
    return cells


def located(cells, x):
    locate(cells, np.ascontiguousarray(x, np.float64))
    return cells.where.tolist()


@pytest.mark.parametrize("classes", [2, 3])
def test_scores_are_those_of_the_definition(classes):
    """From one row to the next, with weights, while the grids find their widths."""
    X, rng = stream(150), np.random.default_rng(classes)
    d, crossed = X.shape[1], list(range(X.shape[1]))
    cells, tables = module.new_cells(d, classes), [Table(t, classes) for t in range(module.TABLES)]
    exponents, whole, addresses = [0] * d, [True] * d, {}
    out = np.zeros(classes)
    for count, x in enumerate(X, 1):
        locate(cells, x)
        names = [cells_of(x, exponents, whole, crossed, t) for t in range(module.TABLES)]
        singles, where = len(names[0]), cells.where.tolist()
        for name, place in zip(names[1] + names[2][singles:], where[:singles] + where[1 + 2 * d :], strict=True):
            assert addresses.setdefault(name, place) == place
        # those that collide are one to the oracle too
        names = [[addresses[name] for name in own] for own in names]
        y, weight = int(rng.integers(classes)), float(rng.choice([0.2, 1.0, 3.0]))
        for t, table in enumerate(tables):
            add_up(cells, t, out)
            expected = table.logits(names[t])
            np.testing.assert_allclose(out, expected, rtol=1e-4, atol=1e-5)
            p = doubted(softmax(expected), 1e-3)
            descend(cells, t, p - np.eye(classes)[y], weight)
            table.learn(names[t], p, y, weight)
        follow_units(cells, x)
        whole = [w and float(value).is_integer() for w, value in zip(whole, x, strict=True)]
        if count in looks(len(X)):
            deviations = X[:count].std(axis=0)
            exponents = [
                exponent_for(s, e) if s > 0.0 else e for s, e in zip(deviations.tolist(), exponents, strict=True)
            ]
        assert cells.exponent.tolist() == exponents
    assert whole == [False, True, False, True, True] and exponents[1] <= 0 < exponents[3]
    assert len(set(addresses.values())) > 0.9 * len(addresses) > 800


def test_a_cell_that_is_hit_twice_learns_twice():
    for t in range(module.TABLES):
        cells, table, p = module.new_cells(3, 2), Table(t, 2), np.array([0.3, 0.7])
        names = [("same",)] * len(cells_of(np.full(3, 0.5), [0] * 3, [True] * 3, [0, 1, 2], t))
        locate(cells, np.full(3, 0.5))
        cells.where[:] = 7
        for weight in (1.0, 2.5):
            descend(cells, t, p - np.eye(2)[0], weight)
            table.learn(names, p, 0, weight)
        np.testing.assert_allclose(cells.scores[t, 7], table.scores["same",], rtol=1e-5)
        assert cells.slopes[t, 7] == pytest.approx(table.sums["same",], rel=1e-5)
        assert np.count_nonzero(cells.scores) == 2


def test_sums_of_squared_gradients_fade():
    """At rest they return to 1, at the table's own rate."""
    cells = module.new_cells(1, 2)
    locate(cells, np.full(1, 0.5))
    cells.where[:] = np.arange(len(cells.where))
    for t in range(module.TABLES):
        cells.slopes[t] = 101.0
        descend(cells, t, np.zeros(2), 1.0)  # certain and right: no gradient
        assert cells.slopes[t, 0] == pytest.approx(1.0 + 100.0 * module.KEEP[t], rel=1e-6)
    assert not cells.scores.any()


def test_a_grid_stays_until_the_deviation_has_left_it():
    """Growing and shrinking deviations: the exponent is that of the definition."""
    rng = np.random.default_rng(3)
    sizes = np.geomspace(1.0, 2000.0, 2048)[:, None] * [1.0, -1e3] + [[0.0, 5e6]]
    X = np.column_stack([sizes * rng.uniform(0.8, 1.2, size=(2048, 2)), np.geomspace(1.0, 1e-4, 2048)])
    cells, expected, changed = module.new_cells(3, 2), [0, 0, 0], 0
    for count, x in enumerate(X, 1):
        follow_units(cells, x)
        if count in looks(2048) and count > 1:
            before = expected
            expected = [exponent_for(s, e) for s, e in zip(X[:count].std(axis=0).tolist(), before, strict=True)]
            changed += expected != before
        assert cells.exponent.tolist() == expected
    assert changed > 4


def test_a_deviation_near_the_edge_of_its_grid_moves_nothing():
    for power, expected in ((3.3, 2), (3.4, 3), (1.7, 2), (1.6, 1)):
        cells = module.new_cells(1, 2)
        cells.rows[0], cells.squares[0], cells.exponent[0] = 4095, 4096 * 4.0**power, 2  # deviation 2^power
        follow_units(cells, cells.mean.copy())
        assert cells.exponent[0] == expected


def test_grids_are_looked_at_when_rows_have_grown_by_a_quarter():
    cells, found = module.new_cells(1, 2), []
    x = np.ones(1)
    for count in range(1, 4097):
        x[0], cells.exponent[0] = -x[0], 500
        follow_units(cells, x)
        if cells.exponent[0] != 500:
            found.append(count)
    assert found == [count for count in looks(4096)[1:] if count <= 4096]  # one row has no deviation
    assert all(b - a <= max(1, a / 4) for a, b in itertools.pairwise(found)) and len(found) < 45


def test_codes_have_a_cell_each_and_share_the_coarse_ones():
    X = np.arange(0.0, 1000.0)[:, None]
    cells = learned(X)
    where = np.array([located(cells, x) for x in X])
    assert cells.whole[0] == 1 and len(set(where[:, 1])) > 950
    assert len(set(where[:, 2])) <= 8
    follow_units(cells, np.array([0.5]))
    where = np.array([located(cells, x) for x in X])
    assert cells.whole[0] == 0 and len(set(where[:, 1])) <= 32


def test_a_code_keeps_its_cell_when_the_grid_changes():
    cells = learned(np.arange(100.0)[:, None])
    before = located(cells, [7.0])
    cells.exponent[0] += 3
    after = located(cells, [7.0])
    assert before[1] == after[1] and before[2] != after[2]


def test_a_number_does_not_share_the_cells_of_codes():
    """A row that is the first with a fraction: 2.5 on a grid of quarters is the tenth interval, and not the code 10."""
    cells = learned(np.tile([[0.0], [1.0], [10.0], [1.0]], (8, 1)))
    cells.exponent[0] = 0
    assert located(cells, [10.0])[1] != located(cells, [2.5])[1]


def test_every_finite_number_has_a_cell():
    huge = [0.0, -0.0, 5e-324, -5e-324, 1e15, 1e15 + 2, -1e16, 1e100, -1e300, 1.7e308]
    for exponent in (-1000, 0, 1000):
        for whole in (0, 1):
            cells = module.new_cells(2, 2)
            cells.exponent[:], cells.whole[:] = exponent, whole
            for a in huge:
                with np.errstate(all="ignore"):  # in pure Python, NumPy warns of what overflows
                    where = located(cells, [a, -a])
                assert all(0 <= i < module.LARGEST_TABLE for i in where) and where[0] == 0
    assert located(cells, [0.0, 0.0]) == located(cells, [-0.0, -0.0])


def test_huge_numbers_leave_the_grids_finite():
    cells = module.new_cells(2, 2)
    for i in range(300):
        follow_units(cells, np.array([1.7e308 * (-1) ** i, 5e-324 * i]))
    assert all(np.isfinite(part).all() for part in (cells.mean, cells.squares))
    assert abs(cells.exponent).max() <= 1000


def test_an_outlier_moves_the_grid_little():
    cells = learned(np.random.default_rng(4).normal(size=(511, 1)))
    exponent = int(cells.exponent[0])
    follow_units(cells, np.array([1e9]))
    assert abs(cells.exponent[0] - exponent) <= 1


@pytest.mark.parametrize("features", [1, 2, 16, 20])
def test_a_row_has_as_many_cells_as_there_is_room_for(features):
    cells, crossed = module.new_cells(features, 2), min(features, 16)
    x = np.arange(0.5, features)
    where = located(cells, x)
    assert len(where) == module.places(features) == 1 + 2 * features + 2 * (crossed * (crossed - 1) // 2)
    for t in range(module.TABLES):
        cells.scores[:], cells.slopes[:], cells.where[:] = 0.0, 1.0, np.arange(len(where))
        descend(cells, t, np.array([-0.5, 0.5]), 1.0)
        used = set(np.flatnonzero(cells.scores[t, :, 0]).tolist())
        singles, pairs = set(range(1 + 2 * features)), crossed * (crossed - 1) // 2
        first = 1 + 2 * features + (pairs if t >= 2 else 0)
        assert used == singles | (set(range(first, first + pairs)) if t else set())


def test_the_features_with_the_largest_effects_form_pairs():
    cells = module.new_cells(20, 2)
    cells.effect[:] = np.random.default_rng(5).permutation(20.0 + np.arange(20))
    choose_crossed(cells)
    assert sorted(cells.crossed.tolist()) == sorted(np.argsort(cells.effect)[-16:].tolist())


def test_a_pair_keeps_its_cell_wherever_it_is_in_the_list():
    cells, x = module.new_cells(20, 2), np.arange(0.5, 20.5)
    before = located(cells, x)[41:]
    cells.crossed[:] = cells.crossed[::-1].copy()
    assert sorted(located(cells, x)[41:]) == sorted(before)


def test_cells_of_pairs_collide_no_more_than_chance_has_it():
    """3,600 rectangles of one pair, and 1,800 each of two pairs: as many different cells as random ones would be."""
    size = module.LARGEST_TABLE
    grid = [(a + 0.5, b + 0.5) for a in range(-30, 30) for b in range(-30, 30)]
    cells = module.new_cells(2, 2)
    cells.whole[:] = 0
    one = {located(cells, row)[5] for row in grid}
    chance = size * (1.0 - (1.0 - 1.0 / size) ** 3600)
    assert abs(len(one) - chance) < 60
    cells = module.new_cells(4, 2)
    cells.whole[:] = 0
    two = set()
    for a, b in grid[:1800]:
        where = located(cells, [a, b, a, b])
        two |= {where[9], where[14]}  # features 0 and 1; 2 and 3
    assert abs(len(two) - chance) < 60


@pytest.mark.parametrize("classes", [2, 16, 17, 40, 1000])
def test_tables_are_bounded(classes):
    size = module.table_size(classes)
    assert size & (size - 1) == 0 and 1024 <= size <= module.LARGEST_TABLE
    assert size * classes <= module.NUMBERS or size == 1024
