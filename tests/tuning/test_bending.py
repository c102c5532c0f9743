"""Columns that bend: their maps, the gradient at their knots, and when `choose` takes them."""

import numpy as np
import pytest

from kernelstream.tuning import choice, choose, folds
from kernelstream.tuning.bending import Bending, bent_map
from kernelstream.tuning.bent_columns import BentColumns
from kernelstream.tuning.losses_of_task import TunedTask
from kernelstream.tuning.rank_columns import scaled, standardised
from tests.reference import tuning as reference

KINDS = {"numbers": (False, 1), "two classes": (True, 1), "three classes": (True, 3)}


def rows(n=60, seed=0):
    """A flag, a skewed feature and a plain one."""
    rng = np.random.default_rng(seed)
    return np.column_stack([rng.integers(0, 2, n), np.exp(1.5 * rng.normal(size=n)), rng.normal(size=n)])


def columns(X):
    straight = standardised(X)
    return scaled(straight, np.linspace(0.3, 0.9, straight.width))


def test_bent_columns_start_as_the_sum_of_those_that_they_replace():
    X = rows()
    own = columns(X)
    assert [rank.source for rank in own.ranks] == [1]
    bent = BentColumns(own, X)
    assert bent.sources == [1, 2]
    found, before = bent.feature_map(np.exp(bent.scales), bent.rises).transform(X), own.transform(X)
    np.testing.assert_allclose(found[:, 0], before[:, 0])
    np.testing.assert_allclose(found[:, 1:3], 0.0, atol=1e-10)
    np.testing.assert_allclose(found[:, 3:], np.column_stack([before[:, 1] + before[:, 3], before[:, 2]]), atol=1e-9)


def test_the_map_gives_the_columns_that_were_learned_with():
    X = rows()
    bent = BentColumns(columns(X), X)
    rng = np.random.default_rng(1)
    scales, rises = rng.uniform(0.2, 2.0, 3), rng.normal(size=len(bent.rises))  # up and down
    other = rows(200, seed=2)  # some beyond the knots
    learned = bent.rows(bent.place(other), scales, bent.values(rises))
    np.testing.assert_allclose(bent.feature_map(scales, rises).transform(other), learned, rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("kind", KINDS)
def test_value_and_gradient_are_those_of_the_exact_minimum(kind):
    hinge, outputs = KINDS[kind]
    X, rng, lam = rows(), np.random.default_rng(3), 1e-2
    T = np.column_stack([np.sin(X[:, 2] + c) * (X[:, 0] + 0.5) for c in range(outputs)]) + rng.normal(
        size=(60, outputs)
    )
    T = (np.where(T > 0.0, 1.0, -1.0) if hinge else T).astype(np.float32)
    descent = Bending(TunedTask(hinge), BentColumns(columns(X), X), X, T, X[:7], lam, X, T)
    start = np.concatenate([descent.start, np.zeros(descent.Z.size)])
    start[1:3] = -1.0  # straight columns that count beside the bent ones
    start += 0.1 * rng.normal(size=len(start))

    def exact(point):
        scales, values, Z = descent.placed(point)
        mapped = descent.columns.rows(descent.learned, scales, values)
        return reference.objective(np.zeros(mapped.shape[1]), Z, mapped, T, lam, hinge) / len(X)

    for _ in range(200):
        value, slope = descent(start)
    assert value == pytest.approx(exact(start), rel=1e-4)
    bent = len(descent.start)
    for part in (slice(0, 3), slice(3, 3 + 64), slice(3 + 64, bent), slice(bent, None)):
        way = np.zeros(len(start))
        way[part] = slope[part] / np.linalg.norm(slope[part])
        step = 0.02
        wanted = (exact(start + step * way) - exact(start - step * way)) / (2.0 * step)
        assert slope @ way == pytest.approx(wanted, rel=2e-2)


def steps(n, seed=0):
    """Labels by the side of 0 of the first feature times the second, which has no effect of its own."""
    X = np.random.default_rng(seed).normal(size=(n, 6))
    return X, np.where(np.sign(X[:, 0]) * X[:, 1] + 0.5 * X[:, 2] > 0.0, 1.0, -1.0)[:, None]


def test_a_column_learns_the_step_of_the_target():
    X, T = steps(3000)
    found = bent_map(TunedTask(True), standardised(X), (X[:2400], T[:2400]), (X[2400:], T[2400:]), 100, 1e-3)
    across, beside = (np.array([[low, *np.zeros(5)], [low + 0.2, *np.zeros(5)]]) for low in (-0.1, 0.7))
    jump, other = (np.abs(np.diff(found.transform(x), axis=0)).max() for x in (across, beside))
    assert jump > 2.0 * other


def test_without_numbers_nothing_bends():
    X = np.random.default_rng(0).integers(0, 2, (300, 3)).astype(float)
    T = np.where(X[:, :1] > 0.0, 1.0, -1.0)
    assert bent_map(TunedTask(True), standardised(X), (X[:200], T[:200]), (X[200:], T[200:]), 20, 1e-3) is None


def test_nothing_bends_that_does_not_come_below_the_loss_of_its_rival():
    X, T = steps(1000)
    given = TunedTask(True), standardised(X), (X[:800], T[:800]), (X[800:], T[800:]), 50, 1e-3
    assert bent_map(*given, 0.0) is None and bent_map(*given, 100.0) is not None


def chosen(X, T, monkeypatch, **more):
    """With a search of fewer rows."""
    monkeypatch.setattr(choice, "ROWS", 1500)
    monkeypatch.setattr(folds, "SMALL", 1000)

    def find(columns, rows):
        return columns[np.random.default_rng(0).permutation(len(columns))[:60]]

    return choose(TunedTask(True), X, T, find, np.random.default_rng(0), **more)


def test_many_rows_with_steps_take_columns_that_bend(monkeypatch):
    X, T = steps(6000, seed=4)
    found = chosen(X, T, monkeypatch)
    assert found.name == "bent" and found.lam in choice.LAMS
    plain = chosen(X, T, monkeypatch, ranks=False)
    assert plain.name != "bent" and not plain.map.ranks and found.loss < 0.9 * plain.loss
    assert chosen(X[:3000], T[:3000], monkeypatch).name == "bent"  # no row is beyond those of the search and its judges
    assert chosen(X[:900], T[:900], monkeypatch).name != "bent"  # few rows, which three folds share


def test_without_a_sure_gain_columns_stay_straight(monkeypatch):
    X = np.random.default_rng(1).normal(size=(6000, 4))
    noise = np.random.default_rng(2).normal(size=6000)
    T = np.where(X[:, 0] - X[:, 1] + noise > 0.0, 1.0, -1.0)[:, None]
    assert chosen(X, T, monkeypatch).name != "bent"


@pytest.mark.parametrize("pays", [True, False])
def test_the_descent_is_the_rival_of_bending_and_finer_scales_are_judged_where_more_centres_pay(pays, monkeypatch):
    X, T = steps(2000)
    found, bent, judged_thetas, finest = [], [], [], np.full(6, 0.123)
    descend, judge = choice.coarse_to_fine, choice.judged
    monkeypatch.setattr(
        choice, "coarse_to_fine", lambda *given: found.append(descend(*given)._replace(pays=pays)) or found[-1]
    )
    monkeypatch.setattr(choice, "finer", lambda *given: finest)
    monkeypatch.setattr(choice, "bent_map", lambda *given: bent.append(given[-1]))
    monkeypatch.setattr(
        choice,
        "judged",
        lambda task, A, T, thetas, *more: judged_thetas.extend(thetas) or judge(task, A, T, thetas, *more),
    )
    chosen(X, T, monkeypatch)
    assert bent == [min(own.found.loss for own in found)]
    assert any(theta is finest for theta in judged_thetas) == pays
