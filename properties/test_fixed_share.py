"""The regret bound of fixed share holds for every sequence of predictions, and the weights are those of Bayes' rule."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernelstream.core import mixture
from kernelstream.tracking import regret
from properties.common import callable_from_python, examples, seeds

pytestmark = pytest.mark.engine

share_out = callable_from_python(mixture.share_out)


def losses_of(rows, share):
    """Log-loss of the mixture, row by row."""
    weights, found = np.full(rows.shape[1], 1.0 / rows.shape[1]), []
    for row in rows:
        found.append(-math.log(float(weights @ row)))
        share_out(weights, row[:, None].copy(), 0, 1.0, share)
    return np.array(found)


def best_with(rows, changes):
    """The least log-loss of a sequence of experts with at most this many changes, by dynamic programming."""
    costs, count = -np.log(rows), rows.shape[1]
    best = np.tile(costs[0], (changes + 1, 1))
    for cost in costs[1:]:
        other = np.vstack([np.full((1, count), np.inf), best[:-1].min(axis=1, keepdims=True).repeat(count, 1)])
        best = np.minimum(best, other) + cost
    return float(best.min())


@given(seeds)
@examples(20)
def test_the_best_sequence_is_that_of_all_sequences(seed):
    rows = np.random.default_rng(seed).uniform(0.01, 1.0, size=(5, 3))
    for changes in range(4):
        least = min(
            -sum(math.log(row[i]) for row, i in zip(rows, sequence, strict=True))
            for sequence in itertools.product(range(3), repeat=5)
            if sum(a != b for a, b in itertools.pairwise(sequence)) <= changes
        )
        assert best_with(rows, changes) == pytest.approx(least)


@given(seeds, st.integers(2, 9), st.integers(2, 60), st.integers(0, 3), st.sampled_from([1e-3, 0.05, 0.3]))
@examples(60)
def test_regret_is_bounded_for_any_predictions(seed, experts, rows, changes, share):
    given_ = np.random.default_rng(seed).beta(0.3, 0.3, size=(rows, experts)).clip(1e-6, 1.0)
    changes = min(changes, rows - 1)
    excess = losses_of(given_, share).sum() - best_with(given_, changes)
    # with fewer changes the bound is smaller: what is best with k at most is held against that with k
    assert excess <= regret(experts, share, rows, changes) + 1e-9


@given(seeds)
@examples(20)
def test_it_is_the_bayesian_mixture_over_all_sequences(seed):
    """Each sequence of experts has the prior probability 1/N, times 1 − α + α/N for a row without a change and α/N for
    one with."""
    rows, share, count = np.random.default_rng(seed).uniform(0.05, 1.0, size=(5, 3)), 0.2, 3
    total = 0.0
    for sequence in itertools.product(range(count), repeat=len(rows)):
        prior = 1.0 / count
        for a, b in itertools.pairwise(sequence):
            prior *= (1.0 - share) * (a == b) + share / count
        total += prior * np.prod([row[i] for row, i in zip(rows, sequence, strict=True)])
    assert losses_of(rows, share).sum() == pytest.approx(-math.log(total), rel=1e-9)


@given(seeds, st.integers(2, 9), st.floats(0.0, 1.0), st.sampled_from([1e-3, 0.3]))
@examples(60)
def test_weights_stay_probabilities(seed, experts, trust, share):
    rng = np.random.default_rng(seed)
    weights = rng.dirichlet(np.full(experts, 0.1)).clip(1e-12)
    weights /= weights.sum()
    likelihoods = 10.0 ** rng.uniform(-7.0, 0.0, size=(experts, 1))
    share_out(weights, likelihoods, 0, trust, share)
    assert weights.sum() == pytest.approx(1.0) and weights.min() >= share * trust / experts * (1.0 - 1e-12)


def test_the_bound_is_nearly_reached():
    """Experts that are alike but for one change: the loss is the price of finding out."""
    rows = np.full((400, 4), 1e-9)
    rows[:200, 0] = rows[200:, 1] = 1.0
    excess = losses_of(rows, 0.01).sum()
    bound = regret(4, 0.01, 400, 1)
    assert 0.9 * bound < excess <= bound
