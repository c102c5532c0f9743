"""Streams that nothing is known of: `partial_fit` of both estimators adapts, and says what was done."""

import pickle

import numpy as np
import pytest
from scipy.sparse import csr_matrix

import kernelstream
from kernelstream import KernelClassifier, KernelRegressor
from kernelstream.datasets import checkerboard
from kernelstream.evaluate import progressive
from kernelstream.export.c import header
from kernelstream.model import Model
from kernelstream.tracking import AdaptiveModel

X, Y = checkerboard(4000, seed=0)
UNITS = np.array([1e5, 1e-4])


def classifier(**more):
    return KernelClassifier(**{"budget": 60, "random_state": 0} | more)


def learned(model=None, rows=1000, y=Y):
    model = classifier() if model is None else model
    known = {} if isinstance(model, KernelRegressor) else {"classes": np.unique(y)}
    return model.partial_fit(X[:rows] * UNITS, y[:rows], **known)


@pytest.mark.parametrize(
    "told",
    [
        {"adapt": False}, {"gamma": 1.0}, {"half_life": 500.0}, {"loss": "logistic"}, {"kernel": "gaussian"},
        {"algorithm": "bsgd"}, {"budget": "64 KiB"},
    ],
)  # fmt: skip
def test_whoever_says_something_about_the_model_gets_a_single_one(told):
    assert classifier().adapts and not classifier(**told).adapts


def test_a_stream_in_any_units_is_learned():
    model = learned()
    assert isinstance(model.model_, AdaptiveModel)
    assert model.score(X[1000:] * UNITS, Y[1000:]) > 0.9
    p = model.predict_proba(X[1000:1010] * UNITS)
    np.testing.assert_allclose(p.sum(axis=1), 1.0)
    decision = model.decision_function(X[1000:1010] * UNITS)
    np.testing.assert_allclose(1.0 / (1.0 + np.exp(-decision)), p[:, 1], rtol=1e-9)
    assert model.n_support_ <= 60 and model.t_ == 1000 and model.n_iter_ == 1
    np.testing.assert_allclose(model.feature_relevance_.sum(), 1.0)


def test_chunks_and_single_rows_are_the_same():
    whole, parts = learned(rows=300), classifier()
    for start, stop in ((0, 1), (1, 50), (50, 200), (200, 300)):
        parts.partial_fit(X[start:stop] * UNITS, Y[start:stop], classes=[-1, 1])
    np.testing.assert_array_equal(whole.predict_proba(X * UNITS), parts.predict_proba(X * UNITS))


def test_a_world_that_is_reversed_is_noticed():
    y = np.where(np.arange(4000) < 2000, Y, -Y)
    result = progressive(classifier(), [(X[i : i + 50], y[i : i + 50]) for i in range(0, 4000, 50)], classes=[-1, 1])
    model = classifier().partial_fit(X, y, classes=[-1, 1])
    assert result.score[-1] > 0.8
    assert any(2000 < event.row < 2500 for event in model.drift_) and all(event.row > 2000 for event in model.drift_)
    assert classifier(gamma=4.0).fit(X[:100], Y[:100]).drift_ == []


def test_fit_is_a_single_model_and_partial_fit_continues_it():
    model = classifier().fit(X[:500], Y[:500])
    assert isinstance(model.model_, Model)
    assert isinstance(model.partial_fit(X[500:600], Y[500:600]).model_, Model)


def test_a_half_life_that_is_found():
    y = np.where(np.arange(4000) < 2000, Y, -Y)
    model = classifier(half_life="auto").fit(X, y)
    assert isinstance(model.model_, AdaptiveModel) and model.score(X[:500], -Y[:500]) > 0.9
    narrow = classifier(half_life="auto", gamma=4.0).partial_fit(X, y, classes=[-1, 1])
    gammas = {each.recipe.kernel.gamma for each in narrow.model_.stream.tracker.models}
    assert gammas == {4.0} and narrow.model_.stream.units is None and narrow.score(X[:500], -Y[:500]) > 0.9
    for wrong in ({"algorithm": "bsgd"}, {"loss": "logistic"}, {"adapt": False}, {"budget": "64 KiB"}):
        with pytest.raises(ValueError, match="half_life='auto' mixes models of the default algorithm"):
            classifier(half_life="auto", **wrong).fit(X[:50], Y[:50])
    with pytest.raises(ValueError, match="rows that are not sparse"):
        classifier(half_life="auto").fit(csr_matrix(X[:50]), Y[:50])


def test_sparse_rows_and_several_outputs_are_learned_by_a_single_model():
    assert isinstance(classifier().partial_fit(csr_matrix(X[:200]), Y[:200], classes=[-1, 1]).model_, Model)
    assert isinstance(KernelRegressor(budget=20).partial_fit(X[:200], X[:200]).model_, Model)
    dense = learned(rows=200)
    dense.partial_fit(csr_matrix(X[200:300] * UNITS), Y[200:300])  # sparse rows later are converted
    np.testing.assert_array_equal(dense.predict(csr_matrix(X[:50] * UNITS)), dense.predict(X[:50] * UNITS))


def test_numbers():
    y = 1e6 + 1e4 * np.sin(3.0 * X[:, 0]) * X[:, 1]
    model = learned(KernelRegressor(budget=60, random_state=0), 3000, y)
    assert isinstance(model.model_, AdaptiveModel) and model.predict(X[:5]).shape == (5,)
    assert model.score(X[3000:] * UNITS, y[3000:]) > 0.8
    assert model.intercept_ == 0.0  # the model has units of its own


@pytest.mark.parametrize("rows", [5, 100, 700])
@pytest.mark.parametrize("kind", ["classifier", "three classes", "regressor"])
def test_saved_and_loaded_it_goes_on(kind, rows, tmp_path):
    y = {"classifier": Y, "three classes": np.floor(3.0 * np.abs(X[:, 0])), "regressor": X[:, 0] * X[:, 1]}[kind]
    model = learned(KernelRegressor(budget=60, random_state=0) if kind == "regressor" else classifier(), rows, y)
    kernelstream.save(model, tmp_path / "model.ks")
    others = [kernelstream.load(tmp_path / "model.ks"), pickle.loads(pickle.dumps(model))]
    for each in (model, *others):
        each.partial_fit(X[rows : rows + 100] * UNITS, y[rows : rows + 100])
    for other in others:
        np.testing.assert_array_equal(other.predict(X * UNITS), model.predict(X * UNITS))
        assert other.get_params() == model.get_params() and other.t_ == rows + 100
    about = kernelstream.saving.describe(tmp_path / "model.ks")
    assert (about.examples, about.features) == (rows, 2)


def test_what_a_mixture_cannot_do_is_said(tmp_path):
    model = learned()
    for name in ("support_vectors_", "dual_coef_"):
        with pytest.raises(AttributeError, match="several models and tables"):
            getattr(model, name)
    with pytest.raises(ValueError, match="several models and tables"):
        model.compress(10)
    with pytest.raises(ValueError, match="some of the models have adapted to a stream, and others are single ones"):
        kernelstream.merge([model, classifier(gamma=1.0).fit(X, Y)])
    with pytest.raises(ValueError, match="half=True saves a single function"):
        kernelstream.save(model, tmp_path / "model.ks", half=True)
    with pytest.raises(ValueError, match="leave X out"):
        kernelstream.feature_relevance(model, X[:10])
    np.testing.assert_array_equal(kernelstream.feature_relevance(model), model.feature_relevance_)


def test_the_best_kernel_model_is_exported_with_a_warning():
    model = learned(rows=2000)
    with pytest.warns(UserWarning, match="best of its kernel models") as noticed:
        text = header(model, "board")
    assert noticed[0].filename == __file__
    assert "board_predict" in text
    with pytest.raises(ValueError, match="has learned 5 rows only"):
        header(learned(rows=5), "board")


def test_a_clock_is_named_by_its_column():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(np.column_stack([X[:700], np.arange(700.0)]), columns=["a", "b", "time"])
    with pytest.warns(UserWarning, match="Feature 'time' has only risen"):
        classifier().partial_fit(frame, Y[:700], classes=[-1, 1])
