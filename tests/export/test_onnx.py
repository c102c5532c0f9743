"""ONNX graphs say what the models say, in the runtime that most people have."""

import numpy as np
import onnxruntime
import pytest
import skl2onnx
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from kernelstream import KernelClassifier, kernels, recipes
from kernelstream.core.strategy import strategy as kernels_strategy
from kernelstream.export.onnx import register, to_onnx
from kernelstream.export.onnx.graph_writer import precision
from kernelstream.export.onnx.onnx_model import build_onnx_model
from tests.estimators.data import classifier, curve, regressor, three_classes, two_classes

from .cases import KERNELS, LABELS, Case

SCORES = 2e-5  # they are of the order of 10


def run(model, X, **more):
    session = onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
    return session.run(None, {"X": X.astype(np.float32)} | more)


@pytest.mark.parametrize("offset", [0.0, 1000.0])
@pytest.mark.parametrize("name", KERNELS)
def test_every_kernel_near_the_origin_and_far_from_it(name, offset):
    case = Case(KERNELS[name], offset)
    label, probabilities, scores = run(build_onnx_model(case.source, ("label", "probabilities", "scores")), case.X)
    np.testing.assert_allclose(scores / case.scale, case.scores / case.scale, atol=1e-5)
    clear = case.clear(1e-5)
    np.testing.assert_array_equal(label[clear], LABELS[case.index][clear])
    assert clear.mean() > 0.99
    np.testing.assert_allclose(probabilities, case.probabilities, atol=1e-4 * case.scale)


def test_double_where_float_would_not_do():
    assert precision(Case(KERNELS["gaussian"], 1000.0, rows=1).source) == np.float32
    narrow = Case(KERNELS["narrow"], 0.0)
    assert precision(narrow.source) == np.float64
    (rough,) = run(build_onnx_model(narrow.source, ["scores"], "float32"), narrow.X)
    assert np.abs(rough - narrow.scores).max() > 1e-5


@pytest.mark.parametrize("opset", [13, 21])
def test_operators_old_and_new(opset):
    case = Case(KERNELS["all families"], 0.0, rows=50)
    _, probabilities = run(build_onnx_model(case.source, None, opset=opset), case.X)
    np.testing.assert_allclose(probabilities, case.probabilities, atol=1e-4)


@pytest.fixture(scope="module")
def boards():
    X, y = two_classes(3000)
    return X, y, classifier().fit(X, y)


def test_two_classes(boards):
    X, _, model = boards
    label, probabilities, scores = run(to_onnx(model, outputs=("label", "probabilities", "scores")), X)
    clear = np.abs(model.decision_function(X)) > 1e-5
    np.testing.assert_array_equal(label[clear], model.predict(X)[clear])
    np.testing.assert_allclose(probabilities, model.predict_proba(X), atol=1e-4)
    np.testing.assert_allclose(scores[:, 0], model.decision_function(X), atol=SCORES)


def test_three_classes_with_numbers_for_labels():
    X, y = three_classes(1500)
    numbers = np.unique(y, return_inverse=True)[1] * 10 - 10.0
    model = classifier(gamma=0.02).fit(X, numbers)
    label, probabilities = run(to_onnx(model), X)
    assert label.dtype == np.int64
    assert np.mean(label == model.predict(X)) > 0.999
    np.testing.assert_allclose(probabilities, model.predict_proba(X), atol=1e-4)


def test_regressor_in_the_units_of_its_targets():
    X, y = curve(1500)
    model = regressor().fit(X, y)
    (variable,) = run(to_onnx(model), X)
    np.testing.assert_allclose(variable[:, 0], model.predict(X), rtol=1e-6)


def test_one_class_fractions_and_a_model_that_has_learned_nothing(boards):
    X, y, _ = boards
    one = classifier().fit(X[:50], np.full(50, 7))
    label, probabilities = run(to_onnx(one), X[:5])
    assert label.tolist() == [7] * 5 and probabilities.tolist() == [[1.0]] * 5
    halves = classifier().initialize(X, np.where(y == "white", 0.5, -0.5), classes=[-0.5, 0.5])
    label, probabilities, scores = run(to_onnx(halves, outputs=("label", "probabilities", "scores")), X[:5])
    assert label.tolist() == [-0.5] * 5 and scores.tolist() == [[0.0]] * 5
    np.testing.assert_allclose(probabilities, 0.5)


def test_a_model_has_scores(boards):
    X, _, model = boards
    (scores,) = run(to_onnx(model.model_), X)
    np.testing.assert_allclose(scores, model.model_.scores_many(X), atol=SCORES)


def test_pipelines_through_skl2onnx(boards):
    X, y, _ = boards
    register()
    X = (1000.0 + 50.0 * X).astype(np.float32)
    pipe = make_pipeline(StandardScaler(), classifier()).fit(X, y)
    label, zipped = run(skl2onnx.to_onnx(pipe, X[:1]), X)
    clear = np.abs(pipe.decision_function(X)) > 1e-2  # the scaler is not ours, and rounds before it subtracts
    np.testing.assert_array_equal(label[clear], pipe.predict(X)[clear])
    assert clear.mean() > 0.95 and set(zipped[0]) == {"black", "white"}
    plain = skl2onnx.to_onnx(pipe, X[:1], options={"zipmap": False})
    np.testing.assert_allclose(run(plain, X)[1], pipe.predict_proba(X), atol=2e-2)
    Z, t = curve(600)
    numbers = make_pipeline(StandardScaler(), regressor()).fit(Z, t)
    (variable,) = run(skl2onnx.to_onnx(numbers, Z[:1].astype(np.float32)), Z)
    np.testing.assert_allclose(variable[:, 0], numbers.predict(Z), rtol=1e-4)


def test_what_cannot_be_exported_says_so(boards):
    X, y, model = boards

    def overlap(x, z):
        return np.minimum(x, z).sum()

    @kernels_strategy
    class Branching(kernels.Radial):
        def of(self, u):
            return 1.0 if u < 1.0 else 0.0

    for kernel, why in (
        (kernels.kernel(overlap), "kernel\\(overlap\\) is a Python function of two"),
        (Branching(), "its `of`"),
    ):
        with pytest.raises(ValueError, match=why):
            to_onnx(KernelClassifier(recipes.kernel_sgd(kernel=kernel)).initialize(X, y))
    with pytest.raises(ValueError, match="outputs is \\['variable'\\]; use 'label', 'probabilities', 'scores', each"):
        to_onnx(model, outputs=["variable"])
    with pytest.raises(ValueError, match="dtype is 'int8'; use 'float32', 'float64' or None"):
        to_onnx(model, dtype="int8")
    with pytest.raises(ValueError, match="opset is 9"):
        to_onnx(model, opset=9)
