"""A tracker of numbers is the mixture of its definition, can be interrupted anywhere, and follows targets anywhere."""

import copy
import pickle

import numpy as np
import pytest

from kernelstream import recipes
from kernelstream.core.number_mixture import Numbers
from kernelstream.kernels import Gaussian
from kernelstream.losses import Huber
from kernelstream.tracking import Tracker, models_of, regret
from kernelstream.tracking.drift import BLOCK
from tests.reference.number_mixture import Mixture, Table, Target
from tests.tracking.streams import board, different, scaled

engine = pytest.mark.engine


def waves(rows, seed=0, noise=3.0):
    """Rows, and a number that depends on both features; 100 on average, with a deviation of 20."""
    X, rng = board(rows, seed=seed)[0], np.random.default_rng(seed)
    Z = scaled(X)
    return X, 100.0 + 25.0 * np.sin(2.0 * Z[:, 0]) * Z[:, 1] + 8.0 * Z[:, 0] + noise * rng.normal(size=rows)


def tracker(y=None, budget=40, seed=3):
    """For a stream whose first targets are these."""
    first = waves(64)[1] if y is None else np.asarray(y[:64], dtype=np.float64)
    recipe = recipes.default(Gaussian("scale"), Huber(2.0), budget=budget)
    X = scaled(board(128)[0])
    one = Tracker(models_of(recipe, X, np.zeros((len(X), 1)), 1, "float32", seed), Numbers())
    one.task.start(one.state.mixture, first)
    return one


def learn(one, x, y, weight=1.0):
    return one.learn_one(scaled(x), np.ascontiguousarray(x), 0, float(y), weight)


def run(one, X, y):
    """Test, then train; the predictions."""
    found = np.empty((len(X), 1))
    one.learn_many(scaled(X), np.ascontiguousarray(X), np.zeros(len(X), np.int64), y, np.ones(len(X)), found)
    return found[:, 0]


class Oracle:
    """The definition, but for the scores of kernel models: those are the engine's own. Cells are named by where the
    engine has them."""

    def __init__(self, first):
        self.target = Target(first)
        self.mixture = Mixture(7, self.target.unit, self.target.deviation)
        self.tables = [Table(t, self.target.unit) for t in range(4)]

    def predict(self, one, x):
        # two features: the shared cell, four of single features, one coarse pair and one fine
        where = one.state.cells.where.tolist()
        self.cells = [where[:5], where[:6], where[:5] + where[6:], where[:5] + where[6:]]
        models = [self.target.of_models(float(model.scores_one(scaled(x))[0])) for model in one.models]
        tables = [table.predict(own, self.target.origin) for table, own in zip(self.tables, self.cells, strict=True)]
        self.row = self.mixture.predict(models + tables, self.target)
        return self.row.mixed

    def learn(self, y, weight):
        self.mixture.learn(self.row, y, self.target, weight)
        for table, own, f in zip(self.tables, self.cells, self.row.experts[3:].tolist(), strict=True):
            table.learn(own, 5, y - f, min(self.target.errors), weight)
        self.target.follow(y, self.row.mixed, weight)

    def look_back(self, rows, alarm):
        """After a block of the detector, which is the engine's own."""
        if alarm or rows in (256, 512):
            self.mixture.border[0] = self.mixture.border[1]
        if alarm:
            for table in self.tables:
                table.counts.clear()  # the steps of the tables are long again


@engine
@pytest.mark.bounds
@pytest.mark.parametrize("kind", ["noise", "outliers", "jump", "growth", "constant"])
def test_the_prediction_is_that_of_the_definition(kind):
    X, y = waves(280, seed=1)
    y[::23] = y[::23] if kind != "outliers" else np.resize([1e300, -1e30, 1e6], len(y[::23]))
    y[80:] += 5e3 * (kind == "jump")
    y *= np.geomspace(1.0, 50.0, 280) if kind == "growth" else kind != "constant"
    rng, one, oracle = np.random.default_rng(2), tracker(y), Oracle(y[:64])
    for x, value in zip(X, y.tolist(), strict=True):
        weight = float(rng.choice([0.0, 0.2, 1.0, 3.0, 20.0], p=[0.1, 0.2, 0.5, 0.1, 0.1]))
        found = one.predict_one(scaled(x), x)
        expected = oracle.predict(one, x)
        assert found == pytest.approx(expected, rel=1e-6, abs=1e-4 * oracle.row.unit)
        target = oracle.target.for_models(value)
        oracle.learn(value, weight)
        alarms = len(one.drift)
        learn(one, x, value, weight)
        if one.rows % BLOCK == 0:
            oracle.look_back(one.rows, len(one.drift) > alarms)
        assert one.state.current.y[0, 0] == pytest.approx(target, rel=1e-6, abs=1e-9)
        assert one.state.current.weight[0] == min(weight, 8.0)
    mixture, target = one.state.mixture, one.state.mixture.target
    np.testing.assert_allclose(mixture.weights, oracle.mixture.V, rtol=1e-2)
    np.testing.assert_allclose(mixture.gates, oracle.mixture.w, rtol=1e-3, atol=1e-3)
    np.testing.assert_allclose(mixture.losses, oracle.mixture.losses, rtol=1e-3)
    np.testing.assert_allclose(mixture.widths, [table.width for table in oracle.tables], rtol=1e-4)
    np.testing.assert_allclose(mixture.large, oracle.mixture.border, rtol=1e-9)
    assert bool(one.drift) == (kind == "growth") and (oracle.target.level > 5e3) == (kind == "jump")
    assert mixture.scale[0] == pytest.approx(oracle.mixture.scale, rel=1e-4)
    for name in ("rows", "level", "square", "unit", "origin"):
        assert getattr(target, name)[0] == pytest.approx(getattr(oracle.target, name), rel=1e-9, abs=0.0), name
    assert one.models[0].n_support > 10 or kind == "constant"


@engine
@pytest.mark.parametrize("rows", [0, 1, 63, 64, 100, 257])
def test_interrupted_or_not(rows):
    """Pickled or copied after any row, it goes on bit for bit; also while a refit is under way."""
    X, y = waves(rows + 80, seed=2)
    one = tracker()
    run(one, X[:rows], y[:rows])
    again, other = pickle.loads(pickle.dumps(one)), copy.deepcopy(one)
    assert different(one, again) == different(one, other) == []
    for each in (one, again, other):
        run(each, X[rows:], y[rows:])
    assert different(one, again) == different(one, other) == []
    expected = one.predict_many(scaled(X), X).tobytes()
    assert again.predict_many(scaled(X), X).tobytes() == other.predict_many(scaled(X), X).tobytes() == expected


@engine
def test_predicting_changes_nothing():
    """Never, once before each row, or other rows in between: all learn the same. So do rows one by one or at once."""
    X, y = waves(130, seed=3)
    never, before, between, at_once = (tracker() for _ in range(4))
    for i, (x, value) in enumerate(zip(X, y, strict=True)):
        learn(never, x, value)
        before.predict_one(scaled(x), x)
        learn(before, x, value)
        for other in (x, X[i - 1], X[0]):
            between.predict_one(scaled(other), other)
        learn(between, x, value)
    run(at_once, X, y)
    assert different(never, before) == different(never, between) == different(never, at_once) == []


@engine
def test_a_weight_of_nothing_teaches_nothing():
    X, y = waves(100, seed=4)
    one = tracker()
    run(one, X, y)
    before = copy.deepcopy(one)
    learn(one, X[0], 1e6, 0.0)
    assert [name for name in different(one, before) if name.startswith((".mixture", ".cells"))] == []
    np.testing.assert_allclose(one.predict_many(scaled(X), X), before.predict_many(scaled(X), X), rtol=1e-3)


@engine
@pytest.mark.bounds
@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_a_row_that_is_not_finite_is_refused_and_nothing_changes(value):
    X, y = waves(70, seed=5)
    one = tracker()
    run(one, X[:69], y[:69])
    before, kept, bad = pickle.dumps(one), copy.deepcopy(one), np.array([X[69, 0], value])
    for x, raw in ((scaled(bad), bad), (scaled(X[69]), bad), (scaled(bad), X[69])):
        with pytest.raises(ValueError, match="not finite; the model is unchanged"):
            one.learn_one(x, raw, 0, 100.0)
        with pytest.raises(ValueError, match="not finite; the model is unchanged"):
            one.predict_one(x, raw)
        assert pickle.dumps(one) == before
    for each in (one, kept):
        learn(each, X[69], y[69])
    assert different(one, kept) == []


def test_numbers_are_learned():
    X, y = waves(3000, seed=6)
    one = tracker(budget=600)
    errors = np.abs(run(one, X, y) - y)[2000:]
    assert errors.mean() < 0.25 * np.abs(y - y.mean()).mean() and errors.mean() < 1.5 * 0.8 * 3.0


@pytest.mark.parametrize("outlier", [1e4, 1e30, -1e300])
def test_an_absurd_target_does_not_ruin_the_predictions(outlier):
    X, y = waves(1500, seed=7)
    plain, other, wrong = tracker(), tracker(), y.copy()
    wrong[[900, 1100, 1101, 1102]] = outlier
    expected, found = np.abs(run(plain, X, y) - y), np.abs(run(other, X, wrong) - y)
    assert found[901:1100].mean() < 1.25 * expected[901:1100].mean()
    assert found[1103:].mean() < 1.25 * expected[1103:].mean() and found.max() < 200.0


def test_a_trend_is_followed():
    """Targets leave where they began by 30 deviations; errors do not grow."""
    X, y = waves(4000, seed=8)
    one, risen = tracker(), y + 0.15 * np.arange(4000)
    errors = np.abs(run(one, X, risen) - risen)
    assert errors[3000:].mean() < 1.2 * errors[1000:2000].mean() < 10.0


def test_another_level_is_believed_after_a_few_rows():
    X, y = waves(1200, seed=9)
    y[600:] += 1e5
    errors = np.abs(run(tracker(), X, y) - y)
    assert errors[600:609].min() > 1e4 and errors[700:].mean() < 3.0 * errors[400:600].mean()


@pytest.mark.parametrize(
    ("factor", "shift"), [(1e-100, 0.0), (1e-30, 0.0), (1e12, 0.0), (1e90, 0.0), (-1.0, 0.0), (1.0, 1e9)]
)
def test_units_of_the_targets_do_not_matter(factor, shift):
    X, y = waves(700, seed=10, noise=10.0)
    moved = factor * y + shift
    expected, found = run(tracker(y), X, y), (run(tracker(moved), X, moved) - shift) / factor
    np.testing.assert_allclose(found, expected, atol=1e-3)


@pytest.mark.parametrize("seed", [11, 12])
def test_a_sudden_change_is_reported(seed):
    X, y = waves(4000, seed=seed)
    one = tracker(budget=600)
    run(one, X, np.where(np.arange(4000) < 3000, y, 200.0 - y))
    assert one.drift and 3000 < one.drift[0].row <= 3000 + 8 * BLOCK and one.drift[0].after > one.drift[0].before


@pytest.mark.parametrize("seed", range(6))
def test_nothing_is_reported_without_a_change(seed):
    one = tracker(budget=60)
    run(one, *waves(3000, seed=seed + 20))
    assert one.drift == []


def test_the_regret_that_is_promised_is_kept():
    """For the Laplace density of scale 2u, and the best sequence of two of the nine functions: a world is reversed."""
    X, y = waves(1200, seed=13)
    y = np.where(np.arange(1200) < 700, y, 200.0 - y)
    one, mixed, each = tracker(), [], []
    for x, value in zip(X, y.tolist(), strict=True):
        one.predict_one(scaled(x), x)
        m = one.state.mixture
        unit = max(1.25 * m.scale[0], 1e-9 * (np.sqrt(m.target.square[0]) + abs(m.target.level[0])) + 1e-290)
        likelihoods = np.exp(-0.5 * np.abs(value - m.q) / unit) / (4.0 * unit)
        mixed.append(-np.log(m.weights @ likelihoods))
        each.append(-np.log(likelihoods))
        learn(one, x, value)
    total, costs = np.sum(mixed), np.array(each)
    best = min(costs[:t].sum(axis=0).min() + costs[t:].sum(axis=0).min() for t in range(1, 1200))
    assert total - costs.sum(axis=0).min() <= regret(9, 1e-3, 1200, 0)
    assert total - best <= regret(9, 1e-3, 1200, 1)
    assert total < costs[:, 2:].sum(axis=0).min()  # the gates are better than any expert alone
