"""A part of `python -m benchmarks.attack`, seeded, in the run with array bounds checked too."""

import numpy as np
import pytest

from benchmarks.attack import calls, files


@pytest.mark.bounds
def test_altered_files():
    refused = [files.attack(np.random.default_rng([seed, 17]), ("bsgd", "bsgd half", "oskl")) for seed in range(400)]
    assert 200 < sum(refused) < 400


@pytest.mark.bounds
@pytest.mark.parametrize("name", ["bsgd", "oskl"])
def test_hostile_calls(name):
    refused = 0
    for seed in range(0, 500, 25):
        target = calls.Target(name, seed // 25 * 3)  # always a classifier
        for case in range(25):
            refused += target.attack(np.random.default_rng([seed + case, 17]))
    assert 150 < refused < 500
