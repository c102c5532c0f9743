"""Streams: the best kernel model of a mixture is exported, and takes the rows of the stream."""

import numpy as np
import onnxruntime
import pytest

from kernelstream import KernelClassifier, KernelRegressor
from kernelstream.datasets import checkerboard
from kernelstream.export.c import header
from kernelstream.export.onnx import to_onnx
from kernelstream.tracking.expert_report import best_model

from .program import GCC, run_header

UNITS, ORIGIN = np.array([1e4, 1e-3]), np.array([1e6, 0.0])


@pytest.fixture(scope="module", params=["labels", "numbers"])
def stream(request):
    """A model, rows of which some are so far away that the stream clips them, the best kernel model's scores in
    float64, their unit, and what float32 leaves unknown of them: the terms are thousands of times their sum."""
    X, y = checkerboard(3000, seed=0)
    X = (X * UNITS + ORIGIN).astype(np.float32)
    if request.param == "labels":
        model = KernelClassifier(budget=60, random_state=0).partial_fit(X, y, classes=[-1, 1])
    else:
        model = KernelRegressor(budget=60, random_state=0).partial_fit(X, 1000.0 + 5.0 * y)
    far = X.mean(axis=0, dtype=float) + np.array([[20.0, 0.1], [-0.3, -50.0], [7.0, 7.0]]) * X.std(axis=0, dtype=float)
    X = np.vstack([X, far]).astype(np.float32)
    inner = model.model_.stream
    best = best_model(inner.tracker)
    mean, scale = inner.tracker.units
    rows = inner.units.scaled_many(X)
    assert (np.abs(rows[-3:]).max(axis=1) == np.abs(rows).max()).all()
    vectors, coefficients = (part.astype(np.float64) for part in best.model.function)
    scores, rough = best.model.recipe.kernel(rows * best.importance, vectors) @ coefficients, 1e-7 * coefficients
    unknown = np.abs(rough).sum()
    np.testing.assert_allclose(best.model.scores_many(rows * best.importance), scores, atol=unknown)
    return model, X, scores * scale + mean, scale, unknown


def test_onnx(stream):
    model, X, scores, scale, _ = stream
    outputs = ["scores"] if isinstance(model, KernelClassifier) else None
    with pytest.warns(UserWarning, match="best of its kernel models"):
        graph = to_onnx(model, outputs=outputs)
    session = onnxruntime.InferenceSession(graph.SerializeToString(), providers=["CPUExecutionProvider"])
    np.testing.assert_allclose(session.run(None, {"X": X})[0] / scale, scores / scale, atol=2e-5)
    assert np.isnan(session.run(None, {"X": np.full((1, 2), np.nan, np.float32)})[0]).all()


@pytest.mark.skipif(GCC is None, reason="gcc is not installed")
def test_c(stream, tmp_path):
    model, X, scores, scale, unknown = stream
    with pytest.warns(UserWarning, match="best of its kernel models"):
        text = header(model, "m")
    found = run_header(text, X, 1, 2 if isinstance(model, KernelClassifier) else 0, tmp_path).scores
    np.testing.assert_allclose(found / scale, scores / scale, atol=unknown)
    np.testing.assert_allclose(found[-3:] / scale, scores[-3:] / scale, atol=2e-5)  # those that are clipped
    assert np.isnan(run_header(text, np.full((1, 2), np.nan), 1, 0, tmp_path).scores).all()
