"""The mixture is that of its definition, row by row: probabilities, powers, weights, temperatures and losses."""

import math

import numpy as np
import pytest

from kernelstream.core import mixture as module
from properties.common import callable_from_python
from tests.reference.mixture import Mixture, share_out

pytestmark = pytest.mark.engine

MODELS, TABLES = 3, 4
mix, learn_mixture = callable_from_python(module.mix), callable_from_python(module.learn_mixture)
fixed_share = callable_from_python(module.share_out)


def scores_of(rng, classes, size=3.0):
    """Scores of all experts; a model of two classes has a single one."""
    models = [rng.normal(scale=size, size=1 if classes == 2 else classes) for _ in range(MODELS)]
    return models + [rng.normal(scale=size, size=classes) for _ in range(TABLES)]


def put(engine, scores):
    for e, found in enumerate(scores):
        engine.logits[e] = (0.0, found[0]) if len(found) == 1 else found


def compare(engine, oracle):
    np.testing.assert_allclose(engine.gates, oracle.powers, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(engine.weights, oracle.weights, rtol=1e-9)
    np.testing.assert_allclose(engine.heat, oracle.heat, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(engine.losses, oracle.losses, rtol=1e-9)


@pytest.mark.bounds
@pytest.mark.parametrize("classes", [2, 5])
def test_the_mixture_is_that_of_the_definition(classes):
    rng = np.random.default_rng(classes)
    engine, oracle = module.new_mixture(MODELS, TABLES, classes), Mixture(MODELS, TABLES)
    compare(engine, oracle)
    for _ in range(100):
        scores, y, weight = scores_of(rng, classes), int(rng.integers(classes)), float(rng.choice([0.01, 0.5, 1.0]))
        put(engine, scores)
        mix(engine)
        row = oracle.predict(scores)
        np.testing.assert_allclose(engine.p, row.experts, rtol=1e-9)
        np.testing.assert_allclose(engine.q, np.concatenate([row.gates, row.experts]), rtol=1e-9)
        np.testing.assert_allclose(engine.mixed, row.mixed, rtol=1e-9)
        assert engine.mixed.sum() == pytest.approx(1.0, abs=1e-12)
        learn_mixture(engine, y, weight)
        oracle.learn(row, y, weight)
        compare(engine, oracle)


@pytest.mark.parametrize("y", [0, 1])
def test_the_limits_are_those_of_the_definition(y):
    """Powers and temperatures near their limits, and experts that are right or wrong by a lot."""
    scores = [np.array([s]) for s in (40.0, -40.0, 0.1)] + [np.array([0.0, s]) for s in (30.0, -30.0, 500.0, -2000.0)]
    engine, oracle = module.new_mixture(MODELS, TABLES, 2), Mixture(MODELS, TABLES)
    engine.gates[:] = oracle.powers[:] = np.array([[7.9999] * 7, [-7.9999] * 7])
    engine.heat[:] = oracle.heat[:] = (-2.99, -2.99, 2.9999)
    for _ in range(3):
        put(engine, scores)
        mix(engine)
        row = oracle.predict(scores)
        np.testing.assert_allclose(engine.mixed, row.mixed, rtol=1e-9)
        learn_mixture(engine, y, 1.0)
        oracle.learn(row, y)
        compare(engine, oracle)
    assert -8.0 in engine.gates or 8.0 in engine.gates
    assert -3.0 in engine.heat or 3.0 in engine.heat


def test_recent_rows_are_counted_with_their_mistakes_and_losses():
    rng = np.random.default_rng(1)
    engine, mistakes, loss = module.new_mixture(MODELS, TABLES, 3), 0, 0.0
    for _ in range(50):
        put(engine, scores_of(rng, 3))
        mix(engine)
        y = int(rng.integers(3))
        mistakes += int(engine.mixed.argmax() != y)
        loss -= math.log(engine.mixed[y])
        learn_mixture(engine, y, 1.0)
    assert engine.recent[:2].tolist() == [50, mistakes]
    assert engine.recent[2] == pytest.approx(loss)


@pytest.mark.parametrize("trust", [1.0, 0.3])
def test_fixed_share_is_that_of_the_definition(trust):
    rng = np.random.default_rng(2)
    weights = rng.dirichlet(np.ones(6))
    q, expected = rng.uniform(1e-6, 1.0, size=(6, 4)), weights
    for index in (0, 3, 1):
        expected = share_out(expected, q[:, index], 0.05, trust)
        fixed_share(weights, q, index, trust, 0.05)
        np.testing.assert_allclose(weights, expected, rtol=1e-12)
    assert weights.sum() == pytest.approx(1.0, abs=1e-12) and weights.min() >= 0.05 * trust / 6
