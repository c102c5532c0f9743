"""Splits, labels and scales: as declared for every set of every paper."""

from collections import Counter

import numpy as np
import pytest

from kernelstream.datasets import DataSet, DataUnavailable, load
from kernelstream.datasets.papers import transforms
from kernelstream.datasets.papers.protocols import PAPERS
from kernelstream.datasets.papers.splits import (
    OnlineSplit,
    OrderedSplit,
    OwnSplit,
    PaperProtocol,
    RandomSplit,
    SyntheticSplit,
)
from kernelstream.datasets.real.published_sets import SETS
from kernelstream.datasets.synthetic.mixture import gaussian_mixture

N = 400
PROTOCOLS = [(paper, name) for paper, sets in PAPERS.items() for name in sets]
SCALED = {
    transforms.standardize: lambda X: np.abs([X.mean(axis=0), X.std(axis=0) - 1]).max() < 1e-6,
    transforms.scale_to_unit: lambda X: (X.min(axis=0) == 0).all() and (X.max(axis=0) == 1).all(),
    transforms.unscaled: lambda X: True,
}
LABELS = {"a9a": [-1, 1], "skin_nonskin": [1, 2], "magic04": [-1, 1], "ijcnn1": [-1, 1], "electricity": [-1, 1]}


def made_up(name):
    """A table of the width, the task and the labels of a real one; its first feature numbers the rows."""
    known, rng = SETS[name], np.random.default_rng(0)
    X = rng.normal(3.0, 5.0, (N, known.features))
    X[:, 0] = np.arange(N)
    y = rng.normal(size=N) if known.task == "regression" else rng.choice(LABELS.get(name, np.arange(1, 8)), N)
    test = (X[: N // 4] + 0.5, y[: N // 4]) if known.test else (None, None)
    return DataSet(X, y, *test, known.task, known.description)


@pytest.fixture(autouse=True)
def tables(monkeypatch):
    monkeypatch.setattr("kernelstream.datasets.papers.splits.fetch", made_up)


@pytest.mark.parametrize("paper, name", PROTOCOLS)
def test_every_protocol_has_the_types_labels_and_scales_that_it_declares(paper, name):
    protocol = PAPERS[paper][name]
    split = load(name, paper, rows=2 * N)
    for X, y in (split[:2], split[2:]):
        assert X.dtype == np.float32 and X.flags.c_contiguous and len(X) == len(y)
        assert y.dtype == (np.float64 if protocol.targets is transforms.standardize_targets else np.int64)
    assert split.X_train.shape[1] == split.X_test.shape[1] and len(split.X_train) <= 2 * N
    assert len(split.X_test) == 0 or paper != "olrd"
    assert SCALED[protocol.features](split.X_train.astype(float))
    if protocol.targets is not transforms.standardize_targets:
        found = set(split.y_train) | set(split.y_test)
        assert found == {-1, 1} or found == set(range(len(found)))


def numbers(raw):
    return raw.X_train[:, 0].astype(int).tolist(), raw.X_test[:, 0].astype(int).tolist()


def test_random_splits_cut_all_rows_in_two():
    train, test = numbers(RandomSplit("covtype", 0.8).take(3, None))
    assert len(train) == 320 and sorted(train + test) == list(range(N)) and train != sorted(train)
    assert numbers(RandomSplit("covtype", 0.8).take(3, None)) == (train, test)
    assert numbers(RandomSplit("covtype", 0.8).take(4, None)) != (train, test)
    raw = RandomSplit("covtype", 0.8).take(3, None)
    np.testing.assert_array_equal(raw.y_train, made_up("covtype").y[train])


def test_a_seed_of_the_protocol_overrides_the_caller_s():
    fixed = RandomSplit("covtype", 300, test=0, seed=0)
    assert numbers(fixed.take(1, None)) == numbers(fixed.take(2, None))
    assert [len(rows) for rows in numbers(fixed.take(1, None))] == [300, 0]


def test_the_other_ways_keep_the_order():
    all_rows = list(range(N))
    assert numbers(OrderedSplit("letter", 160).take(0, None)) == (all_rows[:160], all_rows[160:])
    assert numbers(OnlineSplit("a9a").take(0, None)) == (all_rows, [])
    assert numbers(OwnSplit("dna").take(0, None)) == (all_rows, all_rows[: N // 4])
    assert numbers(OwnSplit("dna", 140).take(0, None)) == (all_rows[:140], all_rows[: N // 4])


def test_streams_have_the_same_test_rows_wherever_training_ends(monkeypatch):
    monkeypatch.setattr("kernelstream.datasets.papers.splits.BLOCK", 64)
    rows = SyntheticSplit(gaussian_mixture, 300, 100)
    X, y = gaussian_mixture(400, seed=5)
    for most in (None, 70):
        raw = rows.take(5, most)
        np.testing.assert_array_equal(raw.X_train, X[: most or 300].astype(np.float32))
        np.testing.assert_array_equal(raw.y_train, y[: most or 300])
        np.testing.assert_array_equal(raw.X_test, X[300:].astype(np.float32))
        np.testing.assert_array_equal(raw.y_test, y[300:])


@pytest.mark.parametrize("block", [7, 1_000])
def test_scales_are_those_of_the_training_rows(monkeypatch, block):
    monkeypatch.setattr("kernelstream.datasets.papers.transforms.BLOCK", block)
    rng = np.random.default_rng(1)
    train, test = rng.normal(1e3, 2.0, (50, 4)), rng.normal(1e3, 9.0, (20, 4))
    train[:, 2] = test[:, 2] = 5.0  # never varies
    deviation = np.where(train.std(axis=0) > 0, train.std(axis=0), 1)
    spread = np.where(np.ptp(train, axis=0) > 0, np.ptp(train, axis=0), 1)
    for X, standard, unit in zip(
        (train, test), transforms.standardize(train, test), transforms.scale_to_unit(train, test), strict=True
    ):
        np.testing.assert_allclose(standard, (X - train.mean(axis=0)) / deviation, rtol=1e-5, atol=1e-6)
        np.testing.assert_allclose(unit, (X - train.min(axis=0)) / spread, rtol=1e-5, atol=1e-6)


def test_fewer_rows_are_some_of_all_in_their_order():
    for name, paper in (("cadata", "nbsgd"), ("covtype", "bpegasos"), ("usps", None)):
        whole, part = load(name, paper), load(name, paper, rows=30)
        indices = [int(np.flatnonzero((whole.X_train == x).all(axis=1))[0]) for x in part.X_train]
        assert len(indices) == 30 and indices == sorted(set(indices)) and indices[-1] > 60
        np.testing.assert_array_equal(part.y_train, whole.y_train[indices])
        np.testing.assert_array_equal(part.X_test, whole.X_test)
    other = load("usps", rows=30, seed=1)
    assert (other.X_train != part.X_train).any()


def test_labels_become_signs_or_small_integers():
    assert [y.tolist() for y in transforms.class_labels(np.array([4, 9, 4]), np.array([9]))] == [[-1, 1, -1], [1]]
    assert [y.tolist() for y in transforms.class_labels(np.array([4, 9]), np.array([7, 4]))] == [[0, 2], [1, 0]]
    assert [y.tolist() for y in transforms.one_against_rest(1)(np.array([1, 2]), np.array([3]))] == [[1, -1], [-1]]
    train, test = transforms.standardize_targets(np.array([1.0, 3.0]), np.array([5.0]))
    assert (train.tolist(), test.tolist()) == ([-1.0, 1.0], [3.0])


def test_skin_and_the_second_kind_of_forest_are_positive():
    skin, forest = made_up("skin_nonskin").y, made_up("covtype").y
    split = load("skin", "nbsgd")
    assert Counter((*split.y_train, *split.y_test)) == {1: sum(skin == 1), -1: sum(skin == 2)}
    split = load("covertype", "oskl")
    assert Counter((*split.y_train, *split.y_test)) == {1: sum(forest == 2), -1: sum(forest != 2)}


@pytest.mark.parametrize("name, same", [("Adult", "a9a"), ("magic", "magic04"), ("Covertype", "covtype")])
def test_names_of_the_papers_tables(name, same):
    np.testing.assert_array_equal(load(name, "oskl").X_train, load(same, "OSKL").X_train)


def test_what_there_is_not():
    with pytest.raises(ValueError, match=r"unknown paper 'pegasos'\. Available: 'bpegasos', .* or None"):
        load("usps", "pegasos")
    with pytest.raises(
        ValueError,
        match=r"unknown data set 'usps' for paper='oskl'\. Available: magic04.* 'usps' is .* paper='bpegasos'",
    ):
        load("usps", "oskl")
    with pytest.raises(
        ValueError, match=r"'checkerboard' without a paper\. .*'checkerboard' is available with paper='bpegasos'"
    ):
        load("checkerboard")
    with pytest.raises(DataUnavailable, match="'gisette' is not provided"):
        load("gisette", "nbsgd")
    with pytest.raises(ValueError, match="rows=0 leaves no training rows"):
        load("usps", rows=0)


def test_every_set_has_a_default_protocol():
    assert set(PAPERS[None]) == set(SETS)
    assert all(isinstance(protocol, PaperProtocol) for sets in PAPERS.values() for protocol in sets.values())
