"""The linear algebra of a running refit, in small pieces, so that no example waits for a matrix to be factorised.

A job solves the normal equations of a fit (see `output.normal_equations`). If the dictionary is new, the statistics of
the old one are carried over first, as in `statistics.py`: T = K(new, old) K(old, old)⁻¹ projects the new functions
κ(z, ·) onto the old ones, and H += T H_old Tᵀ, b += T b_old. Each piece is a few rows or columns of one of these
matrices; `phase` and `position` say which is next, and examples are learned in between.
"""

from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.linalg import LinAlgError, cholesky, solve_triangular

from ..core.job_phases import COMPLETE, COPY, FACTORISE, FINISH, IDLE, MULTIPLY, PROJECT, SOLVE

if TYPE_CHECKING:
    from ..output.normal_equations import Fit
    from ..output.running_refit import Job

PIECE = 2e6  # multiplications of one piece, roughly
JITTER = 1e-9  # of the diagonal of K(old, old)


def advance(job: "Job", old: "Fit", new: "Fit", kernel: Any, lam: float) -> None:
    """One piece of the work. At the end, `new` has coefficients that solve its equations."""
    done = 0.0
    while job.phase[0] != IDLE and done < PIECE:
        done += _step(job, old, new, kernel, lam)


def _step(job: "Job", old: "Fit", new: "Fit", kernel: Any, lam: float) -> float:
    """A few rows or columns of one phase; returns the number of multiplications, roughly."""
    phase, at = int(job.phase[0]), int(job.position[0])
    n, m = int(old.n[0]), int(new.n[0])
    size = {FACTORISE: n, COPY: 1, FINISH: 1}.get(phase, m)
    square = float(max(n, m)) ** 2
    some = slice(at, min(at + max(12, int(PIECE / square)), size))
    if phase == FACTORISE:
        Z = _atoms(old, n)
        _factorise(_matrix(job.factor, n, n), some, kernel.quick(Z[at:], Z[some]), JITTER)
        _mirror(old.H[:n, :n], some)
    elif phase == PROJECT:
        L = _matrix(job.factor, n, n)
        half = _forward(L, kernel.quick(_atoms(old, n), _atoms(new, m)[some]))
        _matrix(job.product, m, n)[some] = _backward(L, half).T
    elif phase == MULTIPLY:
        # T H: the factor is not needed any more
        _matrix(job.factor, m, n)[some] = _matrix(job.product, m, n)[some] @ old.H[:n, :n]
    elif phase == COMPLETE:
        T, TH = _matrix(job.product, m, n), _matrix(job.factor, m, n)
        scale = new.unit[0] / old.weight[0]  # they weigh an example of the moment when they parted differently
        new.H[some, : some.stop] += scale * (TH[some] @ T[: some.stop].T)
        new.b[:, some] += scale * (old.b[:, :n] @ T[some].T)
        if some.stop == m:
            new.mass[0] += scale * old.mass[0]
    elif phase == COPY:
        # examples that come while the matrix is factorised must change neither some of its columns nor b alone
        _matrix(job.product, m, m)[...], job.mass[0], new.since[0] = new.H[:m, :m], new.mass[0], 0.0
        job.right[:, :m] = new.b[:, :m]
    elif phase == SOLVE:
        Z = _atoms(new, m)
        A = _matrix(job.product, m, m)[at:, some] + lam * job.mass[0] * kernel.quick(Z[at:], Z[some])
        _factorise(_matrix(job.factor, m, m), some, A, 1e-14 * job.mass[0])
    elif phase == FINISH:
        L = _matrix(job.factor, m, m)
        new.coef[:, :m] = _backward(L, _forward(L, job.right[:, :m].T)).T
        new.solved[0] = np.isfinite(new.coef[:, :m]).all()
    job.position[0] = some.stop
    if some.stop == size:
        job.phase[0], job.position[0] = (phase + 1) % (FINISH + 1), 0
    return square * (some.stop - at if size > 1 else 1.0)


def _matrix(store: np.ndarray, rows: int, columns: int) -> np.ndarray:
    """The beginning of a buffer as a contiguous matrix, which LAPACK takes without a copy."""
    return store[: rows * columns].reshape(rows, columns)


def _atoms(fit: "Fit", n: int) -> np.ndarray:
    return fit.sv[:, :n].T.astype(np.float64)


def _factorise(L: np.ndarray, some: slice, A: np.ndarray, jitter: float) -> None:
    """The next columns of Cholesky's factor of a matrix whose same columns, from the diagonal on, are in A."""
    at, width = some.start, some.stop - some.start
    A = A - L[at:, :at] @ L[some, :at].T
    corner = np.eye(width)  # for what is not even finite: then the coefficients are not, and never predict
    while np.isfinite(jitter):
        try:
            corner = cholesky(A[:width] + jitter * np.eye(width), lower=True, check_finite=False)
            break
        except LinAlgError:
            jitter = max(8.0 * jitter, 1e-300)
    L[some, at:] = 0.0
    L[some, some] = corner
    L[some.stop :, some] = _forward(corner, A[width:].T).T


def _mirror(H: np.ndarray, some: slice) -> None:
    """Copy these columns of the lower triangle into the rows of the upper one."""
    corner = H[some, some]
    corner[...] = np.tril(corner) + np.tril(corner, -1).T
    H[some, some.stop :] = H[some.stop :, some].T


def _forward(L: np.ndarray, right: np.ndarray) -> np.ndarray:
    found: np.ndarray = solve_triangular(L, right, lower=True, check_finite=False)
    return found


def _backward(L: np.ndarray, right: np.ndarray) -> np.ndarray:
    found: np.ndarray = solve_triangular(L, right, lower=True, trans=1, check_finite=False)
    return found
