"""The learning curve of a run: totals, the last rows, and a file that holds it."""

import json

import numpy as np
import pytest

from kernelstream.pipeline.curve import MOST, Curve


def along(batches, metric="accuracy"):
    curve = Curve(metric)
    for truth, predicted in batches:
        curve.test(np.asarray(truth), np.asarray(predicted))
        curve.learned(len(truth), support=3, nbytes=100)
    return curve


def test_scores_of_all_rows_and_of_the_last():
    wrong, right = ([1, 1], [0, 0]), ([1, 1], [1, 1])
    curve = along([wrong] * 5 + [right] * 5)
    assert (curve.score, curve.window, curve.window_rows) == (0.5, 1.0, 2)
    errors = along([([1.0, 3.0], [2.0, 3.0])], "rmse")
    assert errors.score == pytest.approx(np.sqrt(0.5))
    assert np.isnan(Curve("accuracy").score)


def test_any_number_of_batches_in_a_bounded_number_of_points():
    rng = np.random.default_rng(0)
    batches = [(np.ones(4), rng.integers(0, 2, 4)) for _ in range(5 * MOST)]
    curve = along(batches)
    points = curve.progress()
    assert len(points) <= MOST + 1 and points.examples[-1] == 20 * MOST
    hits = np.concatenate([predicted for _, predicted in batches])
    assert curve.score == pytest.approx(hits.mean())
    assert curve.window == pytest.approx(hits[-curve.window_rows :].mean())


def test_a_file_gives_back_a_curve_that_goes_on():
    rng = np.random.default_rng(1)
    batches = [(np.ones(4), rng.integers(0, 2, 4)) for _ in range(3 * MOST)]
    half = Curve.from_dict(json.loads(json.dumps(along(batches[:500]).as_dict())))
    for truth, predicted in batches[500:]:
        half.test(truth, predicted)
        half.learned(4, support=3, nbytes=100)
    assert half.as_dict() == along(batches).as_dict()
