"""Pipelines of scikit-learn: scalers and imputers are folded into what is exported, which takes raw rows."""

import numpy as np
import onnxruntime
import pandas as pd
import pytest
from sklearn.decomposition import PCA
from sklearn.exceptions import NotFittedError
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import FunctionTransformer, MaxAbsScaler, MinMaxScaler, RobustScaler, StandardScaler

from kernelstream import KernelClassifier, KernelRegressor
from kernelstream.export.c import header
from kernelstream.export.onnx import to_onnx

from .program import GCC, run_header

RNG = np.random.default_rng(0)
NORMAL = RNG.normal(size=(800, 4))
X = (NORMAL * [1.0, 5.0, 0.2, 3.0] + [0.0, 20.0, 0.0, -5.0]).astype(np.float32)
Y = np.where(NORMAL[:, 0] * NORMAL[:, 1] > 0, "in", "out")
HOLES = np.where(RNG.uniform(size=X.shape) < 0.1, np.float32(np.nan), X)
STEPS = {
    "standard": [StandardScaler()],
    "standard, no mean": [StandardScaler(with_mean=False)],
    "standard, no deviation": [StandardScaler(with_std=False)],
    "minmax": [MinMaxScaler((-1.0, 3.0))],
    "maxabs": [MaxAbsScaler()],
    "robust": [RobustScaler()],
    "robust, no centre": [RobustScaler(with_centering=False)],
    "robust, no scale": [RobustScaler(with_scaling=False)],
    "three": [RobustScaler(), MinMaxScaler(), StandardScaler()],
    "nothing": ["passthrough", FunctionTransformer()],
    "inner": [make_pipeline(MaxAbsScaler(), StandardScaler())],
    "mean": [SimpleImputer(), StandardScaler()],
    "median, last": [StandardScaler(), SimpleImputer(strategy="median")],
    "constant": [SimpleImputer(strategy="constant", fill_value=2.0), RobustScaler(), SimpleImputer()],
}


def near(found, wanted):
    scale = np.abs(wanted).max()
    np.testing.assert_allclose(found.ravel() / scale, wanted / scale, atol=2e-4)


def through_onnx(pipe, rows, output):
    graph = to_onnx(pipe, outputs=[output])
    session = onnxruntime.InferenceSession(graph.SerializeToString(), providers=["CPUExecutionProvider"])
    return session.run(None, {"X": rows})[0]


@pytest.mark.skipif(GCC is None, reason="gcc is not installed")
@pytest.mark.parametrize("steps", STEPS.values(), ids=STEPS)
def test_classifiers(steps, tmp_path):
    rows = HOLES if any(isinstance(step, SimpleImputer) for step in steps) else X
    # with a small λ, large coefficients cancel, and float32 has too few digits for them
    pipe = make_pipeline(*steps, KernelClassifier(gamma=0.1, lam=1e-2, budget=40, dtype="float64", random_state=0))
    pipe.fit(rows, Y)
    scores = pipe.decision_function(rows)
    found = run_header(header(pipe, "m"), rows, 1, 2, tmp_path)
    near(found.scores, scores)
    clear = np.abs(scores) > 1e-3 * np.abs(scores).max()
    np.testing.assert_array_equal(pipe.classes_[found.chosen[clear]], pipe.predict(rows)[clear])
    near(through_onnx(pipe, rows, "scores"), scores)


@pytest.mark.skipif(GCC is None, reason="gcc is not installed")
def test_a_regressor_with_ranks_and_names(tmp_path):
    frame = pd.DataFrame(np.exp(NORMAL).astype(np.float32), columns=["a", "b", "c", "d"])
    pipe = make_pipeline(MinMaxScaler(), KernelRegressor(budget=40, random_state=0))
    pipe.fit(frame, 100.0 + NORMAL[:, 0] * NORMAL[:, 1])
    assert pipe[-1].feature_map_.ranks
    text = header(pipe, "m")
    assert "x[1]: b" in text
    found = run_header(text, frame.to_numpy(), 1, 0, tmp_path)
    near(found.scores - 100.0, pipe.predict(frame) - 100.0)
    near(through_onnx(pipe, frame.to_numpy(), "variable") - 100.0, pipe.predict(frame) - 100.0)


def fitted(*steps):
    return make_pipeline(*steps, KernelClassifier(gamma="scale", budget=20)).fit(X, Y)


@pytest.mark.parametrize(
    ("pipe", "error", "message"),
    [
        (fitted(PCA(2)), ValueError, r"step 'pca' of the pipeline, PCA\(n_components=2\), cannot be exported"),
        (fitted(MinMaxScaler(clip=True)), ValueError, r"'minmaxscaler'.*use clip=False\."),
        (fitted(make_pipeline(PCA(2))), ValueError, "step 'pipeline__pca'"),
        (fitted(SimpleImputer(add_indicator=True)), ValueError, "'simpleimputer'.*add_indicator"),
        (fitted(SimpleImputer(missing_values=-1.0)), ValueError, "must replace NaN"),
        (Pipeline([("last", LogisticRegression())]), TypeError, r"'last', is LogisticRegression\(\)\. Only"),
        (make_pipeline(StandardScaler(), KernelClassifier()), NotFittedError, "not fitted"),
    ],
    ids=range(7),
)
def test_what_cannot_be_exported(pipe, error, message):
    for export in (header, to_onnx):
        with pytest.raises(error, match=message):
            export(pipe)
