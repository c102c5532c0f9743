"""Distributed training on a second backend, which needs no cluster: a sample, then sums over all partitions."""

import re
from pathlib import Path

import numpy as np
import pytest
from scipy.sparse import csr_matrix

from kernelstream import KernelClassifier, KernelRegressor
from kernelstream.distributed import InMemoryPartition, sampled_fit, train
from kernelstream.distributed.sampled_fit import DistributedRows
from kernelstream.refit.sources import InMemory
from tests.distributed import X_TEST, Y_TEST, SequentialBackend, X, Y, classifier, partitions, plain


def test_the_backend_in_the_documentation():
    """It is one class, and gives the same model as the one here, which test_dask.py compares with Dask's."""
    text = (Path(__file__).parents[2] / "docs" / "distributed.md").read_text()
    (code,) = [block for block in re.findall(r"```python\n(.*?)```", text, re.DOTALL) if "class Sequential" in block]
    names = {"X": X, "y": Y, "KernelClassifier": KernelClassifier}
    exec(code, names)
    same = SequentialBackend([InMemoryPartition(X[i::4], Y[i::4]) for i in range(4)], fan_in=8)
    expected = train(KernelClassifier(gamma=4.0, budget=50, random_state=0), same).estimator
    np.testing.assert_array_equal(names["estimator"].decision_function(X), expected.decision_function(X))
    assert names["estimator"].score(X_TEST, Y_TEST) > 0.9


def test_partitions_are_as_good_as_one_machine():
    found = train(classifier(), SequentialBackend(partitions()))
    one = classifier().fit(X, Y)
    assert found.estimator.score(X_TEST, Y_TEST) > one.score(X_TEST, Y_TEST) - 0.02
    assert found.rows == 3000 and found.bounds == []
    assert len(found.estimator.calibration_.index) == 150
    assert found.estimator.model_.state.output.solved[0] == 1  # the refit has been made
    assert found.estimator.class_counts_.tolist() == [np.sum(Y < 0), np.sum(Y > 0)]


class Recorded(DistributedRows):
    """Compares every sum with that over all learned rows in one place."""

    def total(self, fit, term, a):
        found, light = super().total(fit, term, a), self.plan.estimator.content
        rows, Y_of, weight = [], [], []
        for index, partition in enumerate(self.backend.partitions):
            for batch, learned in self.plan.rows(partition, index):
                rows.append(batch.X)
                Y_of.append(batch.Y)
                weight.append(batch.weight * learned)
        weight = np.concatenate(weight)
        assert light.n_features_in_ == 2 and self.mass == pytest.approx(weight.sum())
        expected = InMemory(np.concatenate(rows), np.concatenate(Y_of), weight).total(fit, term, a)
        for one, other in zip(found, expected, strict=True):
            np.testing.assert_allclose(one, other, rtol=1e-4, atol=1e-3)
        Recorded.sums += 1
        return found


@pytest.mark.parametrize("weights", [None, "balanced", {-1: 3.0}])
def test_sums_are_those_over_all_learned_rows(monkeypatch, weights):
    monkeypatch.setattr(sampled_fit, "DistributedRows", Recorded)
    monkeypatch.setattr(sampled_fit, "LEAST", 1000)
    monkeypatch.setattr(sampled_fit, "PER_VECTOR", 25)
    Recorded.sums = 0
    found = train(classifier(class_weight=weights), SequentialBackend(partitions())).estimator
    assert Recorded.sums >= 2 and found.record_.examples <= 1000 * found.n_iter_


def test_told_nothing_it_chooses_scales_as_fit_does():
    stretched = X * [1.0, 100.0]
    parts = [InMemoryPartition(stretched[i::3], Y[i::3]) for i in range(3)]
    found = train(KernelClassifier(budget=60, random_state=0), SequentialBackend(parts)).estimator
    assert found.feature_map_ is not None and found.score(X_TEST * [1.0, 100.0], Y_TEST) > 0.9


def test_a_budget_in_bytes_is_for_what_is_kept():
    estimator = KernelClassifier(gamma=4.0, budget="16 KiB", random_state=0)
    found = train(estimator, SequentialBackend(partitions())).estimator
    assert found.model_.nbytes <= 16384 and found.score(X_TEST, Y_TEST) > 0.9


def test_labels_of_any_kind_and_a_rare_one():
    names = np.where(Y > 0, "white", "black").astype(object)
    names[[7, 1999]] = "red"
    found = train(classifier(), SequentialBackend(partitions(names))).estimator
    assert found.classes_.tolist() == ["black", "red", "white"] and found.class_counts_[1] == 2
    assert np.mean(found.predict(X_TEST) == np.where(Y_TEST > 0, "white", "black")) > 0.85


def test_sparse_rows_are_fitted_as_dense_ones():
    parts = [InMemoryPartition(csr_matrix(part.X), part.y) for part in partitions()]
    sparse = train(classifier(), SequentialBackend(parts)).estimator
    dense = train(classifier(), SequentialBackend(partitions())).estimator
    assert np.mean(sparse.predict(X_TEST) == dense.predict(X_TEST)) > 0.97


def test_what_has_no_meaning_in_partitions_is_refused():
    for options, words in (({"half_life": 500.0}, "no order in time"), ({"deploy": "4 KiB"}, "one machine")):
        with pytest.raises(ValueError, match=words):
            train(KernelClassifier(gamma=4.0, **options), SequentialBackend(partitions()))


def test_regression_and_empty_partitions():
    target = 5.0 + 2.0 * np.sin(X[:, 0] * 3.0)
    parts = [*partitions(target), InMemoryPartition(X[:0], target[:0])]
    found = train(KernelRegressor(gamma=2.0, budget=40, random_state=0), SequentialBackend(parts, 8))
    assert found.estimator.score(X, target) > 0.98
    with pytest.raises(ValueError, match="all partitions are empty"):
        train(KernelRegressor(), SequentialBackend(parts[-1:]))


def test_a_bad_row_is_named_with_its_partition():
    bad = X.copy()
    bad[1500, 1] = np.nan
    cut = [InMemoryPartition(bad[:1000], Y[:1000]), InMemoryPartition(bad[1000:], Y[1000:])]
    with pytest.raises(ValueError, match=r"In partition 1: .* NaN at row 500, column 1\."):
        train(classifier(), SequentialBackend(cut), rounds=1)


@pytest.mark.parametrize("estimator", [classifier(), plain()], ids=["sampled", "rounds"])
def test_a_target_that_is_no_number_is_named_with_its_partition(estimator):
    bad = Y.astype(float)
    bad[1500] = np.nan
    with pytest.raises(ValueError, match=r"In partition 2: y contains nan at row 100\."):
        train(estimator, SequentialBackend(partitions(bad)))


def test_regularisation_is_for_all_rows_and_not_for_the_sample(monkeypatch):
    monkeypatch.setattr(sampled_fit, "LEAST", 500)
    monkeypatch.setattr(sampled_fit, "PER_VECTOR", 1)
    told_nothing = KernelClassifier(budget=50, random_state=0)
    before = train(told_nothing, SequentialBackend(partitions())).estimator.lam_
    monkeypatch.setattr("kernelstream.estimators.tuned.searched_rows", lambda features: 375)
    after = train(told_nothing, SequentialBackend(partitions())).estimator.lam_
    assert after == pytest.approx(before * 750 / 3000)  # the sample has 500 rows, all partitions 3000
