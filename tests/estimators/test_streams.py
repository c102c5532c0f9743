"""Streams: pieces, orders, interruptions."""

import copy
import io
import pickle
import sys

import joblib
import numpy as np
import pytest
from scipy.sparse import csr_array, csr_matrix

from kernelstream import KernelClassifier, KernelRegressor, recipes
from kernelstream.bounds import Unbounded
from kernelstream.estimators import epochs
from kernelstream.kernels import Gaussian
from kernelstream.losses import CrammerSinger, Huber

from .data import classifier, curve, plain, same, two_classes

STREAMERS = {
    "bsgd": plain(),
    # with a step of its own: that of the theorem depends on the length of the stream, which `fit` knows
    "olrd": KernelClassifier(recipes.olrd(Gaussian(0.1), CrammerSinger(), eta=0.5, budget=30), random_state=1),
    "oskl": KernelClassifier("oskl", gamma=0.1, loss="multinomial", random_state=2),
}


@pytest.mark.parametrize("name", STREAMERS)
def test_one_pass_of_fit_is_partial_fit_in_pieces(name):
    model = STREAMERS[name]
    X, y = two_classes(500)
    whole = copy.deepcopy(model).set_params(epochs=1, shuffle=False).fit(X, y)
    pieces = copy.deepcopy(model)
    for rows in np.array_split(np.arange(500), [1, 8, 200]):
        pieces.partial_fit(X[rows], y[rows], classes=["black", "white"])
    same(whole, pieces, X)
    assert (whole.n_iter_, pieces.n_iter_) == (1, 4)


@pytest.mark.parametrize("name", STREAMERS)
@pytest.mark.parametrize("through", ["pickle", "joblib", "deepcopy"])
def test_an_interruption_changes_nothing(name, through):
    X, y = two_classes(400)
    model = copy.deepcopy(STREAMERS[name]).partial_fit(X[:200], y[:200], classes=["black", "white"])
    if through == "pickle":
        twin = pickle.loads(pickle.dumps(model))
    elif through == "joblib":
        file = io.BytesIO()
        joblib.dump(model, file)
        file.seek(0)
        twin = joblib.load(file)
    else:
        twin = copy.deepcopy(model)
    same(model.partial_fit(X[200:], y[200:]), twin.partial_fit(X[200:], y[200:]), X)


def test_partial_fit_goes_on_after_fit():
    X, y = two_classes(600)
    model = plain(epochs=2).fit(X[:300], y[:300])
    model.partial_fit(X[300:], y[300:])
    assert model.record_.examples == 900
    assert model.n_iter_ == 3
    assert model.fit(X, y).record_.examples == 1200  # fit begins again


def test_chunks_and_progress_do_not_change_the_result(monkeypatch, capsys):
    X, y = two_classes(3000)
    models = [classifier(epochs=2, progress=progress).fit(X, y) for progress in (False, True)]
    drawn = capsys.readouterr().out
    assert "5700/5700" in drawn  # one row in twenty is held back
    assert "examples/s" in drawn and "40 SVs" in drawn and "mean loss" in drawn
    monkeypatch.setattr(epochs, "CHUNK", 7)
    models.append(classifier(epochs=2).fit(X, y))
    same(models[0], models[1], X)
    same(models[0], models[2], X)


def test_progress_needs_rich(monkeypatch):
    monkeypatch.setitem(sys.modules, "rich.progress", None)
    with pytest.raises(ImportError, match=r'pip install "kernelstream\[progress\]"'):
        classifier(progress=True).fit(*two_classes(20))


def test_order_and_seed():
    X, y = two_classes(500)
    same(classifier().fit(X, y), classifier().fit(X, y), X)
    other = classifier(random_state=1).fit(X, y)
    assert (other.decision_function(X) != classifier().fit(X, y).decision_function(X)).any()
    still = [classifier(random_state=seed, shuffle=False).fit(X, y) for seed in (0, 1)]  # merging tosses no coins
    same(*still, X)


def test_epochs():
    X, y = two_classes(500)
    assert classifier().fit(X, y).n_iter_ == 20
    assert plain(epochs=3).fit(X, y).record_.examples == 1500
    assert classifier(epochs=3).fit(X, y).record_.examples == 3 * 475 + 25  # rows held back are learned at the end
    assert [epochs.automatic_epochs(n) for n in (1, 2_500, 49_999, 50_000, 10**7)] == [20, 20, 2, 1, 1]


@pytest.mark.parametrize("container", [csr_array, csr_matrix, lambda X: csr_matrix(X).tocsc()])
def test_sparse_rows_predict_as_dense_ones(container):
    X, y = two_classes(400)
    X = np.where(np.abs(X) < 0.3, 0.0, X)
    dense, sparse = plain(gamma="scale").fit(X, y), plain(gamma="scale").fit(container(X), y)
    np.testing.assert_allclose(sparse.decision_function(container(X)), dense.decision_function(X), atol=1e-3)
    np.testing.assert_allclose(sparse.decision_function(X), sparse.decision_function(container(X)), atol=1e-4)
    refitted = classifier(gamma="scale").fit(container(X), y)
    np.testing.assert_allclose(refitted.decision_function(X), refitted.decision_function(container(X)), atol=1e-3)
    assert refitted.score(X, y) >= dense.score(X, y)


def test_a_regressor_in_pieces():
    X, y = curve()
    # no refit, which needs all the data at once to be the same, and no ball, whose radius comes from the first rows
    recipe = recipes.bsgd(Gaussian(0.5), Huber(), 1e-5, 40, offset=2.0, bound=Unbounded())
    whole = KernelRegressor(recipe, epochs=1, shuffle=False, scale_target=False).fit(X, y)
    pieces = KernelRegressor(recipe, scale_target=False)
    for rows in np.array_split(np.arange(len(X)), 5):
        pieces.partial_fit(X[rows], y[rows])
    np.testing.assert_array_equal(whole.predict(X), pieces.predict(X))
    twin = pickle.loads(pickle.dumps(pieces))
    np.testing.assert_array_equal(twin.partial_fit(X, y).predict(X), pieces.partial_fit(X, y).predict(X))
