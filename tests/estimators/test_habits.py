"""What users of scikit-learn expect: weights of classes, names of kernels, logarithms of probabilities, Ctrl-C."""

import _thread
import threading
import warnings

import numpy as np
import pytest
from sklearn.metrics.pairwise import pairwise_kernels

import kernelstream
from kernelstream import KernelClassifier, KernelRegressor
from kernelstream.datasets import checkerboard
from kernelstream.estimators import tuned
from kernelstream.estimators.epochs import Passes
from kernelstream.tuning.choice import Tuned
from kernelstream.tuning.rank_columns import standardised

RNG = np.random.default_rng(0)
X = RNG.normal(size=(1500, 3))
RARE = np.where(X[:, 0] + 0.5 * RNG.normal(size=1500) > 1.5, "rare", "usual")


def recall(model):
    return float((model.predict(X[RARE == "rare"]) == "rare").mean())


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize("more", [{"gamma": 0.3}, {}])
def test_weights_of_classes(stream, more):
    found = {}
    for name, weight in (("none", None), ("balanced", "balanced"), ("dict", {"rare": 5.0})):
        model = KernelClassifier(class_weight=weight, budget=50, random_state=0, **more)
        model = model.partial_fit(X, RARE, classes=["rare", "usual"]) if stream else model.fit(X, RARE)
        found[name] = recall(model)
        np.testing.assert_array_equal(model.class_counts_, [(RARE == "rare").sum(), (RARE == "usual").sum()])
    assert found["balanced"] > found["none"] + 0.1 and found["dict"] > found["none"] + 0.05


def test_balanced_is_by_the_frequencies_so_far():
    """In `fit` weights are those of all rows; in a stream, of the rows up to those of the call."""
    weight = {"rare": 1500 / (2 * (RARE == "rare").sum()), "usual": 1500 / (2 * (RARE == "usual").sum())}
    given = {"gamma": 0.3, "budget": 30, "random_state": 0}
    one = KernelClassifier(class_weight="balanced", **given).fit(X, RARE)
    two = KernelClassifier(class_weight=weight, **given).fit(X, RARE)
    three = KernelClassifier(**given).fit(X, RARE, np.where(RARE == "rare", weight["rare"], weight["usual"]))
    for other in (two, three):
        np.testing.assert_allclose(one.decision_function(X), other.decision_function(X), rtol=1e-9)
    parts = KernelClassifier(class_weight="balanced", **given)
    parts.partial_fit(X[:500], RARE[:500], classes=["rare", "usual"]).partial_fit(X[500:], RARE[500:])
    assert parts.class_counts_.sum() == 1500


@pytest.mark.parametrize(
    ("weight", "message"),
    [
        ({"other": 1.0}, "label 'other', which is not among"),
        ({"rare": -1.0}, "must be a number of at least 0"),
        ("even", "class_weight"),
    ],
)
def test_weights_of_classes_that_are_wrong(weight, message):
    with pytest.raises(ValueError, match=message):
        KernelClassifier(class_weight=weight).fit(X, RARE)


@pytest.mark.parametrize("weight", [{"rare": 3.0, "usual": 1.0}, "balanced"])
def test_weights_of_classes_are_saved(weight, tmp_path):
    model = KernelClassifier(class_weight=weight, gamma=0.3, budget=20, random_state=0)
    model.partial_fit(X[:700], RARE[:700], classes=["rare", "usual"])
    kernelstream.save(model, tmp_path / "model.ks")
    again = kernelstream.load(tmp_path / "model.ks")
    assert again.get_params() == model.get_params()
    for each in (model, again):
        each.partial_fit(X[700:], RARE[700:])
    np.testing.assert_array_equal(again.predict_proba(X), model.predict_proba(X))


@pytest.mark.parametrize(("name", "ours"), [("rbf", "gaussian"), ("poly", "polynomial")])
def test_kernels_by_the_names_of_scikit_learn(name, ours):
    one, two = (
        KernelClassifier(kernel=kernel, budget=20, random_state=0).fit(X[:300], RARE[:300]) for kernel in (name, ours)
    )
    np.testing.assert_array_equal(one.decision_function(X), two.decision_function(X))


@pytest.mark.parametrize("kind", [KernelClassifier, KernelRegressor])
@pytest.mark.parametrize(
    ("name", "metric", "more"),
    [
        ("rbf", "rbf", {}),
        ("poly", "poly", {"degree": 3, "coef0": 1.0}),
        ("laplacian", "laplacian", {}),
    ],
)
def test_kernels_are_those_of_scikit_learn(kind, name, metric, more):
    y = X[:300, 0] > 0
    model = kind(kernel=name, gamma=0.2, budget=20, random_state=0, dtype="float64").fit(X[:300], y)
    values = pairwise_kernels(X, model.support_vectors_, metric=metric, gamma=0.2, **more)
    wanted = values @ model.dual_coef_[0] + (model.intercept_[0] if kind is KernelRegressor else 0.0)
    found = model.predict(X) if kind is KernelRegressor else model.decision_function(X)
    np.testing.assert_allclose(found, wanted, rtol=1e-6, atol=1e-6 * np.abs(wanted).max())


@pytest.mark.parametrize("kind", [KernelClassifier, KernelRegressor])
def test_kernels_that_are_missing(kind):
    for name in ("sigmoid", "precomputed"):
        with pytest.raises(ValueError, match=f"'kernel' parameter .* rbf, laplacian, .* poly, .* Got '{name}' instead"):
            kind(kernel=name).fit(X[:300], X[:300, 0] > 0)


def test_logarithms_of_probabilities():
    model = KernelClassifier(gamma=0.3, budget=20).fit(X[:300], RARE[:300])
    np.testing.assert_allclose(np.exp(model.predict_log_proba(X)), model.predict_proba(X))


def test_never_more_support_vectors_than_rows():
    for rows in (1, 2, 30):
        model = KernelClassifier(gamma=0.3).fit(X[:rows], np.arange(rows) % 2)
        assert model.n_support_ <= max(rows, 2)


@pytest.mark.parametrize("size", ["16 KiB", "64 KiB"])
def test_a_budget_in_bytes_keeps_the_refit(size):
    board, y = checkerboard(3000, seed=0)
    test = checkerboard(3000, seed=1)
    model = KernelClassifier(gamma=4.0, budget=size, random_state=0).fit(board, y)
    as_many = KernelClassifier(gamma=4.0, budget=model.n_support_, random_state=0).fit(board, y)
    plain = KernelClassifier("bsgd", gamma=4.0, budget=model.n_support_, random_state=0).fit(board, y)
    assert model.model_.nbytes <= {"16 KiB": 16384, "64 KiB": 65536}[size]
    assert model.score(*test) == pytest.approx(as_many.score(*test), abs=0.01)
    assert model.score(*test) > plain.score(*test) - 0.002
    assert model.record_.examples == as_many.record_.examples
    model.partial_fit(board[:100], y[:100])
    assert model.model_.nbytes <= {"16 KiB": 16384, "64 KiB": 65536}[size]


@pytest.mark.parametrize(("budget", "plain", "ranks"), [("16 KiB", 0.1, 0), ("16 KiB", 0.3, 3), (60, 0.1, 3)])
def test_rank_columns_must_be_worth_their_bytes(budget, plain, ranks, monkeypatch):
    """They take the room of support vectors: with a budget in bytes, the search without them may have less loss."""
    losses = {True: 0.2, False: plain}

    def judged(task, rows, T, find, rng, lam, ranks):
        columns = standardised(rows, ranks)
        assert len(columns.ranks) == (3 if ranks else 0)
        return Tuned(columns, 1e-5, "descent", losses[ranks])

    monkeypatch.setattr(tuned, "choose", judged)
    model = KernelClassifier(budget=budget, random_state=0).fit(np.exp(X), RARE)
    assert len(model.feature_map_.ranks) == ranks


def test_ctrl_c_keeps_what_was_learned(monkeypatch):
    """An interrupt in the second pass: the model is that of the rows so far, and a warning says so."""
    board, y = checkerboard(2000, seed=0)
    passes = []

    def interrupted(self, order, watched, report, watch, original=Passes._pass):
        passes.append(len(order))
        original(self, order, watched, report, watch)
        if len(passes) == 2:
            raise KeyboardInterrupt

    monkeypatch.setattr(Passes, "_pass", interrupted)
    model = KernelClassifier(gamma=4.0, budget=50, epochs=10, random_state=0)
    with pytest.warns(UserWarning, match="Interrupted in pass 2 of 10") as noticed:
        model.fit(board, y)
    assert noticed[0].filename == __file__ and len(passes) == 2
    assert model.n_iter_ == 2 and model.score(*checkerboard(1000, seed=1)) > 0.9
    passes.clear()
    monkeypatch.setattr(Passes, "_pass", lambda *_: _thread.interrupt_main() or threading.Event().wait(5.0))
    before = model.predict(board)
    with pytest.raises(KeyboardInterrupt), warnings.catch_warnings():
        warnings.simplefilter("error")
        model.fit(board, y)  # nothing was learned yet: the model stays as it was
    np.testing.assert_array_equal(model.predict(board), before)


def test_what_was_chosen():
    model = KernelRegressor(gamma=0.7, lam=1e-4, budget=20).fit(X, X[:, 0])
    assert (model.gamma_, model.lam_) == (0.7, 1e-4) and model.feature_map_ is None
