"""The support vectors that compression keeps, against the same greedy rules one at a time, with dense solves."""

import numpy as np
import pytest

from kernelstream.kernels import Gaussian, Polynomial
from kernelstream.model import selection
from kernelstream.model.compression import SHORTLIST, compress
from kernelstream.model.selection import pick_forwards, prune_backwards


def function(seed, n, outputs, features):
    """Support vectors in clumps, as several models of the same data have them."""
    rng = np.random.default_rng(seed)
    centres = rng.normal(size=(n // 5, features))
    sv = centres[rng.integers(0, len(centres), n)] + 0.2 * rng.normal(size=(n, features))
    return sv, rng.normal(size=(n, outputs))


def squared_distance(K, coef, kept):
    """‖f − its projection on those kept‖²."""
    right = K[kept] @ coef
    found = np.linalg.lstsq(K[np.ix_(kept, kept)], right, rcond=1e-12)[0]
    return float(np.sum(coef * (K @ coef)) - np.sum(found * right))


def greedy(K, coef, budget, shortlist):
    """Forwards to the shortlist, then backwards, trying every support vector at every step."""
    kept = []
    while len(kept) < shortlist:
        rest = [j for j in range(len(K)) if j not in kept]
        kept.append(min(rest, key=lambda j: squared_distance(K, coef, [*kept, j])))
    while len(kept) > budget:
        gone = min(kept, key=lambda j: squared_distance(K, coef, [i for i in kept if i != j]))
        kept.remove(gone)
    return np.array(kept)


@pytest.mark.parametrize("outputs", [1, 3])
def test_the_error_is_near_that_of_one_step_at_a_time(outputs):
    kernel, ratios = Gaussian(0.7), []
    for seed in range(4):
        sv, coef = function(seed, 48, outputs, 3)
        K = kernel(sv)
        kept, _, error = compress(kernel, sv, coef, budget=10)
        exact = np.sqrt(squared_distance(K, coef, kept))
        assert error == pytest.approx(exact, rel=1e-5)  # what is reported is the distance of the exact projection
        ratios.append(exact / np.sqrt(squared_distance(K, coef, greedy(K, coef, 10, int(SHORTLIST * 10)))))
    assert max(ratios) < 1.1


@pytest.mark.parametrize("outputs", [1, 3])
def test_panels_are_near_one_step_at_a_time(monkeypatch, outputs):
    kernel, ratios = Gaussian(0.7), []
    for seed in range(6):
        sv, coef = function(seed, 900, outputs, 5)
        exact = compress(kernel, sv, coef, budget=150)[2]  # few enough: all are candidates
        with monkeypatch.context() as changed:
            changed.setattr(selection, "FEW", 100)
            ratios.append(compress(kernel, sv, coef, budget=150)[2] / exact)
    assert min(ratios) != 1.0 and np.mean(ratios) < 1.05 and max(ratios) < 1.1


def test_scores_differ_by_no_more_than_the_error():
    kernel, (sv, coef) = Gaussian(0.7), function(5, 1500, 2, 4)
    kept, fitted, error = compress(kernel, sv, coef, budget=200)
    X = np.random.default_rng(6).normal(size=(3000, 4))
    gap = np.linalg.norm(kernel(X, sv) @ coef - kernel(X, sv[kept]) @ fitted, axis=1)
    assert len(np.unique(kept)) == 200 and 0.0 < gap.max() <= error * (1.0 + 1e-9)


@pytest.mark.parametrize("kernel", [Polynomial(2, 1.0, 1.0), Gaussian(1e-4)], ids=repr)
def test_a_space_of_few_dimensions_is_filled_exactly(kernel):
    """Nearly all support vectors are in the span of a few: sums in float32 end too early, those in float64 do not."""
    sv, coef = function(7, 1300, 1, 2)
    kept, _, error = compress(kernel, sv, coef, budget=30)
    assert len(kept) <= 30
    size = np.sqrt(np.sum(coef * (kernel(sv) @ coef)))
    assert error < 1e-3 * size


def test_backward_elimination_is_that_of_dense_solves():
    sv, coef = function(8, 30, 2, 2)
    K = Gaussian(2.0)(sv) + 1e-6 * np.eye(30)
    left = prune_backwards(np.linalg.cholesky(K), coef, 12, np.inf)
    expected = list(range(30))
    while len(expected) > 12:
        gone = min(expected, key=lambda j: squared_distance(K, coef, [i for i in expected if i != j]))
        expected.remove(gone)
    assert left.tolist() == expected


def test_forward_selection_of_few_is_that_of_dense_solves():
    sv, coef = function(9, 40, 1, 2)
    kernel = Gaussian(1.0)
    K = kernel(sv)
    found = pick_forwards(kernel, sv, coef, K @ coef, np.diag(K), 8)
    assert found.tolist() == greedy(K, coef, 8, 8).tolist()


def test_the_function_0_and_copies_of_one_support_vector_have_no_error():
    sv, coef = function(10, 40, 2, 3)
    for given in ((sv, 0.0 * coef), (np.tile(sv[:1], (40, 1)), coef)):
        kept, fitted, error = compress(Gaussian(1.0), *given, budget=5)
        assert 1 <= len(kept) <= 5 and error < 1e-4 and np.isfinite(fitted).all()
