"""Estimators whose `fit` has chosen scales and ranks of features: what is exported takes rows of the data."""

import numpy as np
import onnxruntime
import pytest
import skl2onnx
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer

from kernelstream import KernelClassifier, KernelRegressor
from kernelstream.export.c import assemble, header
from kernelstream.export.onnx import register, to_onnx
from kernelstream.plot import DecisionSurfaceDisplay

from .program import GCC, run_header

needs_gcc = pytest.mark.skipif(GCC is None, reason="gcc is not installed")
LIMITS = {"two classes": [0.0], "three classes": [-0.3, 0.3], "regression": None}


class Fitted:
    """An estimator, rows within the range of the data and beyond it, and its scores there."""

    def __init__(self, task, X, logarithms, **more):
        product, limits = logarithms[:, 0] * logarithms[:, 1], LIMITS[task]
        kind = KernelRegressor if limits is None else KernelClassifier
        y = 1000.0 + 50.0 * product if limits is None else np.array(["a", "b", "c"])[np.digitize(product, limits)]
        self.model = kind(budget=60, random_state=0, **more).fit(X, y)
        spread = X.std(axis=0)
        beyond = np.vstack([X.min(axis=0) - [[1.0], [9.0]] * spread, X.max(axis=0) + [[0.1], [2.0]] * spread])
        self.X, self.y = np.vstack([X, beyond]).astype(np.float32), y
        scores = self.model.predict(self.X) if limits is None else self.model.decision_function(self.X)
        self.scores = scores.reshape(len(self.X), -1)
        self.classes = 0 if limits is None else len(self.model.classes_)
        self.scale = np.abs(self.scores - (1000.0 if limits is None else 0.0)).max()

    def near(self, found, tolerance):
        np.testing.assert_allclose(found / self.scale, self.scores / self.scale, atol=tolerance)


def run(model, X, **more):
    session = onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
    return session.run(None, {"X": X} | more)


def skewed(offset=0.0, unit=1.0, rows=1500):
    logarithms = np.random.default_rng(0).normal(size=(rows, 4))
    return (offset + unit * np.exp(logarithms)).astype(np.float32), logarithms


@pytest.fixture(scope="module", params=LIMITS)
def fitted(request):
    found = Fitted(request.param, *skewed())
    assert len(found.model.feature_map_.ranks) == 4
    return found


@pytest.fixture(scope="module")
def far():
    """Data where float32 has three digits left."""
    found = Fitted("two classes", *skewed(1e6, 50.0))
    assert len(found.model.feature_map_.ranks) == 4
    return found


@pytest.fixture(scope="module")
def scaled():
    """Features of all sizes that are not skewed."""
    X = np.random.default_rng(0).normal(size=(1500, 5))
    found = Fitted("two classes", (X * [1.0, 100.0, 0.01, 1.0, 1.0] + [0.0, 1e4, 0.0, 5.0, 0.0]).astype("f4"), X)
    assert found.model.feature_map_ is not None and not found.model.feature_map_.ranks
    return found


def test_onnx(fitted):
    outputs = ("label", "probabilities", "scores") if fitted.classes else ("variable",)
    found = run(to_onnx(fitted.model, outputs=outputs), fitted.X)
    fitted.near(found[-1], 1e-5)
    fitted.near(run(to_onnx(fitted.model, outputs=outputs, dtype="float32"), fitted.X)[-1], 1e-4)
    if fitted.classes:
        assert np.mean(found[0] == fitted.model.predict(fitted.X)) > 0.999
        np.testing.assert_allclose(found[1], fitted.model.predict_proba(fitted.X), atol=1e-4)


@needs_gcc
def test_c(fitted, tmp_path):
    outputs = fitted.scores.shape[1]
    found = run_header(header(fitted.model, "m"), fitted.X, outputs, fitted.classes, tmp_path)
    fitted.near(found.scores, 1e-5)
    small = assemble(fitted.model, "m", "int8")
    coarse = run_header(small.text, fitted.X, outputs, fitted.classes, tmp_path)
    fitted.near(coarse.scores, 0.06)  # few support vectors and large coefficients
    if fitted.classes:
        np.testing.assert_allclose(found.probabilities, fitted.model.predict_proba(fitted.X), atol=1e-4)
        chosen = fitted.model.classes_[coarse.chosen[: len(fitted.y)]]
        assert np.mean(chosen == fitted.y) > fitted.model.score(fitted.X[: len(fitted.y)], fitted.y) - 0.01


@pytest.mark.parametrize("name", ["far", "scaled"])
def test_onnx_of_other_data(name, request):
    case = request.getfixturevalue(name)
    case.near(run(to_onnx(case.model, outputs=["scores"]), case.X)[0], 1e-5)
    case.near(run(to_onnx(case.model, outputs=["scores"], dtype="float32"), case.X)[0], 1e-4)


@needs_gcc
@pytest.mark.parametrize("name", ["far", "scaled"])
def test_c_of_other_data(name, request, tmp_path):
    case = request.getfixturevalue(name)
    text = header(case.model, "m")
    case.near(run_header(text, case.X, 1, 2, tmp_path).scores, 1e-5)
    assert ("m_rank" in text) == (name == "far")
    case.near(run_header(header(case.model, "m", "int8"), case.X, 1, 2, tmp_path).scores, 0.06)


def test_skl2onnx_alone_and_in_a_pipeline(fitted):
    register()
    options = {"zipmap": False} if fitted.classes else None
    pipe = make_pipeline(FunctionTransformer(), fitted.model)  # the step is fitted already
    for model in (fitted.model, pipe):
        found = run(skl2onnx.to_onnx(model, fitted.X[:1], options=options), fitted.X)
        if fitted.classes:
            np.testing.assert_allclose(found[1], fitted.model.predict_proba(fitted.X), atol=1e-4)
        else:
            fitted.near(found[0], 1e-5)


def test_the_model_alone_takes_columns(fitted):
    columns = fitted.model.feature_map_.transform(fitted.X).astype(np.float32)
    inner = fitted.model.model_
    found, wanted = run(to_onnx(inner), columns)[0], inner.scores_many(columns)
    np.testing.assert_allclose(found, wanted, atol=1e-5 * np.abs(wanted).max())


def test_a_surface_is_in_the_units_of_the_data():
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    X, logarithms = skewed()
    model = Fitted("two classes", X[:, :2], logarithms).model
    columns = model.feature_map_
    display = DecisionSurfaceDisplay.from_estimator(model, X[:, :2], grid=7)
    places = np.stack(np.meshgrid(display.x, display.y), axis=-1).reshape(-1, 2)
    np.testing.assert_allclose(display.response.ravel(), model.decision_function(places), rtol=1e-5, atol=1e-6)
    own = model.model_.function[0][:, :2]
    np.testing.assert_allclose((display.support - columns.shift) * columns.factor, own, atol=1e-6)
    columns.factor = columns.factor * [1.0, 0.0]
    flat = DecisionSurfaceDisplay.from_estimator(model, X[:, :2], grid=7).support
    np.testing.assert_allclose(flat, np.column_stack([display.support[:, 0], np.full(len(own), columns.shift[1])]))
    matplotlib.pyplot.close("all")
