"""BPA-S, BPA-NN and BPA-P: every iterate of the engine against the transcription."""

import numpy as np
import pytest

from kernelstream import Model, recipes
from properties.common import pure_only
from tests.catalogue import data

from . import budget_passive_aggressive as bpa
from .comparing import GAUSSIAN, POLYNOMIAL, SEEDS, assert_same_iterates, begin, gaussian, polynomial

SCHEMES = {"simple": "simple", "nearest": "nearest", "project": "projection"}

every_seed = pytest.mark.parametrize("seed", SEEDS)
every_variant = pytest.mark.parametrize("variant", SCHEMES)


@pure_only
@every_seed
@every_variant
@pytest.mark.parametrize("C", [0.1, 5.0])
def test_bpa(C, variant, seed):
    model, X, y, _ = begin(recipes.bpa(GAUSSIAN, C, 8, variant), "binary", 80, seed)
    steps = bpa.run(X, y, gaussian, 8, C, SCHEMES[variant])
    assert sum(len(step.support) == 8 for step in steps) > 40
    assert_same_iterates(model, X, y, steps)


@pure_only
@every_seed
@every_variant
def test_bpa_with_a_kernel_that_is_not_radial(variant, seed):
    """On rows of equal length "nearest" has one meaning: by distance, by kernel value and by correlation are the same.

    Elsewhere the paper leaves it open: the engine takes the most correlated, the transcription the least distant.
    """
    X, y, _ = data("binary", 60, seed)
    X = 1.5 * X / np.linalg.norm(X, axis=1, keepdims=True)
    model = Model.from_recipe(recipes.bpa(POLYNOMIAL, 0.4, 6, variant), X, y, dtype="float64")
    steps = bpa.run(X, y, polynomial, 6, 0.4, SCHEMES[variant])
    assert sum(len(step.support) == 6 for step in steps) > 30
    assert_same_iterates(model, X, y, steps)
