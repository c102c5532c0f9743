"""Estimators that are told nothing: `fit` chooses scales of features, unless something is said or rows are unfit."""

import numpy as np
import pytest
from scipy.sparse import csr_matrix

from kernelstream import KernelClassifier, kernels
from kernelstream.tuning import choice, judging
from kernelstream.tuning.choice import LEAST, WIDEST
from kernelstream.tuning.folds import folds_of
from tests.tuning.data import KINDS, classifier, eight, fitted, regressor

UNITS = np.array([1e6, 1e-6, 1.0, 1e6, 1e-6, 1.0, 1.0, 1e3])


def alike(a, b, X):
    """Assert that two fitted classifiers are one function."""
    np.testing.assert_array_equal(a.decision_function(X), b.decision_function(X))
    np.testing.assert_array_equal(a.support_vectors_, b.support_vectors_)
    np.testing.assert_array_equal(a.dual_coef_, b.dual_coef_)


@pytest.mark.parametrize("kind", KINDS)
def test_two_relevant_features_of_eight_are_found(kind):
    _, data = KINDS[kind]
    tuned, usual = fitted(kind), fitted(kind, tune=False)
    X, y = data(2000, 9)
    assert usual.feature_map_ is None and tuned.feature_map_.features == tuned.n_features_in_ == 8
    assert tuned.score(X, y) > usual.score(X, y) + 0.15
    relevance = tuned.feature_relevance_
    assert relevance.shape == (8,) and relevance.sum() == pytest.approx(1.0) and relevance[:2].sum() > 0.9


@pytest.mark.parametrize(
    "told",
    [{"tune": False}, {"gamma": 0.5}, {"gamma": "scale"}, {"kernel": "gaussian"}, {"kernel": kernels.Laplacian(1.0)},
     {"algorithm": "bsgd"}, {"half_life": 300.0}],
)  # fmt: skip
def test_whoever_says_something_about_the_kernel_is_obeyed(told):
    model = classifier(**told)
    assert not model.tunes and model.fit(*eight(600)).feature_map_ is None


def test_rows_that_are_too_few_sparse_or_wide_are_left_as_they_are():
    X, y = eight(600)
    assert classifier().fit(X[: LEAST - 1], y[: LEAST - 1]).feature_map_ is None
    assert classifier().fit(X, y).feature_map_ is not None
    assert classifier().fit(csr_matrix(X), y).feature_map_ is None
    wide = np.hstack([X, np.random.default_rng(0).normal(size=(600, WIDEST - 7))])
    assert classifier(budget=20).fit(wide, y).feature_map_ is None


def test_the_limits_count_rows_with_a_weight_only():
    X, y = eight(600)
    assert classifier().fit(X, y, sample_weight=np.arange(600) < LEAST - 1).feature_map_ is None


@pytest.mark.parametrize("kind", ["two classes", "numbers"])
def test_rows_of_weight_0_do_not_count_in_the_choice(kind):
    make, data = KINDS[kind]
    X, y = data()
    # in the same places as before among the rows that count, with features and targets of another world
    X2, y2 = np.insert(X, np.arange(0, 1000, 10), 50.0, axis=0), np.insert(y, np.arange(0, 1000, 10), y[0])
    weights = np.insert(np.ones(1000), np.arange(0, 1000, 10), 0.0)
    plain, other = make().fit(X, y), make().fit(X2, y2, sample_weight=weights)
    assert other.feature_map_ == plain.feature_map_
    assert other.model_.recipe.step.lam == plain.model_.recipe.step.lam


@pytest.mark.parametrize("lam", [1e-5, 1e-3])
def test_if_the_usual_width_stands_the_model_is_the_one_without_tuning(lam, monkeypatch):
    monkeypatch.setattr("kernelstream.tuning.trials.winner", lambda verdicts, base: (base, lam))
    X, y = eight()
    tuned = classifier().fit(X, y)
    assert tuned.feature_map_ is None
    alike(tuned, classifier(tune=False, lam=lam).fit(X, y), X)


@pytest.mark.parametrize("kind", KINDS)
def test_units_of_features_do_not_matter(kind):
    make, data = KINDS[kind]
    (X, y), (Xt, yt) = data(), data(2000, 9)
    assert make().fit(X * UNITS, y).score(Xt * UNITS, yt) == pytest.approx(make().fit(X, y).score(Xt, yt), abs=0.01)


def test_the_same_seed_gives_the_same_model_and_a_given_lam_is_kept():
    X, y = eight()
    alike(classifier().fit(X, y), classifier().fit(X, y), X)
    assert classifier(lam=3e-4).fit(X, y).model_.recipe.step.lam == 3e-4


def test_labels_of_nothing_but_noise_do_no_harm():
    scores = []
    for seed in range(4):
        rng = np.random.default_rng(seed)
        X, y = rng.normal(size=(2600, 4)), rng.normal(size=2600)
        both = [regressor(random_state=seed, tune=tune).fit(X[:600], y[:600]) for tune in (True, False)]
        scores.append([model.score(X[600:], y[600:]) for model in both])
    tuned, usual = np.mean(scores, axis=0)
    assert tuned >= usual


def test_bad_rows_are_named_and_nothing_changes():
    X, y = eight()
    model, bad = classifier().fit(X, y), X.copy()
    before, scores = model.feature_map_, model.decision_function(X)
    bad[17, 3] = np.nan
    for work in (lambda: model.fit(bad, y), lambda: model.partial_fit(bad, y), lambda: model.predict(bad)):
        with pytest.raises(ValueError, match=r"row 17\b.*column 3\b|column 3\b.*row 17\b"):
            work()
    assert model.feature_map_ is before
    np.testing.assert_array_equal(model.decision_function(X), scores)
    fresh = KernelClassifier()
    with pytest.raises(ValueError, match="17"):
        fresh.fit(bad, y)
    assert not hasattr(fresh, "feature_map_") and not hasattr(fresh, "model_")


def test_a_fit_begins_anew():
    X, y = eight()
    again = classifier().fit(X, y).fit(X[:, :3], y)
    assert again.feature_map_.features == 3
    assert again.fit(X[:80], y[:80]).feature_map_ is None
    assert again.partial_fit(X[80:200], y[80:200]).feature_map_ is None


@pytest.mark.parametrize("rows", [np.ones((300, 3)), np.zeros((300, 1)), np.zeros((300, 2), bool)])
def test_rows_that_are_all_alike(rows):
    model = KernelClassifier(random_state=0, budget=20).fit(rows, np.arange(300) % 2)
    assert model.feature_map_ is None and np.isfinite(model.decision_function(rows)).all()


def test_a_constant_column_that_changes_later():
    X = np.random.default_rng(0).normal(size=(400, 3))
    X[:, 2] = 7.0
    model = KernelClassifier(random_state=0, budget=20).fit(X, X[:, 0] * X[:, 1] > 0.0)
    X[:, 2] = 8.0
    assert np.isfinite(model.decision_function(X)).all()


def test_more_rows_than_those_of_the_search_need_less_regularisation(monkeypatch):
    X, y = eight(600)
    before = classifier().fit(X, y)
    monkeypatch.setattr("kernelstream.estimators.tuned.searched_rows", lambda features: 75)
    after = classifier().fit(X, y)
    assert after.lam_ == pytest.approx(before.lam_ / 4)
    np.testing.assert_array_equal(after.feature_map_.transform(X), before.feature_map_.transform(X))
    assert classifier(lam=1e-3).fit(X, y).lam_ == 1e-3  # whoever says it is obeyed


@pytest.mark.parametrize("rows, folds, judges", [(900, 3, 900), (1500, 3, 1200), (4100, 1, 720)])
def test_wide_rows_are_searched_with_fewer_and_judge_once(monkeypatch, rows, folds, judges):
    monkeypatch.setattr(choice, "NUMBERS", 8 * 600)
    held = []
    monkeypatch.setattr(choice, "judged", lambda *given: held.append(given[4]) or judging.judged(*given))
    X, y = eight(rows)
    found = []
    monkeypatch.setattr(choice, "folds_of", lambda *sizes: found.append(sizes) or folds_of(*sizes))
    model = classifier().fit(X, y)
    assert found == [(600, choice.CENTRES, rows)] and len(folds_of(*found[0])) == folds
    assert model.feature_map_ is not None
    judging_rows = np.concatenate([fold.held for fold in held[0]])
    assert len(judging_rows) == len(np.unique(judging_rows)) == judges
