"""The streams: their laws, and that a stream is the same however it is cut."""

import inspect
from itertools import islice

import numpy as np
import pytest
from scipy import stats

from kernelstream import datasets
from kernelstream.datasets import (
    batches,
    checkerboard,
    gaussian_mixture,
    moving_squares,
    rotating_hyperplane,
    waveform,
)
from kernelstream.datasets import stream as endless
from kernelstream.datasets.synthetic.batches import STREAMS
from kernelstream.datasets.synthetic.hyperplane import plane_of_rotation
from kernelstream.datasets.synthetic.mixture import mode_means
from kernelstream.datasets.synthetic.waveform import WAVES

streams = pytest.mark.parametrize("stream", STREAMS.values(), ids=STREAMS)


def test_public_names_are_the_streams_and_how_to_walk_them_and_the_data_sets():
    sets = {"DataSet", "DataSetSummary", "DataUnavailable", "Split", "available", "fetch", "load", "unavailable"}
    assert set(datasets.__all__) == {*STREAMS, "batches", "stream", *sets}


@streams
def test_shapes_and_types(stream):
    X, y = stream(50)
    assert X.dtype == np.float64 and y.dtype == np.int64
    assert X.ndim == 2 and len(X) == len(y) == 50
    assert X.flags.c_contiguous


@streams
def test_seed_decides_everything(stream):
    X, y = stream(200, seed=3)
    again, labels = stream(200, seed=3)
    other, _ = stream(200, seed=4)
    np.testing.assert_array_equal(X, again)
    np.testing.assert_array_equal(y, labels)
    assert not np.isin(other, X).any()


@streams
@pytest.mark.parametrize("size", [1, 7, 64, 1000])
def test_chunks_concatenate_to_one_call(stream, size):
    X, y = stream(150, start=11, seed=5)
    chunks = list(batches(stream, 150, size, start=11, seed=5))
    assert {len(c) for _, c in chunks[:-1]} <= {size}
    np.testing.assert_array_equal(np.concatenate([c for c, _ in chunks]), X)
    np.testing.assert_array_equal(np.concatenate([c for _, c in chunks]), y)


@streams
@pytest.mark.parametrize("batch", [1, 7, 1000])
def test_an_endless_stream_does_not_depend_on_the_batch(stream, batch):
    X, y = stream(90, start=5, seed=2)
    chunks = list(islice(endless(stream, 2, batch, start=5), -(-90 // batch)))
    assert {len(c) for _, c in chunks} == {batch}
    np.testing.assert_array_equal(np.concatenate([c for c, _ in chunks])[:90], X)
    np.testing.assert_array_equal(np.concatenate([c for _, c in chunks])[:90], y)


@streams
def test_start_skips_rows(stream):
    X, y = stream(100)
    tail, labels = stream(40, start=60)
    np.testing.assert_array_equal(X[60:], tail)
    np.testing.assert_array_equal(y[60:], labels)


@pytest.mark.parametrize("name", STREAMS)
def test_batches_by_name_passes_options(name):
    known = {
        "checkerboard": {"noise": 1.0},
        "gaussian_mixture": {"classes": 2},
        "moving_squares": {"horizon": 10},
        "rotating_hyperplane": {"features": 3},
    }
    options = known.get(name, {})
    X, y = STREAMS[name](30, **options)
    for walk in (batches(name, 30, 10, **options), islice(endless(name, 0, 10, **options), 3)):
        rows, labels = zip(*walk, strict=True)
        np.testing.assert_array_equal(np.concatenate(rows), X)
        np.testing.assert_array_equal(np.concatenate(labels), y)


@streams
def test_classes_are_balanced(stream):
    _, y = stream(30_000)
    _, counts = np.unique(y, return_counts=True)
    assert stats.chisquare(counts).pvalue > 1e-3


@pytest.mark.parametrize("cells", [1, 2, 4, 5])
def test_checkerboard_colours(cells):
    X, y = checkerboard(5_000, cells=cells)
    assert X.min() >= 0 and X.max() < cells
    column, row = X.astype(int).T
    np.testing.assert_array_equal(y, np.where((column + row) % 2 == 0, 1, -1))
    squares = np.bincount(cells * row + column, minlength=cells**2)
    assert squares.shape == (cells**2,)
    assert cells == 1 or stats.chisquare(squares).pvalue > 1e-3


def test_checkerboard_noise_flips_that_share_and_moves_no_point():
    X, y = checkerboard(20_000)
    noisy_X, noisy_y = checkerboard(20_000, noise=0.2)
    np.testing.assert_array_equal(X, noisy_X)
    assert stats.binomtest(int((y != noisy_y).sum()), 20_000, 0.2).pvalue > 1e-3
    np.testing.assert_array_equal(checkerboard(100, noise=1.0)[1], -y[:100])


def test_waves_are_breimans():
    h1 = [max(6 - abs(i - 11), 0) for i in range(-20, 60)]
    shifted = {1: 0, 2: -4, 3: 4}
    for c, pair in enumerate([(1, 2), (1, 3), (2, 3)]):
        for wave, h in zip(WAVES[c], pair, strict=True):
            assert [h1[i + 20 + shifted[h]] for i in range(1, 22)] == wave.tolist()


@pytest.mark.parametrize("c", [0, 1, 2])
def test_waveform_moments(c):
    """E x = (a + b)/2 and Cov x = I + (a − b)(a − b)ᵀ/12, because u has mean 1/2 and variance 1/12."""
    X, y = waveform(60_000)
    X = X[y == c]
    a, b = WAVES[c]
    covariance = np.eye(21) + np.outer(a - b, a - b) / 12
    error = (X.mean(axis=0) - (a + b) / 2) / np.sqrt(np.diag(covariance) / len(X))
    assert np.abs(error).max() < 4.5
    np.testing.assert_allclose(np.cov(X.T), covariance, atol=0.1)


def test_waveform_bayes_accuracy():
    """The likelihood of each class, with u integrated on a grid, is right in 86.8 % of cases."""
    X, y = waveform(4_000)
    share = (np.arange(40)[:, None] + 0.5) / 40
    score = [
        np.exp(-0.5 * ((X[:, None] - share * a - (1 - share) * b) ** 2).sum(axis=2)).mean(axis=1) for a, b in WAVES
    ]
    assert stats.binomtest(int((np.argmax(score, axis=0) == y).sum()), len(y), 0.868).pvalue > 1e-3


def test_mixture_does_not_depend_on_rows():
    """Standardised by the means of the seed, any part of the stream is standard normal."""
    means = mode_means(5, 3, 1.0, seed=9)
    for start in (0, 10**9):
        X, y = gaussian_mixture(6_000, variance=1e-6, start=start, seed=9)
        z = (X[:, None] - means[y]) / 1e-3
        j = np.argmin((z**2).sum(axis=2), axis=1)
        z = z[np.arange(len(y)), j].ravel()
        assert stats.kstest(z, "norm").pvalue > 1e-3
        assert stats.chisquare(np.bincount(3 * y + j, minlength=15)).pvalue > 1e-3


def test_mixture_means_surround_the_unit_circle():
    np.testing.assert_allclose(np.linalg.norm(mode_means(7, 2, 0.0, seed=0), axis=2), 1.0)
    theta = mode_means(5, 3, 0.0, seed=0)
    z = np.concatenate([(mode_means(5, 3, 4.0, seed=s) - theta) / 2 for s in range(100)]).ravel()
    assert stats.kstest(z, "norm").pvalue > 1e-3


def test_the_hyperplane_turns():
    """Row t is labelled by a normal that has turned by 2πt/period in the plane of the seed."""
    first, second = plane_of_rotation(4, seed=3)
    np.testing.assert_allclose([first @ first, second @ second, first @ second], [1, 1, 0], atol=1e-12)
    X, y = rotating_hyperplane(1_000, features=4, period=400, start=10**12, seed=3)
    assert X.min() >= -1 and X.max() < 1
    for t in (0, 100, 200, 300, 399, 400, 777):
        angle = 2 * np.pi * ((10**12 + t) % 400) / 400
        assert y[t] == np.sign(X[t] @ (np.cos(angle) * first + np.sin(angle) * second))
    np.testing.assert_array_equal(rotating_hyperplane(300, features=4, period=300, noise=1.0)[1],
                                  -rotating_hyperplane(300, features=4, period=300)[1])  # fmt: skip


def test_half_a_turn_later_every_label_is_the_opposite():
    X, y = rotating_hyperplane(500, features=3, period=10**9, seed=1)
    w, *_ = np.linalg.lstsq(X, y.astype(float), rcond=None)
    later, labels = rotating_hyperplane(500, features=3, period=10**9, start=5 * 10**8, seed=1)
    assert np.mean(np.sign(X @ w) == y) > 0.95 and np.mean(np.sign(later @ w) == labels) < 0.05


@pytest.mark.parametrize(("start", "offset"), [(0, 0.0), (60, 0.5), (480, 4.0), (540, 3.5), (960, 0.0), (9_600, 0.0)])
def test_squares_are_where_they_should_be(start, offset):
    """One row at a time has a known offset; over many seeds its points are uniform on their square."""
    rows = [moving_squares(1, start=start, seed=seed) for seed in range(300)]
    X, y = np.concatenate([x for x, _ in rows]), np.concatenate([c for _, c in rows])
    inside = X - np.column_stack([offset + 2.0 * y, np.zeros(300)])
    assert inside.min() >= -1e-12 and inside.max() < 1
    assert min(stats.kstest(inside[:, k], "uniform").pvalue for k in range(2)) > 1e-3


def test_squares_never_overlap_within_their_horizon_and_do_after():
    X, y = moving_squares(2_000, horizon=50)
    cell = np.floor(X[:, 0])

    def clashes(age):
        pairs = [(i, i - age) for i in range(age, 2_000)]
        return sum(cell[i] == cell[j] and abs(X[i, 0] - X[j, 0]) < 0.1 and y[i] != y[j] for i, j in pairs)

    assert clashes(45) == 0 and clashes(100) > 20


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: waveform(-1), "n=-1 rows"),
        (lambda: waveform(1, start=-2), "start=-2"),
        (lambda: checkerboard(1, cells=0), "cells=0"),
        (lambda: checkerboard(1, noise=1.5), "noise=1.5"),
        (lambda: gaussian_mixture(1, modes=0), "modes=0"),
        (lambda: gaussian_mixture(1, variance=-1.0), "variance=-1"),
        (lambda: batches("chessboard", 1, 1), "'chessboard'.*checkerboard"),
        (lambda: batches("waveform", 1, 0), "size=0"),
        (lambda: endless("waveform", batch=0), "size=0"),
        (lambda: endless("chessboard"), "'chessboard'.*checkerboard"),
        (lambda: rotating_hyperplane(1, features=1), "features=1"),
        (lambda: rotating_hyperplane(1, period=0), "period=0"),
        (lambda: rotating_hyperplane(1, noise=-0.5), "noise=-0.5"),
        (lambda: moving_squares(1, horizon=0), "horizon=0"),
    ],
)
def test_errors_name_the_value(call, words):
    with pytest.raises(ValueError, match=words):
        call()


@streams
def test_every_stream_has_start_and_seed(stream):
    parameters = inspect.signature(stream).parameters
    assert parameters["start"].default == 0 and parameters["seed"].default == 0
