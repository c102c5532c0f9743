"""The linear algebra of the running refit: in any number of pieces, it is NumPy's."""

from types import SimpleNamespace

import numpy as np
import pytest

from kernelstream.core.strategy import Dims
from kernelstream.kernels import Gaussian, Polynomial
from kernelstream.output import RunningRefit
from kernelstream.output.normal_equations import HEAVY, lighten, new_fit
from kernelstream.refit import jobs
from properties.common import callable_from_python

CAPACITY, OUTPUTS, LAM = 96, 2, 1e-3
DIMS, GAUSSIAN = Dims(CAPACITY, 3, OUTPUTS, np.dtype("float64")), Gaussian(1.5)
CARRIED = [("fewer", 90, 61), ("more", 47, 96), ("as many", 70, 70), ("one", 1, 30), ("to one", 30, 1)]
every_size = pytest.mark.parametrize(("n", "m"), [size[1:] for size in CARRIED], ids=[size[0] for size in CARRIED])


def some_fit(n: int, seed: int, kernel=GAUSSIAN, mass: float = 300.0, weight: float = 1.0):
    """A fit of n support vectors with the statistics of 2n examples; what is above the diagonal of H means nothing."""
    rng = np.random.default_rng(seed)
    fit, sv, X = new_fit(DIMS), rng.normal(size=(n, 3)), rng.normal(size=(2 * n, 3))
    K = kernel(X, sv)
    fit.sv[:, :n], fit.sq[:n], fit.n[0] = sv.T, (sv**2).sum(axis=1), n
    fit.H[...] = rng.normal(size=fit.H.shape)
    fit.H[:n, :n] = np.tril(K.T @ K) + np.triu(fit.H[:n, :n], 1)
    fit.b[:, :n] = (K.T @ rng.normal(size=(2 * n, OUTPUTS))).T
    fit.mass[0], fit.weight[0], fit.unit[0] = mass, weight, 1.0
    return fit


def read(fit):
    """Dictionary, H, b and N."""
    n = int(fit.n[0])
    lower = np.tril(fit.H[:n, :n])
    return fit.sv[:, :n].T.copy(), lower + np.tril(lower, -1).T, fit.b[:, :n].T.copy(), float(fit.mass[0])


def run(old, new, phase: int, kernel=GAUSSIAN) -> int:
    """A job from this phase on; returns its number of pieces."""
    job = RunningRefit().init(DIMS).job
    job.phase[0], pieces = phase, 0
    while job.phase[0] != jobs.IDLE:
        jobs.advance(job, old, new, kernel, LAM)
        pieces += 1
        assert pieces < 1000
    assert job.position[0] == 0
    return pieces


def close(found, wanted, digits: float = 1e-8) -> None:
    np.testing.assert_allclose(found, wanted, rtol=digits, atol=digits * np.abs(wanted).max())


@pytest.fixture(params=["pieces", "one piece"])
def pieces(request, monkeypatch):
    """(least, most) number of pieces of a large job."""
    monkeypatch.setattr(jobs, "PIECE", 10.0 if request.param == "pieces" else 1e12)
    return (24, 100) if request.param == "pieces" else (1, 1)


@every_size
@pytest.mark.parametrize("kernel", [GAUSSIAN, Polynomial(2)], ids=repr)
def test_statistics_are_carried_over_and_solved(n, m, kernel, pieces):
    old, new = some_fit(n, 0, kernel, 700.0, weight=3.0), some_fit(m, 1, kernel)
    new.unit[0] = 0.25  # an example of the moment when they parted has this weight in the new one
    Z_old, H_old, b_old, N_old = read(old)
    Z, H, b, N = read(new)
    c = 0.25 / 3.0
    done = run(old, new, jobs.FACTORISE, kernel)
    if min(n, m) > 40:
        assert pieces[0] <= done <= pieces[1]
    T = np.linalg.solve(kernel(Z_old) + jobs.JITTER * np.eye(n), kernel(Z_old, Z)).T
    wanted = H + c * T @ H_old @ T.T, b + c * T @ b_old, N + c * N_old
    found = read(new)
    # a polynomial of degree 2 has ten features: K(old, old) is singular beyond them, and T is not unique
    digits = 1e-8 if kernel == GAUSSIAN or n == 1 else 1e-4
    for mine, right in zip(found[1:], wanted, strict=True):
        close(mine, right, digits)
    np.testing.assert_array_equal(found[0], Z)
    assert new.solved[0] == 1 and new.since[0] == 0.0
    solves(new, kernel)


def solves(fit, kernel=GAUSSIAN) -> None:
    """(H + λNK) a = b"""
    sv, H, b, N = read(fit)
    A, a = H + LAM * N * kernel(sv), fit.coef[:, : len(sv)].T
    assert np.abs(A @ a - b).max() <= 1e-8 * (np.abs(A).sum(axis=1).max() * np.abs(a).max() + np.abs(b).max())


@pytest.mark.parametrize("m", [1, 11, 12, 13, 96])
def test_equations_are_solved_alone(m, pieces):
    old, new = some_fit(50, 0), some_fit(m, 1)
    kept, before = [array.tobytes() for array in old], read(new)
    run(old, new, jobs.COPY)
    for mine, right in zip(read(new), before, strict=True):
        np.testing.assert_array_equal(mine, right)
    assert [array.tobytes() for array in old] == kept
    solves(new)
    sv, H, b, N = before
    close(new.coef[:, :m].T, np.linalg.solve(H + LAM * N * GAUSSIAN(sv), b), 1e-6)


def test_pieces_give_the_coefficients_of_one_piece(monkeypatch):
    found = []
    for size in (10.0, 3e5, 1e12):
        monkeypatch.setattr(jobs, "PIECE", size)
        old, new = some_fit(90, 0), some_fit(80, 1)
        found.append((run(old, new, jobs.FACTORISE), new.coef.copy(), np.tril(new.H)))
    assert found[0][0] > found[1][0] > found[2][0] == 1
    for _, coef, H in found[:2]:
        close(coef, found[2][1])
        close(H, found[2][2])


def test_a_piece_is_of_limited_size(monkeypatch):
    """No piece multiplies more than PIECE and one more step, whatever the phase."""
    monkeypatch.setattr(jobs, "PIECE", 3e5)
    sizes, step = [], jobs._step
    monkeypatch.setattr(jobs, "_step", lambda *given: sizes.append(step(*given)) or sizes[-1])
    run(some_fit(96, 0), some_fit(96, 1), jobs.FACTORISE)
    assert max(sizes) <= 3e5
    assert len(sizes) > 15


def test_what_comes_in_between_is_kept(pieces):
    """Examples that the new fit gathers while the old statistics are carried over are not lost."""
    old, new = some_fit(80, 0), some_fit(70, 1)
    Z_old, H_old, b_old, _ = read(old)
    Z, H, b, _ = read(new)
    job = RunningRefit().init(DIMS).job
    job.phase[0], k = jobs.FACTORISE, GAUSSIAN(Z, np.zeros((1, 3)))[:, 0]
    added = 0
    while job.phase[0] != jobs.IDLE:
        jobs.advance(job, old, new, GAUSSIAN, LAM)
        new.H[:70, :70] += np.tril(np.outer(k, k))
        new.b[0, :70] += k
        added += 1
    T = np.linalg.solve(GAUSSIAN(Z_old) + jobs.JITTER * np.eye(80), GAUSSIAN(Z_old, Z)).T
    close(read(new)[1], H + added * np.outer(k, k) + T @ H_old @ T.T)
    b[:, 0] += added * k
    close(read(new)[2], b + T @ b_old)


def test_weights_may_be_divided_while_statistics_are_carried_over(monkeypatch):
    """In units of the newest example, the new statistics are the same whenever they are divided."""
    monkeypatch.setattr(jobs, "PIECE", 10.0)
    found = []
    for divided in (None, jobs.PROJECT, jobs.COMPLETE):
        old, new = some_fit(60, 0, weight=7.0), some_fit(50, 1, weight=2e6)
        job = RunningRefit().init(DIMS).job
        job.phase[0] = jobs.FACTORISE
        while job.phase[0] != jobs.COPY:
            jobs.advance(job, old, new, GAUSSIAN, LAM)
            if job.phase[0] == divided and job.position[0] > 0 and new.weight[0] > HEAVY:
                callable_from_python(lighten)(new)
        assert new.weight[0] == (2e6 if divided is None else 1.0)
        found.append([part / new.weight[0] for part in read(new)[1:]])
    for other in found[1:]:
        for mine, right in zip(other, found[0], strict=True):
            close(mine, right)


def test_weights_may_be_divided_while_the_equations_are_solved(monkeypatch):
    monkeypatch.setattr(jobs, "PIECE", 10.0)
    found = []
    for heavy in (1.0, 2e6):
        new = some_fit(60, 1, weight=heavy)
        job = RunningRefit().init(DIMS).job
        job.phase[0] = jobs.COPY
        jobs.advance(job, new, new, GAUSSIAN, LAM)
        if heavy > HEAVY:
            callable_from_python(lighten)(new)
        while job.phase[0] != jobs.IDLE:
            jobs.advance(job, new, new, GAUSSIAN, LAM)
        found.append(new.coef.copy())
    close(found[1], found[0])


def test_support_vectors_that_coincide_do_no_harm(pieces):
    old, new = some_fit(60, 0), some_fit(60, 1)
    for fit in (old, new):
        fit.sv[:, 30:60] = fit.sv[:, :30]
        K = GAUSSIAN(np.random.default_rng(3).normal(size=(50, 3)), fit.sv[:, :60].T)
        fit.H[:60, :60], fit.b[0, :60], fit.b[1, :60] = K.T @ K, K.sum(axis=0), K.T @ K[:, 0]
    run(old, new, jobs.FACTORISE)
    assert np.isfinite(new.coef).all() and np.isfinite(new.H[:60, :60]).all()
    sv, H, b, N = read(new)
    a = new.coef[:, :60].T
    fitted, wanted = GAUSSIAN(sv) @ a, GAUSSIAN(sv) @ np.linalg.lstsq(H + LAM * N * GAUSSIAN(sv), b, rcond=1e-12)[0]
    close(fitted, wanted, 1e-3)


def test_idle_is_idle():
    old, new = some_fit(20, 0), some_fit(20, 1)
    before = [array.tobytes() for fit in (old, new) for array in fit]
    job = SimpleNamespace(phase=np.zeros(1, np.int64))
    jobs.advance(job, old, new, GAUSSIAN, LAM)
    assert [array.tobytes() for fit in (old, new) for array in fit] == before
