"""L-BFGS with a preconditioner, and systems that may be singular."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernelstream.kernels import Gaussian
from kernelstream.refit.minimise import descend, minimise
from kernelstream.refit.solver import Solver
from properties.common import examples, seeds


def positive(rng, n: int, condition: float) -> np.ndarray:
    """A symmetric matrix with eigenvalues from 1 to `condition`."""
    Q = np.linalg.qr(rng.normal(size=(n, n)))[0]
    return (Q * np.geomspace(1.0, condition, n)) @ Q.T


class Quadratic:
    """½ tr(aᵀAa) − tr(bᵀa), counting its evaluations."""

    def __init__(self, A, b):
        self.A, self.b, self.values = A, b, []

    def __call__(self, a):
        self.values.append(0.5 * float(np.sum(a * (self.A @ a))) - float(np.sum(a * self.b)))
        return self.values[-1], self.A @ a - self.b

    def loss(self, a):
        """Never negative, and 0 at the solution only, so that a share of it stays worth having."""
        wanted = np.linalg.solve(self.A, self.b)
        return 0.5 * float(np.sum((a - wanted) * (self.A @ (a - wanted))))


def identity(slope):
    return slope


@pytest.mark.parametrize("columns", [1, 3])
def test_a_quadratic_is_minimised_at_once_by_its_own_inverse(columns):
    rng = np.random.default_rng(0)
    problem = Quadratic(positive(rng, 12, 1e4), rng.normal(size=(12, columns)))
    found = minimise(problem, np.zeros((12, columns)), Solver(problem.A), 2)
    np.testing.assert_allclose(found, np.linalg.solve(problem.A, problem.b), rtol=1e-6, atol=1e-8)


@examples(15)
@given(seed=seeds, columns=st.integers(1, 3))
def test_a_quadratic_is_minimised_whatever_the_preconditioner(seed, columns):
    rng = np.random.default_rng(seed)
    problem = Quadratic(positive(rng, 8, 50.0), rng.normal(size=(8, columns)))
    rough = Solver(problem.A + positive(rng, 8, 100.0))  # above the curvature, and far from it
    found = minimise(problem, rng.normal(size=(8, columns)), rough, 300, problem.loss)
    np.testing.assert_allclose(found, np.linalg.solve(problem.A, problem.b), rtol=1e-3, atol=1e-3)


@examples(25)
@given(seed=seeds, scale=st.sampled_from([1e-3, 1.0, 1e3]), evaluations=st.integers(1, 30))
def test_the_objective_never_rises_and_evaluations_are_counted(seed, scale, evaluations):
    """The preconditioner may be far too bold."""
    rng = np.random.default_rng(seed)
    problem = Quadratic(positive(rng, 6, 1e3), rng.normal(size=(6, 2)))
    start, seen = rng.normal(size=(6, 2)), []

    def judge(a):
        seen.append(problem.loss(a))
        return seen[-1]

    found = minimise(problem, start, lambda slope: scale * slope, evaluations, judge)
    assert len(problem.values) <= evaluations
    assert (np.diff(seen) <= 0.0).all()
    assert problem.loss(found) == min(seen) <= problem.loss(start)


def test_one_evaluation_stays_where_it_is():
    problem = Quadratic(np.eye(2), np.ones((2, 1)))
    assert not minimise(problem, np.zeros((2, 1)), identity, 1).any()
    assert len(problem.values) == 1


def test_the_judge_stops_it():
    """It improves twice, then no more: the third step is the last, though the objective would fall on."""
    rng = np.random.default_rng(1)
    figures = iter([10.0, 8.0, 6.0, 6.0, 0.0, 0.0])
    problem = Quadratic(positive(rng, 20, 1e3), rng.normal(size=(20, 1)))
    judged = []

    def judge(a):
        judged.append(next(figures))
        return judged[-1]

    minimise(problem, np.zeros((20, 1)), lambda slope: 1e-4 * slope, 50, judge)
    assert judged == [10.0, 8.0, 6.0, 6.0]
    assert len(problem.values) == 4


def test_without_a_judge_the_objective_stops_it():
    problem = Quadratic(np.eye(3), np.ones((3, 1)))

    def lifted(a):
        value, slope = problem(a)
        return value + 1e6, slope  # what may be gained is a very small share

    found = minimise(lifted, np.zeros((3, 1)), identity, 50)
    np.testing.assert_allclose(found, np.ones((3, 1)))
    assert len(problem.values) == 2


def test_a_step_to_where_nothing_is_finite_is_shortened():
    def objective(a):
        x = float(a[0, 0])
        with np.errstate(invalid="ignore", divide="ignore"):
            return (x - np.log(x) if x > 0.0 else np.nan), np.array([[1.0 - 1.0 / x]])

    found = minimise(objective, np.array([[3.0]]), lambda slope: 30.0 * slope, 60, lambda a: abs(a[0, 0] - 1.0))
    assert found[0, 0] == pytest.approx(1.0, abs=1e-2)


def test_a_column_without_curvature_does_no_harm():
    """One output that nothing pulls: its slope is 0 throughout."""
    rng = np.random.default_rng(2)
    problem = Quadratic(positive(rng, 5, 30.0), np.column_stack([rng.normal(size=5), np.zeros(5)]))
    found = minimise(problem, np.zeros((5, 2)), Solver(2.0 * problem.A), 60, problem.loss)
    assert not found[:, 1].any()
    np.testing.assert_allclose(found, np.linalg.solve(problem.A, problem.b), rtol=1e-4, atol=1e-5)


def test_a_system_is_solved():
    rng = np.random.default_rng(0)
    A, b = positive(rng, 20, 1e6), rng.normal(size=(20, 3))
    np.testing.assert_allclose(Solver(A)(b), np.linalg.solve(A, b), rtol=1e-7, atol=1e-9)
    np.testing.assert_allclose(Solver(A)(b[:, 0]), np.linalg.solve(A, b[:, 0]), rtol=1e-7, atol=1e-9)


@examples(30)
@given(seed=seeds, rank=st.integers(0, 10), size=st.sampled_from([1e-200, 1e-8, 1.0, 1e8]))
def test_singular_systems_are_solved_where_they_can_be(seed, rank, size):
    rng = np.random.default_rng(seed)
    root = rng.normal(size=(10, rank))
    A = size * (root @ root.T)
    before = A.copy()
    b = A @ rng.normal(size=(10, 2))
    found = Solver(A)(b)
    assert np.isfinite(found).all()
    assert np.abs(A @ found - b).max() <= 1e-5 * np.abs(b).max(initial=0.0) + 1e-300
    np.testing.assert_array_equal(A, before)


def test_a_matrix_of_zeros_and_one_without_rows():
    assert not Solver(np.zeros((4, 4)))(np.zeros((4, 2))).any()
    assert np.isfinite(Solver(np.zeros((1, 1)))(np.zeros((1, 1)))).all()
    assert Solver(np.zeros((0, 0)))(np.zeros((0, 2))).shape == (0, 2)


def test_eigenvalues_that_rounding_took_below_0():
    A = positive(np.random.default_rng(3), 10, 1e3)
    values, vectors = np.linalg.eigh(A)
    values[:4] = -1e-10
    A = (vectors * values) @ vectors.T
    b = A @ np.ones((10, 1))
    np.testing.assert_allclose(A @ Solver(A)(b), b, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("precision", [np.finfo(np.float32).eps, np.finfo(np.float64).eps])
def test_support_vectors_that_coincide(precision):
    """The coefficients are shared among them, and the function is the one that either alone would have."""
    rng = np.random.default_rng(4)
    Z, X = rng.normal(size=(12, 2)), rng.normal(size=(80, 2))
    twice, kernel = np.concatenate([Z, Z, Z[:3] + 1e-9]), Gaussian(1.0)
    y = np.sin(X[:, :1])
    values = []
    for sv in (Z, twice):
        K = kernel(X, sv)
        values.append(K @ Solver(K.T @ K + 0.1 * kernel.gram(sv), precision)(K.T @ y))
    np.testing.assert_allclose(values[1], values[0], rtol=1e-3, atol=1e-4)


def test_a_descent_yields_every_point_with_its_value_and_takes_a_new_preconditioner_between_two():
    rng = np.random.default_rng(0)
    A = positive(rng, 8, 1e4)
    start = rng.normal(size=(8, 1))
    quadratic, solves = Quadratic(A, np.zeros((8, 1))), [identity]
    found = []
    for point, value in descend(quadratic, start, lambda slope: solves[-1](slope), 200):
        assert value == pytest.approx(0.5 * float(np.sum(point * (A @ point))))
        found.append(value)
        if len(found) == 3:
            solves.append(lambda slope: np.linalg.solve(A, slope))
        if len(found) == 4:
            break
    assert all(np.diff(found) < 0.0)
    assert found[3] < 1e-2 * found[2]  # Newton's step


def test_the_longest_step_is_limited_at_first():
    quadratic = Quadratic(np.eye(2), np.zeros((2, 1)))
    points = descend(quadratic, np.array([[4.0], [3.0]]), identity, 10, longest=lambda way: 0.5)
    next(points)
    np.testing.assert_allclose(next(points)[0], [[2.0], [1.5]])
