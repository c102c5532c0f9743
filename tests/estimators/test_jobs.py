"""`n_jobs`: the same model with any number of threads, or shares of rows and budget that are joined."""

import numpy as np
import pytest

from kernelstream import KernelClassifier, KernelRegressor
from kernelstream.core import parallel
from kernelstream.datasets import checkerboard
from kernelstream.estimators import shares


@pytest.fixture
def any_work(monkeypatch):
    """Threads for the smallest work."""
    monkeypatch.setattr(parallel, "WORTH", 0.0)
    monkeypatch.setattr(parallel, "LITTLE", 0.0)


@pytest.fixture
def small_shares(monkeypatch):
    monkeypatch.setattr(shares, "LEAST_ROWS", 500)
    monkeypatch.setattr(shares, "LEAST_BUDGET", 20)


def columns(rows=900, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(rows, 4))
    return X, np.sin(2.0 * X[:, 0]) + X[:, 1] * X[:, 0] + 0.1 * rng.normal(size=rows)


@pytest.mark.parametrize("kind", ["classes", "numbers"])
def test_the_search_and_the_refit_are_the_same_with_any_number_of_threads(any_work, kind):
    X, y = columns()
    make, y = (KernelRegressor, y) if kind == "numbers" else (KernelClassifier, y > 0.0)
    one, three = (make(budget=40, random_state=0, n_jobs=n).fit(X, y) for n in (1, 3))
    assert one.feature_map_ == three.feature_map_ and one.feature_map_ is not None
    np.testing.assert_array_equal(one.dual_coef_, three.dual_coef_)
    np.testing.assert_array_equal(one.support_vectors_, three.support_vectors_)
    np.testing.assert_array_equal(one.predict(X), three.predict(X))


def test_shares_divide_the_budget_and_count_every_row(small_shares):
    X, y = checkerboard(3000, seed=0)
    model = KernelClassifier(gamma=4.0, budget=75, epochs=2, random_state=0, n_jobs=3).fit(X, y)
    held = len(X[19::20])
    assert model.n_support_ == 75
    assert model.record_.examples == 2 * (3000 - held) + held
    assert model.record_.loss > 0.0
    assert model.score(*checkerboard(2000, seed=1)) > 0.95


def test_shares_give_the_same_model_again_and_another_for_another_number(small_shares):
    X, y = checkerboard(3000, seed=0)
    two, again, three = (
        KernelClassifier(gamma=4.0, budget=75, epochs=1, random_state=0, n_jobs=n).fit(X, y) for n in (2, 2, 3)
    )
    np.testing.assert_array_equal(two.dual_coef_, again.dual_coef_)
    np.testing.assert_array_equal(two.support_vectors_, again.support_vectors_)
    assert not np.array_equal(np.sort(two.support_vectors_[:, 0]), np.sort(three.support_vectors_[:, 0]))


def test_every_share_learns_rows_of_its_own(small_shares, monkeypatch):
    X, y = checkerboard(2000, seed=0)
    found = []

    def joined(model, parts):
        found.extend((part.record.examples, part.n_support) for part in parts)
        shares.join(model, parts)

    monkeypatch.setattr("kernelstream.estimators.epochs.join", joined)
    KernelClassifier(gamma=4.0, budget=61, epochs=1, random_state=0, n_jobs=2).fit(X, y)
    assert [size for _, size in found] == [31, 30]
    assert sum(rows for rows, _ in found) == 2000 - len(X[19::20]) and min(rows for rows, _ in found) > 0


@pytest.mark.parametrize("parameters", [{"half_life": 500.0}, {"algorithm": "bsgd"}, {"n_jobs": None}, {"budget": 39}])
def test_one_model_learns_where_shares_have_no_place(small_shares, monkeypatch, parameters):
    X, y = checkerboard(2000, seed=0)
    monkeypatch.setattr("kernelstream.estimators.epochs.join", lambda *_: pytest.fail("the rows were shared"))
    given = {"gamma": 4.0, "budget": 60, "n_jobs": 2, **parameters}
    assert KernelClassifier(epochs=1, random_state=0, **given).fit(X, y).record_.examples == 2000


def test_a_row_that_a_share_cannot_learn_is_named_by_its_place_in_the_data(small_shares):
    X, y = columns(2000)
    weights = np.ones(2000)
    weights[1234] = 1e300
    with pytest.raises(ValueError, match=r"row 1234|sample_weight\[1234\]|1234"):
        KernelRegressor(gamma=0.5, budget=60, epochs=1, random_state=0, n_jobs=2).fit(X, y, weights)


@pytest.mark.parametrize("bad", [0, 1.5, "2"])
def test_a_number_of_jobs_that_is_none_is_refused(bad):
    with pytest.raises(ValueError, match="n_jobs"):
        KernelClassifier(n_jobs=bad).fit(*checkerboard(300, seed=0))


def test_jobs_count_from_the_end_as_in_scikit_learn(monkeypatch):
    monkeypatch.setattr(parallel, "_available", lambda: 8)
    for number, threads in ((-1, 8), (-2, 7), (-20, 1), (3, 3)):
        with parallel.jobs(number):
            assert parallel.cores() == threads
    monkeypatch.delenv("OMP_NUM_THREADS", raising=False)
    with parallel.jobs(None):
        assert parallel.cores() == 8


def test_what_threads_call_starts_no_threads_of_its_own(any_work):
    with parallel.jobs(2):
        assert list(parallel.in_order(lambda _: parallel.cores(), [0, 1, 2], 1.0)) == [1, 1, 1]
        assert parallel.cores() == 2
