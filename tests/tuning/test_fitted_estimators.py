"""A fitted estimator with scales that it has chosen: it predicts, goes on learning, is saved, copied and searched."""

import pickle

import numpy as np
import pytest
from scipy.sparse import csr_matrix
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV

import kernelstream
from kernelstream import KernelClassifier
from tests.tuning.data import KINDS, classifier, eight, fitted

X, Y = eight(2000, 9)


def scores_of(model, X=X):
    return model.decision_function(X) if isinstance(model, KernelClassifier) else model.predict(X)


@pytest.fixture(scope="module", params=KINDS)
def tuned(request):
    return fitted(request.param)


def test_scores_are_those_of_the_kernel_on_mapped_rows(tuned):
    columns = tuned.feature_map_.transform(X[:50])
    assert tuned.support_vectors_.shape[1] == tuned.feature_map_.width
    squares = ((columns[:, None] - tuned.support_vectors_[None]) ** 2).sum(axis=2)
    plain = np.exp(-squares) @ tuned.dual_coef_.T + getattr(tuned, "intercept_", 0.0)
    found = scores_of(tuned, X[:50]).reshape(50, -1)
    np.testing.assert_allclose(found, plain, atol=1e-3 * np.ptp(plain))


def test_predictions_of_every_kind_agree(tuned):
    if not isinstance(tuned, KernelClassifier):
        assert tuned.predict(X).shape == (2000,)
        return
    decided, probable = tuned.decision_function(X), tuned.predict_proba(X)
    np.testing.assert_allclose(probable.sum(axis=1), 1.0)
    np.testing.assert_array_equal(tuned.classes_[probable.argmax(axis=1)], tuned.predict(X))
    by_score = decided.argmax(axis=1) if decided.ndim == 2 else (decided > 0.0).astype(int)
    np.testing.assert_array_equal(tuned.classes_[by_score], tuned.predict(X))


def test_probabilities_mean_something():
    model = fitted("two classes")
    probable = model.predict_proba(X)[np.arange(2000), Y]
    assert -np.log(probable).mean() < 0.3


def test_rows_alone_sparse_or_as_a_frame_are_predicted_alike(tuned):
    pandas = pytest.importorskip("pandas")
    found = scores_of(tuned)
    np.testing.assert_allclose(np.concatenate([scores_of(tuned, row[None]) for row in X[:5]]), found[:5], rtol=1e-5)
    np.testing.assert_array_equal(scores_of(tuned, csr_matrix(X)), found)
    make, data = KINDS["two classes"]
    rows, y = data()
    names = [f"f{j}" for j in range(8)]
    framed = make().fit(pandas.DataFrame(rows, columns=names), y)
    assert framed.feature_names_in_.tolist() == names and framed.feature_map_ == fitted("two classes").feature_map_
    with pytest.raises(ValueError, match="feature names"):
        framed.predict(pandas.DataFrame(X, columns=names[::-1]))


def test_relevance_is_per_feature_of_the_data(tuned):
    assert tuned.feature_relevance_.shape == (8,) and tuned.feature_relevance_.sum() == pytest.approx(1.0)
    given = kernelstream.feature_relevance(tuned, X[:100])
    assert given.shape == (8,) and given.sum() == pytest.approx(1.0) and given[:2].sum() > 0.9


def test_relevance_of_a_rank_column_is_that_of_its_feature():
    S = np.random.default_rng(1).normal(size=(1500, 3))
    rows = np.column_stack([S[:, 1], np.exp(2.0 * S[:, 0]), S[:, 2]])
    model = classifier().fit(rows, np.sin(3.0 * S[:, 0]) > 0.0)
    assert model.feature_map_.width > 3 and model.feature_relevance_.shape == (3,)
    assert model.feature_relevance_.argmax() == 1 and model.feature_relevance_.sum() == pytest.approx(1.0)


@pytest.mark.parametrize("kind", KINDS)
def test_learning_goes_on_in_the_same_units(kind):
    _, data = KINDS[kind]
    model = fitted(kind)
    before, learned = model.feature_map_, model.t_
    more, y = data(1000, 5)
    model.partial_fit(more[:500], y[:500])
    predicted = model.predict_then_learn(more[500:], y[500:])
    assert model.feature_map_ is before and model.t_ == learned + 1000 and predicted.shape == (500,)
    assert model.score(*data(2000, 9)) > 0.85
    with pytest.raises(ValueError, match="new ones have none"):
        model.add_features(9)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("half", [False, True])
def test_saved_and_loaded_it_is_the_same(kind, half, tmp_path):
    model = fitted(kind)
    kernelstream.save(model, tmp_path / "model.ks", half=half)
    other = kernelstream.load(tmp_path / "model.ks")
    assert other.feature_map_ == model.feature_map_ and other.n_features_in_ == 8
    assert other.get_params() == model.get_params()
    found, wanted = scores_of(other), scores_of(model)
    if half:
        assert np.abs(found - wanted).max() < 0.02 * np.ptp(wanted)
    else:
        np.testing.assert_array_equal(found, wanted)
        _, data = KINDS[kind]
        for each in (model, other):
            each.partial_fit(*data(100, 5))
        np.testing.assert_array_equal(scores_of(other), scores_of(model))


def test_pickled_compressed_or_cloned(tuned):
    other = pickle.loads(pickle.dumps(tuned))
    assert other.feature_map_ == tuned.feature_map_
    np.testing.assert_array_equal(scores_of(other), scores_of(tuned))
    assert tuned.compress(50).feature_map_ == tuned.feature_map_ and scores_of(tuned.compress(50)).shape[0] == 2000
    fresh = clone(tuned)
    assert not hasattr(fresh, "feature_map_") and fresh.get_params() == tuned.get_params() and fresh.tune


def test_a_grid_search_over_lam():
    rows, y = eight()
    search = GridSearchCV(classifier(), {"lam": [1e-5, 1e-3]}, cv=2).fit(rows, y)
    assert search.best_estimator_.feature_map_ is not None and search.best_score_ > 0.85
    assert search.best_estimator_.model_.recipe.step.lam == search.best_params_["lam"]
