"""Labels that shift: told where they do, and not where rows come in random order."""

import numpy as np
import pytest

from kernelstream.pipeline.label_history import MOST, LabelHistory


def history_of(labels, batch=100):
    history = LabelHistory()
    for start in range(0, len(labels), batch):
        history.add(labels[start : start + batch])
    return history


@pytest.mark.parametrize("shares", [[0.5, 0.5], [0.97, 0.03], [0.999, 0.001], np.full(60, 1 / 60)])
@pytest.mark.parametrize("rows", [300, 2000, 30_000])
def test_random_order_is_no_shift(shares, rows):
    """At any moment of 30 streams."""
    for seed in range(30):
        labels = np.random.default_rng(seed).choice(len(shares), rows, p=shares)
        history = LabelHistory()
        for start in range(0, rows, 100):
            history.add(labels[start : start + 100])
            assert history.shift() is None


@pytest.mark.parametrize("rows", [600, 5000, 200_000])
def test_sorted_labels_are(rows):
    labels = np.sort(np.random.default_rng(0).choice(["a", "b", "c"], rows, p=[0.5, 0.2, 0.3]))
    shift = history_of(labels).shift()
    assert shift.label == "c" and shift.recent_share == 1.0 and shift.share_before < 0.3
    assert shift.recent + shift.before == rows and 0.1 * rows <= shift.recent <= 0.3 * rows


def test_one_class_at_the_end_where_it_was_frequent_before():
    labels = np.array(["usual"] * 20_000)
    labels[np.random.default_rng(0).choice(15_000, 1000, replace=False)] = "rare"
    shift = history_of(labels).shift()
    assert shift.label == "usual" and shift.recent_share == 1.0 and 0.9 < shift.share_before < 0.95


def test_half_of_the_labels_are_others():
    rng = np.random.default_rng(0)
    labels = np.concatenate([rng.choice(3, 9000, p=[0.6, 0.3, 0.1]), rng.choice(3, 3000, p=[0.2, 0.1, 0.7])])
    shift = history_of(labels).shift()
    assert shift.label == 2 and 0.6 < shift.recent_share < 0.8


def test_it_is_bounded_and_survives_a_file():
    labels = np.random.default_rng(0).choice(["a", "b"], 100_000)
    history, again = history_of(labels[:50_000]), LabelHistory.from_dict(history_of(labels[:50_000]).as_dict())
    assert len(history.history.kept) <= MOST
    for start in range(50_000, 100_000, 1000):
        history.add(labels[start : start + 1000])
        again.add(labels[start : start + 1000])
    assert history.as_dict() == again.as_dict() and history.rows == 100_000
