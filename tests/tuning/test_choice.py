"""Scales, ranks and λ chosen for some rows, with random rows as support vectors."""

import numpy as np
import pytest

from kernelstream.tuning import choose
from kernelstream.tuning.choice import LAMS
from kernelstream.tuning.losses_of_task import TunedTask
from tests.tuning.data import eight, numbers


def find(columns, rows):
    """Cheap: random rows, always the same."""
    return columns[np.random.default_rng(0).permutation(len(columns))[:60]]


def signs(y):
    """One column for two classes, one for each of more."""
    if y.max() == 1:
        return np.where(y == 1, 1.0, -1.0)[:, None]
    return np.where(np.arange(y.max() + 1) == y[:, None], 1.0, -1.0)


def standard(y):
    return ((y - y.mean()) / y.std())[:, None]


def chosen(X, T, hinge=True, seed=0, **more):
    return choose(TunedTask(hinge), X, T, find, np.random.default_rng(seed), **more)


@pytest.mark.parametrize("classes", [2, 3, None])
def test_features_that_say_nothing_get_small_scales(classes):
    X, y = eight(1200, classes=classes) if classes else numbers(1200)
    found = chosen(X, signs(y) if classes else standard(y), hinge=classes is not None)
    assert found.name != "usual" and found.lam in LAMS
    scales = found.map.factor * X.std(axis=0)
    assert scales[:2].min() > 5.0 * scales[2:].max()


def test_a_skewed_feature_is_seen_through_its_ranks():
    S = np.random.default_rng(1).normal(size=(1500, 3))
    X, y = np.column_stack([np.exp(2.0 * S[:, 0]), S[:, 1:]]), np.sin(3.0 * S[:, 0]) + 0.5 * S[:, 1] > 0.0
    found = chosen(X, signs(y.astype(int)))
    (rank,) = found.map.ranks
    assert rank.source == 0
    # a row in the middle is moved farther by its rank than by its value
    low, high = np.quantile(X[:, 0], [0.25, 0.75])
    moved = np.abs(np.diff(found.map.transform([[low, 0.0, 0.0], [high, 0.0, 0.0]]), axis=0))[0]
    assert moved[3] > 5.0 * moved[0]


def test_the_same_seed_chooses_the_same():
    X, y = eight(700)
    first, second = chosen(X, signs(y)), chosen(X, signs(y))
    assert first == second and first.map is not second.map
    assert chosen(X, signs(y), seed=1).map != first.map


def test_a_given_lam_is_kept():
    X, y = eight(700)
    assert chosen(X, signs(y), lam=3e-4).lam == 3e-4


def test_neither_rows_nor_targets_are_changed():
    X, y = eight(700)
    T = signs(y)
    before = X.copy(), T.copy()
    chosen(X, T)
    np.testing.assert_array_equal(X, before[0])
    np.testing.assert_array_equal(T, before[1])


def test_units_and_offsets_do_not_matter():
    X, y = eight(700)
    units = np.array([1e6, 1e-6, 1.0, 1e6, 1e-6, 1.0, 1e3, 1.0])
    plain, other = chosen(X, signs(y)), chosen(X * units + 5.0 * units, signs(y))
    # the usual width is another one then, but it does not win
    assert plain.name == other.name
    np.testing.assert_allclose(other.map.transform(X * units + 5.0 * units), plain.map.transform(X), atol=1e-3)


def test_a_constant_feature_is_no_trouble():
    X, y = eight(700)
    X[:, 5] = 3.0
    found = chosen(X, signs(y))
    assert np.isfinite(found.map.factor).all() and np.isfinite(found.map.transform(X)).all()


def test_rows_beyond_the_search_only_judge(monkeypatch):
    monkeypatch.setattr("kernelstream.tuning.choice.ROWS", 600)
    X, y = eight(1000)
    asked = []

    def noted(columns, rows):
        asked.append(rows)
        return find(columns, rows)

    choose(TunedTask(True), X, signs(y), noted, np.random.default_rng(0))
    searched = np.random.default_rng(0).permutation(1000)[:600]
    assert np.isin(np.concatenate(asked), searched).all()
