"""Kernel recursive least squares with approximate linear dependence, KRLS.

Y. Engel, S. Mannor, R. Meir, "The Kernel Recursive Least-Squares Algorithm", IEEE Transactions on Signal
Processing 52, 2004.

With K the Gram matrix of the dictionary (the SVs), alpha their coefficients, k = [k(x_j, x_t)]_j:

    a = K^-1 k,   delta = k(x_t, x_t) - k' a,   e = y_t - k' alpha
    delta > nu:    add x_t;  P <- [P 0; 0 1];  alpha <- [alpha - (a / delta) e;  e / delta]
    else           q = P a / (1 + a' P a);  P <- P - q a' P;  alpha <- alpha + K^-1 q e

delta is a squared distance (Projectron compares the distance itself).  Every example is written as its
projection on the dictionary of its time, row a of a matrix A, or the unit vector of its own place if it was
added, with zeros for what came later.  Then P = (A' A)^-1 and alpha minimises ||A K alpha - y||^2.

With several outputs alpha has one column for each and e is a row; P and the dictionary are shared.
"""

import numpy as np

from .common import Kernel, Step, batches, start


def run(X, Y, *, kernel: Kernel, nu: float, outputs: int = 1, seed: int = 0) -> list[Step]:
    """The rule for delta holds for the first example too: delta = k(x, x).  Nothing is random."""
    f = start(X, kernel, outputs)
    P = np.zeros((0, 0))
    steps = []
    for t, (x,), (y,) in batches(X, Y, 1):
        n = len(f)
        alpha = f.coefficients()
        k = np.array([kernel(xj, x) for xj in f.x])
        K_inverse = np.linalg.inv(f.gram()) if n else np.zeros((0, 0))
        a = K_inverse @ k
        delta = kernel(x, x) - float(k @ a)
        e = np.broadcast_to(np.asarray(y, dtype=float), (outputs,)) - k @ alpha
        if delta > nu:
            P = np.block([[P, np.zeros((n, 1))], [np.zeros((1, n)), np.ones((1, 1))]])
            f.a = list(alpha - np.outer(a / delta, e))
            f.append(x, e / delta, t)
        elif n:
            q = P @ a / (1.0 + float(a @ P @ a))
            P = P - np.outer(q, a @ P)
            f.a = list(alpha + np.outer(K_inverse @ q, e))
        steps.append(f.snapshot())
    return steps
