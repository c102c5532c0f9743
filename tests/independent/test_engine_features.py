"""FOGD: the engine's frequencies and features against the kernel, every iterate against the transcription."""

import math

import numpy as np
import pytest
from scipy import stats

from kernelstream import Model, losses, recipes
from kernelstream.steps import Constant
from properties.common import function_of, pure_only

from .comparing import SEEDS, begin, gaussian
from .random_features import feature_map, predict, run

LOSSES = [
    ("binary", "hinge", losses.Hinge()),
    ("binary", "logistic", losses.Logistic()),
    ("values", "l2", losses.Squared()),
    ("vector", "l2", losses.Squared()),
    ("classes", "hinge", losses.CrammerSinger()),
    ("classes", "logistic", losses.Multinomial()),
]


def frequencies_of(model):
    """ω_1 … ω_D, which are stored twice where support vectors are stored: for the cosines and for the sines."""
    points, _ = function_of(model)
    half = len(points) // 2
    np.testing.assert_array_equal(points[:half], points[half:])
    return points[:half]


@pure_only
@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("power", [0.0, 0.5])
@pytest.mark.parametrize("task, name, loss", LOSSES)
def test_fogd(task, name, loss, power, seed):
    recipe = recipes.fogd(0.8, 11, loss, 0.6)
    model, X, y, outputs = begin(recipe if power else recipe.replace(step=Constant(0.6)), task, 60, seed)
    frequencies = frequencies_of(model)
    for x, target, theirs in zip(X, y, run(X, y, frequencies, 0.6, name, outputs, power), strict=True):
        model.learn_one(x, target)
        _, weights = function_of(model)
        largest = np.abs(theirs.weights).max()
        np.testing.assert_allclose(weights, theirs.weights, rtol=1e-9, atol=1e-9 * largest)
        np.testing.assert_allclose(model.scores_one(x), predict(theirs, x, frequencies), rtol=1e-9, atol=1e-9 * largest)


@pytest.mark.parametrize("gamma", [0.05, 0.8, 6.0])
def test_frequencies_are_normal_with_variance_two_gamma(gamma):
    X = np.zeros((1, 4))
    model = Model.from_recipe(recipes.fogd(gamma, 3000), X, np.ones(1), dtype="float64", seed=1)
    drawn = frequencies_of(model) / math.sqrt(2 * gamma)
    assert drawn.shape == (3000, 4)
    assert stats.kstest(drawn.ravel(), "norm").pvalue > 1e-3
    off_diagonal = np.corrcoef(np.hstack([drawn, drawn**2]).T) - np.eye(8)
    assert np.abs(off_diagonal).max() < 5 / math.sqrt(3000)  # coordinates of one ω, and their sizes, are independent
    assert abs(np.corrcoef(drawn[:-1].ravel(), drawn[1:].ravel())[0, 1]) < 5 / math.sqrt(12000)


@pytest.mark.parametrize("seed", SEEDS)
def test_features_are_those_of_the_kernel(seed):
    X = np.random.default_rng(seed).normal(size=(7, 3))
    model = Model.from_recipe(recipes.fogd(0.8, 4000), X, np.ones(7), dtype="float64", seed=seed)
    frequencies = frequencies_of(model)
    features = model.recipe.kernel(X, function_of(model)[0])
    np.testing.assert_allclose(features, [feature_map(x, frequencies) for x in X], rtol=1e-9, atol=1e-12)
    wanted = np.array([[gaussian(x, z, 0.8) for z in X] for x in X])
    # the variance of one cosine is (1 − κ²)²/2
    assert np.all(np.abs(features @ features.T - wanted) <= 5 * (1 - wanted**2) / math.sqrt(2 * 4000) + 1e-12)
