"""A descent with few rows and centres, then with all of them while that pays."""

import numpy as np
import pytest

from kernelstream.tuning import coarse_to_fine as stages
from kernelstream.tuning.coarse_to_fine import coarse_to_fine, finer
from kernelstream.tuning.descent import Descent
from kernelstream.tuning.folds import Fold
from kernelstream.tuning.losses_of_task import TunedTask


def rows(wiggles, n=900, seed=0):
    X = np.random.default_rng(seed).uniform(-1.7, 1.7, (n, 3)).astype(np.float32)
    return X, np.sin(wiggles * X[:, :1]).astype(np.float32)


@pytest.fixture
def sizes(monkeypatch):
    """(rows, centres) of the descents that are run."""
    found, run = [], Descent.run
    monkeypatch.setattr(stages, "ROWS", 300)
    monkeypatch.setattr(stages, "CENTRES", 10)
    monkeypatch.setattr(
        Descent, "run", lambda self, *given: found.append((len(self.X), len(self.Z))) or run(self, *given)
    )
    return found


def descended(X, T, centres):
    order = np.arange(len(X))
    fold = Fold(order[:600], order[600:], order[:centres])
    return coarse_to_fine(TunedTask(False), X, T, fold, np.full(3, -1.0), 1e-4), fold


def test_all_rows_and_centres_follow_the_few(sizes):
    X, T = rows(6.0)
    both, _ = descended(X, T, 60)
    assert sizes == [(300, 10), (600, 60)]
    few, _ = descended(X, T, 10)
    assert sizes[2:] == [(300, 10)]  # there are no more centres
    assert both.found.loss < 0.5 * few.found.loss and both.found.steps > few.found.steps
    assert both.found.theta[0] > both.found.theta[1:].max()
    assert both.pays and not few.pays and both.lam == few.lam == 1e-4


def test_the_coarse_scales_stand_if_more_centres_bring_nothing(sizes, monkeypatch):
    X, T = rows(1.0)
    run = Descent.run

    def worse(self, *given):
        found = run(self, *given)
        return found if len(self.Z) == 10 else found._replace(loss=2.0 * given[3], theta=found.theta + 1.0)

    monkeypatch.setattr(Descent, "run", worse)
    both, _ = descended(X, T, 60)
    few, _ = descended(X, T, 10)
    assert both.found.loss == few.found.loss and not both.pays
    np.testing.assert_array_equal(both.found.theta, few.found.theta)


def test_more_centres_that_stay_make_finer_scales(monkeypatch):
    X, T = rows(6.0)
    scales, fold = descended(X, T, 60)
    wide = scales._replace(found=scales.found._replace(theta=scales.found.theta - 1.5))
    asked, call = [], Descent.__call__
    monkeypatch.setattr(stages, "FINER_CENTRES", 120)
    monkeypatch.setattr(
        Descent, "__call__", lambda self, point: asked.append((len(self.Z), len(point))) or call(self, point)
    )
    found = finer(TunedTask(False), X, T, fold, wide)
    assert set(asked) == {(120, 3)}  # 120 centres, and no place of theirs among what is varied
    assert found[0] > wide.found.theta[0] + 0.3
