"""C headers compile without a warning and say what the models say."""

import numpy as np
import pytest

from kernelstream.export.c import assemble, header
from kernelstream.export.c.c_header import build_header
from kernelstream.export.c.int8_tables import quantized_vectors
from kernelstream.export.portable_model import assemble_portable
from kernelstream.export.prediction_task import ScoreTask
from kernelstream.export.raw_rows import raw_rows
from tests.estimators.data import classifier, curve, regressor, three_classes, two_classes

from .cases import FEATURES, KERNELS, LABELS, Case
from .program import GCC, run_header

pytestmark = pytest.mark.skipif(GCC is None, reason="gcc is not installed")


@pytest.mark.parametrize("name", KERNELS)
def test_every_kernel_in_float32(name, tmp_path):
    case = Case(KERNELS[name], 0.0 if name == "fourier" else 1000.0)
    found = run_header(build_header(case.source, "m", "float32").text, case.X, 3, 3, tmp_path)
    np.testing.assert_allclose(found.scores / case.scale, case.scores / case.scale, atol=1e-5)
    np.testing.assert_allclose(found.probabilities, case.probabilities, atol=1e-4 * case.scale)
    clear = case.clear(1e-5)
    np.testing.assert_array_equal(found.chosen[clear], case.index[clear])


@pytest.mark.parametrize("name", [name for name in KERNELS if name not in ("fourier", "narrow")])
def test_every_kernel_in_int8(name, tmp_path):
    case = Case(KERNELS[name], 1000.0)
    made = build_header(case.source, "m", "int8")
    assert made.table_bytes < 0.6 * build_header(case.source, "m", "float32").table_bytes or name == "linear"
    found = run_header(made.text, case.X, 3, 3, tmp_path)
    assert np.mean(found.chosen == case.index) > 0.99
    np.testing.assert_allclose(found.scores / case.scale, case.scores / case.scale, atol=0.03)


def test_the_grid_is_fine_where_a_feature_is_short():
    rng = np.random.default_rng(0)
    vectors = rng.normal(size=(30, 4)) * [1.0, 0.1, 3.0, 0.01]
    found = quantized_vectors(vectors)
    off, widest = np.abs(found.values - vectors).max(axis=0), np.abs(vectors).max(axis=0)
    assert np.all(off <= (0.5 * widest / 127.0 + 0.5 * found.unit) * 1.001)
    assert found.unit < 0.0003 * widest.max()
    # the largest difference that can be, in every feature
    assert 4 * (found.limit + np.abs(found.codes * found.steps.astype(int)).max()) ** 2 < 2**31


@pytest.mark.parametrize("features", [1, 2, 784])
def test_the_grid_at_its_edges(features):
    found = quantized_vectors(np.vstack([np.full(features, 5.0), np.full(features, -5.0)]))
    assert features * (found.limit + np.abs(found.codes * found.steps.astype(int)).max()) ** 2 < 2**31
    np.testing.assert_allclose(found.values[0], 5.0, rtol=0.01)
    assert quantized_vectors(np.zeros((1, features))).values.tolist() == [[0.0] * features]


@pytest.mark.parametrize(("dtype", "tolerance"), [("float32", 1e-5), ("int8", 0.05)])
def test_random_features_of_data_that_the_model_scales(dtype, tolerance, tmp_path):
    rng, kernel = np.random.default_rng(0), KERNELS["fourier"]
    omega, coefficients = np.tile(rng.normal(size=(20, FEATURES)), (2, 1)), rng.normal(size=(40, 3))
    shift, factor = np.full(FEATURES, 1000.0), np.full(FEATURES, 0.02)
    rows = raw_rows(None, FEATURES)._replace(shift=shift, factor=factor, centre=shift)
    source = assemble_portable(kernel, omega, coefficients, np.zeros(3), rows, ScoreTask())
    X = (1000.0 + 50.0 * rng.normal(size=(2000, FEATURES))).astype(np.float32)
    scores = kernel((X - shift) * factor, omega) @ coefficients
    found = run_header(build_header(source, "m", dtype).text, X, 3, 0, tmp_path)
    np.testing.assert_allclose(found.scores, scores, atol=tolerance * np.abs(scores).max())


def test_labels_are_a_table(tmp_path):
    text = build_header(Case(KERNELS["gaussian"], 0.0, rows=1).source, "m", "float32").text
    assert LABELS[1] == 'say "b"?'
    assert r'"\303\251", "say \"b\"\?", "c"' in text


def test_estimators(tmp_path):
    X, y = two_classes(2000)
    model = classifier().fit(X, y)
    scores = model.decision_function(X)
    found = run_header(header(model, "m"), X, 1, 2, tmp_path)
    np.testing.assert_allclose(found.scores[:, 0], scores, atol=1e-5 * np.abs(scores).max())
    np.testing.assert_allclose(found.probabilities, model.predict_proba(X), atol=1e-4)
    clear = np.abs(scores) > 1e-5
    np.testing.assert_array_equal(model.classes_[found.chosen][clear], model.predict(X)[clear])
    made = assemble(model, "m", "int8")
    assert made.changed is not None and 0.0 <= made.changed < 0.05
    found = run_header(made.text, X, 1, 2, tmp_path)
    assert np.mean(model.classes_[found.chosen] == y) > model.score(X, y) - 0.01

    X, y = three_classes(1500)
    model = classifier(gamma=0.02).fit(X, y)
    found = run_header(header(model, "m"), X, 3, 3, tmp_path)
    scores = model.decision_function(X)
    np.testing.assert_allclose(found.scores, scores, atol=1e-5 * np.abs(scores).max())
    found = run_header(header(model, "m", "int8"), X, 3, 3, tmp_path)
    assert np.mean(model.classes_[found.chosen] == y) > model.score(X, y) - 0.01

    X, y = curve(600)
    model = regressor().fit(X, y)
    text = header(model, "m")
    assert "static inline float m_predict(const float *x)" in text
    found = run_header(text, X, 1, 0, tmp_path)
    np.testing.assert_allclose(found.scores[:, 0], model.predict(X), rtol=1e-6)


def test_what_cannot_be_written_says_so():
    source = Case(KERNELS["fourier"], 0.0, rows=1).source
    with pytest.raises(ValueError, match="random features in int8 needs scaled data"):
        build_header(source, "m", "int8")
    with pytest.raises(ValueError, match="dtype is 'int4'; use 'float32' or 'int8'"):
        build_header(source, "m", "int4")
    with pytest.raises(ValueError, match="name is 'double'; a name in C has letters"):
        build_header(source, "double", "float32")
