"""Rank columns in C and ONNX: every column is written out as a score, and compared with the map itself."""

import numpy as np
import onnxruntime
import pytest

from kernelstream.export.c.c_header import build_header
from kernelstream.export.onnx.onnx_model import build_onnx_model
from kernelstream.export.portable_model import assemble_portable
from kernelstream.export.prediction_task import ScoreTask
from kernelstream.export.raw_rows import raw_rows
from kernelstream.kernels import Linear
from kernelstream.tuning import FeatureMap, RankColumn

from .program import GCC, run_header

needs_gcc = pytest.mark.skipif(GCC is None, reason="gcc is not installed")
SKEWED = np.exp(np.linspace(-3.0, 3.0, 65) + np.random.default_rng(0).uniform(0.0, 0.05, size=65))
KNOTS = {
    "near 0": SKEWED,
    "far from 0": 1e6 + 1e-3 + 30.0 * SKEWED,  # float32 has steps of 1/16 there
    "in two places": np.concatenate([np.linspace(0.013, 0.4, 30), 1e6 + np.linspace(0.02, 40.0, 35)]),
    "too near to each other": np.array([-1.0, 0.0, 1e-300, 1e-3, 1.0, 1.0 + 1e-9, 1.0 + 2e-9, 2.0]),
}


def every_column(rows):
    """A function whose scores are the columns."""
    one = np.eye(len(rows.centre))
    return assemble_portable(Linear(), one, one, np.zeros(len(one)), rows, ScoreTask())


def mapped(knots):
    """Two features, and ranks of the second."""
    values = 0.8 * np.random.default_rng(1).uniform(0.5, 1.5, size=len(knots)).cumsum() / len(knots) * 4.0 - 1.5
    middle = knots[len(knots) // 2]
    return FeatureMap(np.array([3.0, middle]), np.array([0.5, 0.0]), (RankColumn(1, knots, values),))


def rows_near(knots):
    """At the knots, next to them, between them and beyond them, in float32."""
    at, last = np.float32(knots), np.float32(np.inf)
    between = np.random.default_rng(2).uniform(knots[:-1], knots[1:], size=(20, len(knots) - 1)).ravel()
    beyond = np.array([knots[0] - 10.0, knots[-1] + 10.0, -1e30, 1e30])
    found = np.concatenate([at, np.nextafter(at, last), np.nextafter(at, -last), np.float32(between), beyond])
    found = np.where(np.abs(found) < 1e-30, 0.0, found)  # some machines have no smaller numbers
    return np.column_stack([np.linspace(-5.0, 5.0, len(found)), found]).astype(np.float32)


def run(model, **inputs):
    session = onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
    return session.run(None, inputs)[0]


@pytest.mark.parametrize("place", KNOTS)
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_onnx(place, dtype):
    columns, X = mapped(KNOTS[place]), rows_near(KNOTS[place])
    source = every_column(raw_rows(None, 2).then_mapped(columns))
    found = run(build_onnx_model(source, None, dtype), X=X)
    np.testing.assert_allclose(found, columns.transform(X), atol=2e-6)


@needs_gcc
@pytest.mark.parametrize("place", KNOTS)
@pytest.mark.parametrize(("dtype", "tolerance"), [("float32", 1e-6), ("int8", 5e-4)])
def test_c(place, dtype, tolerance, tmp_path):
    columns, X = mapped(KNOTS[place]), rows_near(KNOTS[place])
    made = build_header(every_column(raw_rows(None, 2).then_mapped(columns)), "m", dtype)
    found = run_header(made.text, X, 3, 0, tmp_path).scores
    np.testing.assert_allclose(found, columns.transform(X), atol=tolerance)
    assert "#define M_FEATURES 2\n" in made.text and "of 2 features and the ranks of 1 of them" in made.text
    assert ("m_knot_rests" in made.text) == (place != "near 0")
    without = build_header(every_column(raw_rows(None, 3)._replace(factor=np.full(3, 0.5))), "m", dtype)
    tables = 2 if place == "near 0" else 3
    assert made.table_bytes == without.table_bytes + 4 * (1 + 2 + tables * len(KNOTS[place]))


def test_knots_beyond_float32_are_refused():
    with pytest.raises(ValueError, match="too large for float32"):
        every_column(raw_rows(None, 2).then_mapped(mapped(np.array([0.0, 1.0, 1e39]))))


def prepared():
    """A numeric column that is scaled and filled in, three categories, and ranks of both kinds."""
    knots = np.array([-1.0, -0.5, 0.0, 2.0])
    ranks = (
        RankColumn(0, knots, knots**3), RankColumn(2, np.array([0.25, 0.5]), np.array([1.0, 5.0]))
    )  # fmt: skip
    columns = FeatureMap(np.array([0.1, 0.2, 0.3, 0.0]), np.array([1.0, 2.0, 3.0, 1.0]), ranks)
    plain = raw_rows(None, 4, ["a"])
    shift, factor = np.array([500.0, 0.0, 0.0, 0.0]), np.array([0.02, 1.0, 1.0, 1.0])
    categories = (("colour", {"red": 0, "blue": 1, "green": 2}),)
    rows = plain._replace(width=1, categories=categories, fill=np.array([520.0]), shift=shift, factor=factor)
    numbers = np.array([430.0, 470.0, 499.0, 530.0, 900.0, np.nan], np.float32)[:, None]
    words = np.array(["red", "blue", "green", "blue", "red", "blue"], object)[:, None]
    ones = (words == ["red", "blue", "green"]).astype(np.float32)
    filled = np.where(np.isnan(numbers), 520.0, numbers)
    wanted = columns.transform((np.hstack([filled, ones]) - shift) * factor)
    return rows.then_mapped(columns), numbers, words, ones, wanted


def test_onnx_with_a_preparation():
    rows, numbers, words, ones, wanted = prepared()
    found = run(build_onnx_model(every_column(rows), None), X=numbers, categories=words)
    np.testing.assert_allclose(found, wanted, atol=2e-6)
    np.testing.assert_allclose(rows.features(np.hstack([numbers, ones])[:-1]) + rows.offset, wanted[:-1])


@needs_gcc
@pytest.mark.parametrize("missing", [True, False])
def test_c_with_a_preparation(missing, tmp_path):
    rows, numbers, _, ones, wanted = prepared()
    text = build_header(every_column(rows if missing else rows._replace(fill=None)), "m", "float32").text
    assert " * x[0]: a\n" in text and " * x[2]: 1 if colour = blue, else 0\n" in text and "x[4]" not in text
    found = run_header(text, np.hstack([numbers, ones]), 6, 0, tmp_path).scores
    if not missing:
        assert np.isnan(found[-1, [0, 4]]).all()
    np.testing.assert_allclose(found[: None if missing else -1], wanted[: None if missing else -1], atol=2e-6)
