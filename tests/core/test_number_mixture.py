"""The mixture of numbers is that of its definition, piece by piece: units, gates, weights, tables, and counts."""

import numpy as np
import pytest

from kernelstream.core import cells as cells_module
from kernelstream.core import number_mixture as module
from properties.common import callable_from_python
from tests.reference.number_mixture import Mixture, Row, Table, Target, share_errors

pytestmark = [pytest.mark.engine, pytest.mark.bounds]

MODELS, TABLES = 3, 4
EXPERTS = MODELS + TABLES
follow_target, mix_numbers, learn_numbers, count_error, fixed_share, filter_cells = (
    callable_from_python(getattr(module, name))
    for name in ("follow_target", "mix_numbers", "learn_numbers", "count_error", "share_errors", "filter_cells")
)
locate, add_up, follow_units = (
    callable_from_python(getattr(cells_module, name)) for name in ("locate", "add_up", "follow_units")
)
KINDS = ("noise", "outliers", "constant", "nearly constant", "jumps", "trend", "huge", "tiny")


def targets(kind, rows=400, seed=0):
    """A level, a noise, and what happens to them."""
    rng = np.random.default_rng(seed)
    y, when = 50.0 + 4.0 * rng.normal(size=rows), np.arange(rows)
    if kind == "outliers":  # single ones, and a few side by side
        hit = (rng.random(rows) < 0.04) & (when > 20)
        y[hit] = rng.choice([1e300, -1e300, 1e30, -1e30, 1e5], size=int(hit.sum()))
        y[200:205] = 1e30
    if kind == "jumps":  # of the level, there and back; the last to and fro
        y += np.select([when < 60, when < 150, when < 230, when < 300], [0.0, 1e3, -2e4, 3e6], 0.0)
        y[350:370] = 1e9 * (-1.0) ** when[350:370]
    plain = {"constant": np.full(rows, 7.0), "nearly constant": np.where(when % 50 == 30, 9.0, 7.0)}
    factors = {"huge": 1e30, "tiny": 1e-30}  # scores of cells are float32
    return plain.get(kind, y) * factors.get(kind, 1.0) + (3.0 * when if kind == "trend" else 0.0)


def weights(rows, seed=1):
    return np.random.default_rng(seed).choice([0.2, 1.0, 3.0, 0.0], p=[0.3, 0.4, 0.2, 0.1], size=rows).tolist()


def begun(y):
    """Engine and oracle, for targets that begin like this."""
    engine, target = module.new_number_mixture(MODELS, TABLES), Target(y)
    module.Numbers().start(engine, np.asarray(y))
    return engine, target, Mixture(EXPERTS, target.unit, target.deviation)


def compare_targets(found, target):
    for name in ("rows", "level", "square", "unit", "origin"):
        assert getattr(found, name)[0] == pytest.approx(getattr(target, name), rel=1e-12, abs=0.0), name
    near = 1e-12 * max(abs(target.level), target.deviation)
    np.testing.assert_allclose(found.off, target.off, rtol=1e-12, atol=near)
    np.testing.assert_allclose(found.late, target.errors, rtol=1e-12, atol=near)


@pytest.mark.parametrize(
    "y",
    [
        [3.0], [3.0, 4.0], [0.0] * 8, [5.0] * 7 + [6.0], [5.0] * 7 + [1e30], [1.0, 2.0, 3.0, 1e30],
        [1e300, -1e300, *range(20)], [1e9, 1e9 + 1.0, 1e9 - 2.0], [1e-100, 2e-100, 4e-100], [1e-200, 3e-200, 7e-200],
        [-1e-145, 2e-139, 5e-145], np.random.default_rng(2).normal(size=128), np.random.default_rng(3).pareto(0.3, 128),
    ],
)  # fmt: skip
def test_level_and_deviation_of_the_first_rows_are_those_of_the_definition(y):
    y = np.array(y, dtype=np.float64)
    level, deviation = module.level_of(y)
    expected = Target(y)
    assert (level, deviation) == (pytest.approx(expected.level, rel=1e-12), pytest.approx(expected.unit, rel=1e-12))
    assert np.isfinite(level) and 0.0 < deviation < np.inf


@pytest.mark.parametrize("kind", KINDS)
def test_units_follow_the_targets_as_defined(kind):
    y, rng = targets(kind, 1200), np.random.default_rng(4)  # more than level and deviation remember
    engine, target, _ = begun(y[:32])
    compare_targets(engine.target, target)
    units, happened = {target.unit}, []
    for value, weight in zip(y.tolist(), weights(len(y)), strict=True):
        prediction = target.level + target.unit * float(rng.normal())
        happened.append(target.follow(value, prediction, weight))
        if weight > 0.0:  # nobody calls it otherwise
            follow_target(engine.target, value, prediction, min(weight, 1.0))
        compare_targets(engine.target, target)
        units.add(target.unit)
    assert happened.count("step") > 1000
    assert ("jump" in happened) == (kind == "jumps")
    assert len(units) > 1 or kind not in ("jumps", "trend")


def consult(engine, target, mixture, experts):
    engine.logits[:, 0] = experts
    mix_numbers(engine)
    row = mixture.predict(experts, target)
    near = 1e-7 * row.unit
    np.testing.assert_allclose(engine.inputs, row.inputs, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(engine.q, np.concatenate([row.gates, row.experts]), rtol=1e-10, atol=near)
    assert engine.mixed[0] == pytest.approx(row.mixed, rel=1e-10, abs=near)
    return row


def compare(engine, mixture):
    np.testing.assert_allclose(engine.moments, mixture.A, rtol=1e-7, atol=1e-9)
    np.testing.assert_allclose(engine.sums, mixture.b, rtol=1e-7, atol=1e-9)
    np.testing.assert_allclose(engine.gates, mixture.w, rtol=1e-7, atol=1e-8)
    np.testing.assert_allclose(engine.trust, mixture.v, rtol=1e-7)
    np.testing.assert_allclose(engine.weights, mixture.V, rtol=1e-7)
    np.testing.assert_allclose(engine.losses, mixture.losses, rtol=1e-7)
    assert engine.scale[0] == pytest.approx(mixture.scale, rel=1e-9, abs=0.0)
    compare_counts(engine, mixture)


def compare_counts(engine, mixture):
    np.testing.assert_allclose(engine.errors, mixture.errors, rtol=1e-7)
    np.testing.assert_allclose(engine.recent, mixture.recent, rtol=1e-9)
    np.testing.assert_allclose(engine.large, mixture.border, rtol=1e-9)


@pytest.mark.parametrize("kind", KINDS)
def test_the_mixture_is_that_of_the_definition(kind):
    """Experts of all qualities; one of them now and then absurd."""
    y, rng = targets(kind, 300), np.random.default_rng(5)
    y = y.clip(-1e95, 1e95)  # beyond, squares are limited: see the test below
    engine, target, mixture = begun(y[:32])
    size = target.deviation
    compare(engine, mixture)
    for value, weight in zip(y.tolist(), weights(len(y)), strict=True):
        experts = value + size * np.array([0.1, 0.3, 0.5, 1.0, 2.0, 5.0, 30.0]) * rng.normal(size=EXPERTS)
        experts[3] = 2.0 * experts[3] - target.level  # wrong in a regular way
        if rng.random() < 0.02:
            experts[rng.integers(EXPERTS)] = size * rng.choice([1e12, -1e9])
        row = consult(engine, target, mixture, experts)
        mixture.learn(row, value, target, weight)
        target.follow(value, row.mixed, weight)
        if weight > 0.0:
            learn_numbers(engine, value, min(weight, 1.0))
            follow_target(engine.target, value, engine.mixed[0], min(weight, 1.0))
        compare(engine, mixture)
    assert mixture.V.sum() == pytest.approx(1.0) and np.isfinite(mixture.w).all()
    assert mixture.recent[0] == np.count_nonzero(weights(len(y)))


@pytest.mark.parametrize("value", [1e300, -1e300])
def test_absurd_numbers_leave_all_finite(value):
    engine, target, mixture = begun([1.0, 2.0, 4.0])
    engine.target.rows[0] = target.rows = 192  # the scale no longer moves by large steps
    for experts, y in ((np.linspace(1.0, 4.0, EXPERTS), value), (np.array([value, *range(6)]), 2.0)) * 10:
        row = consult(engine, target, mixture, experts)
        mixture.learn(row, y, target)
        learn_numbers(engine, y, 1.0)
        np.testing.assert_allclose(engine.gates, mixture.w, rtol=1e-7, atol=1e-8)
        np.testing.assert_allclose(engine.weights, mixture.V, rtol=1e-7)
    parts = (part for part in engine if isinstance(part, np.ndarray))
    assert all(np.isfinite(part).all() for part in parts) and engine.scale[0] < 5.0


def test_a_gate_does_not_leave_the_surroundings_of_the_experts():
    engine, target, mixture = begun([1.0, 2.0, 4.0])
    experts = np.linspace(1.0, 4.0, EXPERTS)
    engine.gates[:] = mixture.w[:] = np.array([[300.0] * EXPERTS, [-300.0] * EXPERTS])
    row = consult(engine, target, mixture, experts)
    assert row.gates.tolist() == [4.0 + 3.0 + 5.0 * row.unit, 1.0 - 3.0 - 5.0 * row.unit]


def test_the_unit_of_errors_is_not_below_rounding():
    """Experts that have been right to the last digit."""
    engine, target, mixture = begun([-500.0, 1500.0, 2000.0])
    engine.scale[0] = mixture.scale = 1e-20
    row = consult(engine, target, mixture, target.level + np.linspace(-1e-5, 2e-5, EXPERTS))
    assert row.unit == pytest.approx(1e-9 * (target.level + target.deviation), rel=1e-12)
    mixture.learn(row, target.level, target)
    learn_numbers(engine, target.level, 1.0)
    np.testing.assert_allclose(engine.weights, mixture.V, rtol=1e-7)
    np.testing.assert_allclose(engine.losses, mixture.losses, rtol=1e-7)


@pytest.mark.parametrize("trust", [1.0, 0.2])
def test_fixed_share_is_that_of_the_definition(trust):
    rng = np.random.default_rng(6)
    found = rng.dirichlet(np.ones(9))
    expected, values = found.copy(), rng.normal(size=9)
    for y in (0.0, 0.5, 1e30, -1e300, values[3]):
        expected = share_errors(expected, np.abs(y - values), 0.3, trust)
        fixed_share(found, values, y, 0.3, trust)
        np.testing.assert_allclose(found, expected, rtol=1e-12)
    assert found.sum() == pytest.approx(1.0, abs=1e-12) and found.min() >= 1e-3 * trust / 9 * (1.0 - 1e-12)


def test_errors_are_counted_as_defined():
    """Squares, large errors, and a border that a fifth of them is above in the end."""
    rng = np.random.default_rng(7)
    engine, target, mixture = begun(rng.normal(size=32))
    sizes = []
    for i, weight in enumerate(rng.choice([0.2, 1.0], size=3000).tolist()):
        y, experts, mixed = float(rng.normal()), rng.normal(size=EXPERTS), 0.1
        engine.logits[:, 0], engine.target.rows[0], target.rows = experts, i, i
        count_error(engine, y, abs(y - mixed), 0.999**weight, weight)
        mixture.count_error(y, Row(0.0, 1.0, experts, experts, experts[:2], mixed), target, weight)
        sizes.append(abs(y - mixed))
        if i % 100 == 0:
            compare_counts(engine, mixture)
        if i == 1024:
            assert module.Numbers().judge_anew(engine)
            mixture.border[0] = mixture.border[1]
    compare_counts(engine, mixture)
    assert engine.large[1] == pytest.approx(np.quantile(sizes, 0.8), rel=0.15)
    assert engine.errors[-1] < 1000.0


@pytest.mark.parametrize("kind", KINDS)
def test_tables_are_those_of_the_definition(kind):
    """Cells that collide, are one to the oracle too; both take the same residuals, so that rounding does not grow."""
    y, rng = targets(kind, 300), np.random.default_rng(8)
    X = np.column_stack([rng.normal(size=300), rng.integers(0, 3, 300), 5e3 + 900.0 * rng.normal(size=300)])
    engine, target, _ = begun(y[:32])
    cells, tables = cells_module.new_cells(3, 1), [Table(t, target.unit) for t in range(TABLES)]
    out, clipped = np.zeros(1), 0
    for x, value, weight in zip(X, y.tolist(), weights(300), strict=True):
        locate(cells, x)
        where, singles = cells.where.tolist(), int(cells.singles[0])
        alone, coarse, fine = where[:singles], where[7:10], where[10:]
        for t, (table, pairs) in enumerate(zip(tables, ([], coarse, fine, fine), strict=True)):
            names = alone + pairs
            if len(set(names)) < len(names):
                continue
            expected = table.predict(names, target.origin)
            add_up(cells, t, out)
            scores = [table.scores.get(name, 0.0) for name in names]
            found = out[0] * engine.target.base[0]  # scores of the engine are in units of the first deviation
            assert found == pytest.approx(sum(scores), rel=1e-4, abs=1e-5 * max(np.abs(scores).max(), table.width))
            lately = float(engine.target.late.min())
            table.learn(names, singles, value - expected, lately, weight)
            if weight > 0.0:
                filter_cells(engine, cells, t, value - expected, min(weight, 8.0))
                clipped += abs(value - expected) > max(7.5 * table.width, lately)
            assert engine.widths[t] == pytest.approx(table.width, rel=1e-9)
            for name in names:
                assert cells.slopes[t, name] - 1.0 == pytest.approx(table.counts.get(name, 0.0), rel=1e-4, abs=1e-5)
        if weight > 0.0:
            follow_units(cells, x)
            follow_target(engine.target, value, expected, min(weight, 1.0))
    assert (clipped > 0) == (kind in ("outliers", "jumps", "nearly constant"))


def test_a_table_steps_less_than_the_residual():
    engine, cells, out = module.new_number_mixture(MODELS, TABLES), cells_module.new_cells(4, 1), np.zeros(1)
    locate(cells, np.arange(0.5, 4.0))
    cells.where[:] = np.arange(len(cells.where))
    for t in range(TABLES):
        left = 1.0
        for weight in (0.2, 8.0, 1.0):
            filter_cells(engine, cells, t, left, weight)
            add_up(cells, t, out)
            assert 0.0 < 1.0 - out[0] <= left
            left = 1.0 - out[0]
