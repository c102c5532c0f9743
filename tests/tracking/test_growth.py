"""More features and more classes: what was learned stays, and new classes are nowhere predicted at first."""

import copy

import numpy as np
import pytest

from kernelstream.core.cells import table_size
from kernelstream.core.mixture import Labels
from kernelstream.core.panel import new_panel
from kernelstream.model.targets import new_outputs
from kernelstream.tracking.growth import NEW_CLASS, grown
from tests.tracking.streams import BUFFERS, board, different, learn, leaves, recipe_for, run, scaled, tracker

pytestmark = pytest.mark.engine


def widened(X, features):
    return np.hstack([X, np.zeros((len(X), features - X.shape[1]))])


def expanded(one, classes, features):
    recipe = recipe_for(classes)
    outputs = 1 if classes == 2 else classes
    return one.expand(recipe, features, new_outputs(one.n_outputs, outputs, recipe.loss.gap))


def cells_of(one):
    """Where the current row's cells are."""
    cells = one.state.cells
    return cells.where[: cells.singles[0]].tolist() + cells.where[1 + 2 * one.n_features :].tolist()


def collides(one, wide):
    """Whether a cell that a new feature adds to the current row is one that has been learned already."""
    old, new = cells_of(one), cells_of(wide)
    for place in old:
        new.remove(place)
    return bool(wide.state.cells.scores[:, new].any())


@pytest.mark.bounds
@pytest.mark.parametrize(("classes", "features"), [(2, 3), (3, 4)])
def test_new_features_change_no_prediction(classes, features):
    """Except where a cell of theirs collides with another."""
    X, cell = board(200, seed=1, classes=classes)
    one = tracker(classes)
    run(one, X, cell)
    wide, alike = expanded(one, classes, features), 0
    assert wide.n_features == features and wide.rows == 200
    for x in X:
        before, row = one.predict_one(scaled(x), x), widened(x[None], features)[0]
        after = wide.predict_one(widened(scaled(x)[None], features)[0], row)
        if not collides(one, wide):
            alike += 1
            np.testing.assert_allclose(after, before, rtol=1e-5, atol=1e-6)
    assert alike > 100


@pytest.mark.parametrize("features", [3, 20])
def test_the_old_tracker_is_another(features):
    X, cell = board(100, seed=2)
    one = tracker()
    run(one, X, cell)
    kept, wide = copy.deepcopy(one), expanded(one, 2, features)
    run(wide, np.hstack([X, np.random.default_rng(2).normal(size=(100, features - 2))]), cell)
    assert different(one, kept) == [] and wide.rows == 200


def test_a_new_feature_was_zero_before():
    """Mean and deviation of a feature that comes late are those of a column that begins with zeros."""
    X, cell = board(100, seed=3)
    one = tracker()
    run(one, X, cell)
    wide = expanded(one, 2, 3)
    late = np.hstack([X, np.full((100, 1), 8.0)])
    run(wide, late, cell)
    column = np.repeat([0.0, 8.0], 100)
    cells = wide.state.cells
    assert cells.mean[2] == pytest.approx(column.mean(), rel=1e-3)
    assert np.sqrt(cells.squares[2] / cells.rows[0]) == pytest.approx(column.std(), rel=1e-3)


@pytest.mark.bounds
@pytest.mark.parametrize(("before", "after"), [(2, 3), (3, 5), (16, 17)])
def test_a_new_class_is_nowhere_predicted_and_tables_keep_the_order_of_the_others(before, after):
    X, cell = board(200, seed=4, classes=before)
    one = tracker(before)
    run(one, X, cell)
    more = expanded(one, after, 2)
    assert more.n_outputs == after
    for x in X:
        one.predict_one(scaled(x), x)
        p = more.predict_one(scaled(x), x)
        assert p.sum() == pytest.approx(1.0, abs=1e-12) and p.argmax() < before
        old, new = (each.state.mixture.logits[3:] for each in (one, more))
        assert (new[:, :before].argmax(axis=1) == old.argmax(axis=1)).mean() >= 0.75


@pytest.mark.parametrize(("before", "after"), [(2, 3), (3, 5), (16, 17)])
def test_clear_predictions_stay_when_a_class_comes(before, after):
    X, cell = board(300, seed=4, classes=before)
    one = tracker(before, budget=80)
    run(one, X, cell)
    old, new = (each.predict_many(scaled(X), X) for each in (one, expanded(one, after, 2)))
    highest = np.sort(old, axis=1)
    clear = highest[:, -1] - highest[:, -2] > 0.2
    assert clear.mean() > 0.5
    assert (new[clear].argmax(axis=1) == old[clear].argmax(axis=1)).mean() > 0.98


def test_a_new_class_is_learned():
    X, cell = board(500, seed=5)
    one = tracker()
    run(one, X[:200], cell[:200])
    more = expanded(one, 3, 2)
    cell[scaled(X)[:, 0] > 0.9] = 2
    run(more, X[200:], cell[200:])
    p = more.predict_many(scaled(X), X)
    assert (p[cell == 2].argmax(axis=1) == 2).mean() > 0.8


def test_neighbouring_cells_become_one_when_tables_shrink():
    """The hash functions keep the order of cells: the cells 2i and 2i + 1 of the larger table are i in the smaller."""
    assert (table_size(16), table_size(17)) == (16384, 8192)
    old, rng = new_panel(Labels(), 2, 16, np.float32), np.random.default_rng(6)
    old.cells.scores[:] = rng.normal(size=old.cells.scores.shape)
    old.cells.slopes[:] = rng.uniform(1.0, 9.0, size=old.cells.slopes.shape)
    new = grown(Labels(), old, 2, 17, np.float32)
    assert new.cells.scores.shape == (4, 8192, 17)
    both = old.cells.scores[:, ::2] + old.cells.scores[:, 1::2]
    np.testing.assert_allclose(new.cells.scores[..., :16], both, rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(new.cells.slopes, old.cells.slopes[:, ::2] + old.cells.slopes[:, 1::2] - 1.0, rtol=1e-6)
    assert (new.cells.scores[:, 0, 16] == NEW_CLASS).all() and not new.cells.scores[:, 1:, 16].any()


def test_a_row_finds_its_merged_cells():
    one = tracker(16)
    X, cell = board(40, seed=7, classes=16)
    run(one, X, cell)
    more = expanded(one, 17, 2)
    for x in X:
        one.predict_one(scaled(x), x)
        more.predict_one(scaled(x), x)
        assert [place // 2 for place in cells_of(one)] == cells_of(more)


def test_growing_by_nothing_copies_what_is_learned():
    X, cell = board(100, seed=8, classes=3)
    one = tracker(3)
    run(one, X, cell)
    new = grown(Labels(), one.state, 2, 3, np.float32)
    for part in ("cells", "mixture"):
        for (name, a), (_, b) in zip(leaves(getattr(one.state, part)), leaves(getattr(new, part)), strict=True):
            assert not np.shares_memory(a, b)
            if not f".{part}{name}".startswith(BUFFERS):
                np.testing.assert_array_equal(a, b)


def test_the_past_is_carried_over():
    X, cell = board(100, seed=9)
    one = tracker()
    run(one, X, cell)
    more = expanded(one, 3, 4)
    for name in ("weights", "gates", "heat", "losses", "recent"):
        np.testing.assert_array_equal(getattr(more.state.mixture, name), getattr(one.state.mixture, name))
    assert (more.detector.blocks, more.detector.buckets) == (one.detector.blocks, one.detector.buckets)
    assert more.detector is not one.detector and more.drift is not one.drift
    learn(more, np.append(X[0], [1.0, 2.0]), 2)
    assert (more.rows, one.rows) == (101, 100)
