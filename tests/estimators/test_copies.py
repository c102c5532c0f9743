"""Copies of rows, as after oversampling or joining tables: `fit` does not choose a model that learns them by heart."""

import numpy as np
import pytest

from kernelstream import KernelClassifier, KernelRegressor
from kernelstream.estimators.copies import MOST, without_copies

RNG = np.random.default_rng(11)
N = 600
X = RNG.normal(size=(2 * N, 3))
NOISY = (X[:, 0] > 0) ^ (RNG.random(2 * N) < 0.25)
FOUR = RNG.permutation(np.repeat(np.arange(N), 4))


def test_noise_is_not_learned_by_heart():
    once = KernelClassifier(random_state=0).fit(X[:N], NOISY[:N]).score(X[N:], NOISY[N:])
    copies = KernelClassifier(random_state=0).fit(X[FOUR], NOISY[FOUR]).score(X[N:], NOISY[N:])
    assert once > 0.68 and copies > once - 0.03  # 0.58 with the copies among the rows that judge


def test_noise_of_numbers_is_not_learned_by_heart():
    y = X[:, 0] + RNG.normal(size=2 * N)
    assert KernelRegressor(random_state=0).fit(X[FOUR], y[FOUR]).score(X[N:], y[N:]) > 0.4


def test_which_rows_are_copies():
    few = np.concatenate([X, X[:10]])
    assert len(without_copies(few, np.zeros((len(few), 1)), 0)) == len(few)
    twice = np.concatenate([X, X])
    assert without_copies(twice, np.zeros((len(twice), 1)), 0).tolist() == list(range(len(X)))
    assert len(without_copies(twice, RNG.normal(size=(len(twice), 1)), 0)) == len(twice)  # measured again
    cells = RNG.integers(0, 3, (2000, 2)).astype(float)
    labels = (RNG.random((2000, 1)) < 0.3).astype(float)
    assert len(without_copies(cells, labels, 0)) == 2000


@pytest.mark.parametrize("rows", [MOST, 2 * MOST])
def test_of_very_many_rows_some_are_looked_at(rows):
    same = np.zeros((rows, 2))
    assert without_copies(same, np.zeros((rows, 1)), 0).size == 1
