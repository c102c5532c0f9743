"""Kernels: positive semi-definite, equal to scikit-learn's, and the compiled row equal to the matrix."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numba import njit
from sklearn.gaussian_process import kernels as gp
from sklearn.metrics import pairwise

from kernelstream.core.rows import SparseRow
from kernelstream.kernels import (
    Cauchy,
    Gaussian,
    Laplacian,
    Linear,
    Matern32,
    Matern52,
    Polynomial,
    RationalQuadratic,
    kernel,
)
from properties.common import PURE, compiled_only, examples, pure_only, rows, scratch_for, seeds

positive = st.floats(0.05, 5.0)


def intersection(x, z):
    """Histogram intersection of what is above zero: a sum of minima."""
    total = 0.0
    for k in range(x.shape[0]):
        total += min(max(x[k], 0.0), max(z[k], 0.0))
    return total


built_in = st.one_of(
    st.builds(Gaussian, positive),
    st.builds(Laplacian, positive),
    st.builds(Cauchy, positive),
    st.builds(RationalQuadratic, positive, positive),
    st.builds(Matern32, positive),
    st.builds(Matern52, positive),
    st.builds(Polynomial, st.integers(1, 4), positive, st.floats(0.0, 2.0)),
    st.just(Linear()),
    st.just(kernel(intersection)),
)
composed = st.recursive(
    built_in,
    lambda inner: st.one_of(
        st.builds(lambda a, b: a + b, inner, inner),
        st.builds(lambda a, b: a * b, inner, inner),
        st.builds(lambda a, c: c * a, inner, positive),
    ),
    max_leaves=4,
)


EXTREMES = [
    *(make(gamma) for make in (Gaussian, Laplacian, Cauchy) for gamma in (1e-36, 1e36)),
    *(make(length) for make in (Matern32, Matern52) for length in (1e-18, 1e18)),
    *(RationalQuadratic(alpha, length) for alpha, length in ((1.0, 1e-18), (1.0, 1e18), (1e36, 1.0), (1e-36, 1.0))),
]


@pytest.mark.parametrize("k", EXTREMES, ids=repr)
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_no_allowed_width_gives_nan(k, dtype):
    """In the precision of a model; infinity times a distance of 0 would be NaN."""
    distances = np.array([0.0, 1e-40, 1.0, 1e30, np.finfo(dtype).max], dtype)
    with np.errstate(over="ignore", under="ignore"):
        found = np.array([k.of(u) for u in distances])
    assert found.dtype == dtype and found[0] == 1.0
    assert np.all((found >= 0.0) & (found <= 1.0))


@pytest.mark.parametrize(
    ("make", "says"),
    [
        *(
            (lambda k=k: k(1e300), "gamma must be a number from 1e-36 to 1e\\+36")
            for k in (Gaussian, Laplacian, Cauchy)
        ),
        (lambda: Polynomial(2, 1e300), "gamma must be a number from 1e-36 to 1e\\+36"),
        *(
            (lambda k=k, v=v: k(v), "length must be a number from")
            for k in (Matern32, Matern52)
            for v in (1e-200, 1e300)
        ),
        (lambda: RationalQuadratic(1.0, 1e-30), "length must be a number from"),
        (lambda: RationalQuadratic(1e300, 1.0), "alpha and alpha · length² must be"),
        (lambda: Gaussian(10**400), "gamma must be a number above 0, not an integer that is too large for float64"),
        (lambda: Polynomial(10**400), "degree must be .*, not an integer that is too large for 64 bits"),
    ],
)
def test_wider_and_narrower_kernels_are_refused(make, says):
    with pytest.raises(ValueError, match=says):
        make()


def test_a_width_that_rows_almost_at_a_point_ask_for():
    from kernelstream.core.strategy import Facts

    X = 1e-30 * np.arange(6.0).reshape(3, 2)
    facts = Facts(X, np.ones(3), 1, np.dtype(np.float32))
    assert Gaussian("scale").resolve(facts).gamma == 1e36 == Gaussian("auto").resolve(facts).gamma


@examples(80)
@given(composed, seeds, st.integers(1, 5))
def test_matrix_is_symmetric_and_positive_semi_definite(k, seed, d):
    K = k(rows(seed, 15, d, repeats=0.2))
    scale = np.abs(K).max()
    np.testing.assert_allclose(K, K.T, rtol=1e-12, atol=1e-12 * scale)
    assert np.linalg.eigvalsh((K + K.T) / 2).min() >= -1e-9 * scale * len(K)


@examples(30)
@given(seeds, st.integers(1, 6), positive, positive, st.integers(1, 4), st.sampled_from([0.0, 1000.0]))
def test_matrices_are_those_of_scikit_learn(seed, d, gamma, length, degree, offset):
    X, Z = rows(seed, 7, d) + offset, rows(seed + 1, 5, d) + offset
    same = {
        Gaussian(gamma): gp.RBF(1.0 / np.sqrt(2.0 * gamma))(X, Z),  # by distances: pairwise.rbf_kernel cancels
        Laplacian(gamma): pairwise.laplacian_kernel(X, Z, gamma=gamma),
        Linear(): pairwise.linear_kernel(X, Z),
        Polynomial(degree, gamma, 0.5): pairwise.polynomial_kernel(X, Z, degree=degree, gamma=gamma, coef0=0.5),
        Matern32(length): gp.Matern(length, nu=1.5)(X, Z),
        Matern52(length): gp.Matern(length, nu=2.5)(X, Z),
        RationalQuadratic(gamma, length): gp.RationalQuadratic(length_scale=length, alpha=gamma)(X, Z),
        Cauchy(gamma): 1.0 / (1.0 + gamma * pairwise.euclidean_distances(X - offset, Z - offset, squared=True)),
        Gaussian.of_width(length): pairwise.rbf_kernel(X - offset, Z - offset, gamma=0.5 / length**2),
    }
    for k, expected in same.items():
        np.testing.assert_allclose(k(X, Z), expected, rtol=1e-8, atol=1e-9, err_msg=repr(k))


@examples(40)
@given(built_in, built_in, built_in, positive, seeds)
def test_operators_compute_what_they_say(a, b, c, factor, seed):
    X, Z = rows(seed, 4, 2), rows(seed + 1, 3, 2)
    A, B, C = a(X, Z), b(X, Z), c(X, Z)
    for k, expected in (
        (a + b, A + B),
        (a * b, A * B),
        (factor * a, factor * A),
        (a * factor, factor * A),
        (a + factor * b * c, A + factor * B * C),
        ((a + b) * (b + c), (A + B) * (B + C)),
    ):
        np.testing.assert_allclose(k(X, Z), expected, rtol=1e-10, atol=1e-12, err_msg=repr(k))


def _row(k, sv, sq, x, xx, n, out, buffers):
    k.row(sv, sq, x, xx, n, out, buffers)
    return k.diagonal(x, xx, buffers)


compute_row = _row if PURE else njit(_row)


def check_row(k, X, x, dtype, tolerance):
    """Row and diagonal, for a dense and a sparse x, against the matrix in float64."""
    X, x = X.astype(dtype), x.astype(dtype)
    n, d = X.shape
    sv, sq = np.zeros((d, n + 3), dtype), np.zeros(n + 3)
    sv[:, :n], sq[:n] = X.T, (X.astype(np.float64) ** 2).sum(axis=1)
    sparse = SparseRow(np.flatnonzero(x).astype(np.int32), x[x != 0])
    expected = k(X, x[None])[:, 0]
    own = float(k(x[None])[0, 0])
    for row in (x, sparse):
        out = np.full(n + 3, 7.0, dtype)
        xx = float(np.sum(x.astype(np.float64) ** 2))
        diagonal = compute_row(k, sv, sq, row, xx, n, out, scratch_for(d, n + 3, dtype))
        np.testing.assert_allclose(out[:n], expected, rtol=tolerance, atol=tolerance * max(np.abs(expected).max(), own))
        assert diagonal == pytest.approx(own, rel=tolerance)
        assert (out[n:] == 7.0).all()


@pure_only
@examples(150)
@given(composed, seeds, st.integers(1, 4), st.sampled_from([("float32", 2e-5), ("float64", 1e-9)]))
def test_row_is_the_matrix(k, seed, d, precision):
    X = np.where(np.abs(rows(seed, 7, d)) < 0.4, 0.0, rows(seed, 7, d))
    check_row(k, X[:-1], X[-1], *precision)


RADIAL = [Gaussian(0.7), Cauchy(0.7), RationalQuadratic(0.8, 1.3), Matern32(1.3), Matern52(1.3), Laplacian(0.7)]


@pytest.mark.engine
@pytest.mark.parametrize("dtype, tolerance", [("float32", 2e-4), ("float64", 1e-8)] if PURE else [("float32", 2e-4)])
@pytest.mark.parametrize("k", RADIAL if PURE else [RADIAL[0], RADIAL[4]], ids=repr)
def test_row_far_from_the_origin(k, dtype, tolerance):
    X = rows(3, 8, 3) + 1000.0
    check_row(k, X[:-1], X[-1], dtype, tolerance)


@compiled_only
@pytest.mark.parametrize(
    "k",
    [
        Gaussian(0.7),
        Laplacian(0.7),
        Matern52(1.3),
    ],
    ids=repr,
)
def test_a_normalised_kernel_is_finite_however_far(k):
    """Models with such kernels keep no copy to go back to: nothing can overflow."""
    assert k.normalised
    sv, sq, out = np.zeros((2, 4), np.float32), np.zeros(4), np.zeros(4, np.float32)
    sv[0, 1:] = [1e15, 1e25, 3e38]
    sq[:] = sv[0].astype(np.float64) ** 2
    for x in (np.zeros(2, np.float32), np.array([-3e38, 3e38], np.float32)):
        xx = float(np.sum(x.astype(np.float64) ** 2))
        compute_row(k, sv, sq, x, xx, 4, out, scratch_for(2, 4, "float32"))
        assert np.isfinite(out).all()
        assert (np.abs(out[1:]) < 1e-6).all()


@pytest.mark.engine
@pytest.mark.parametrize(
    "k",
    [
        Gaussian(0.5) + 0.3 * Linear() * (Laplacian(1.0) + kernel(intersection)),
        Polynomial(3, 0.5, 1.0) + 2.0 * Linear(),
    ],
    ids=["mixed", "dots"],
)
def test_nested_rows_share_no_scratch(k):
    X = np.where(np.abs(rows(5, 9, 4)) < 0.4, 0.0, rows(5, 9, 4))
    check_row(k, X[:-1], X[-1], "float32", 2e-5)


def test_products_of_gaussians_stay_mergeable():
    assert Gaussian(0.5) * Gaussian(1.5) == Gaussian(2.0)
    assert (Gaussian(0.5) * Gaussian(1.5)).mergeable
    assert not (Gaussian(0.5) + Gaussian(1.5)).mergeable


@pytest.mark.parametrize(
    "number",
    [2, 2.0, *(n for n in (np.int64(2), np.float32(2.0), np.float64(2.0)))],
    ids=lambda n: type(n).__name__,
)
def test_any_number_multiplies(number):
    X = rows(0, 3)
    np.testing.assert_allclose((Gaussian(1.0) * number)(X), 2.0 * Gaussian(1.0)(X))
    np.testing.assert_allclose((number * Gaussian(1.0))(X), 2.0 * Gaussian(1.0)(X))


@pytest.mark.parametrize("bad", [0.0, -1.0, np.nan, np.inf])
def test_multiples_must_be_positive(bad):
    with pytest.raises(ValueError, match="factor must be a number above 0"):
        Gaussian(1.0) * bad
