"""Passive-aggressive learning on a budget: BPA-S, BPA-NN and BPA-P (Wang & Vucetic, AISTATS 2010).

With B support vectors and a new example (x, y) of hinge loss l = 1 - y f(x) > 0, for every candidate r the problem is

    minimise  1/2 ||g - f||^2 + C xi   over g and xi >= 0
    with      y g(x) >= 1 - xi,   g = f - a_r k(x_r, .) + sum_{i in V} b_i k(x_i, .),

where V holds x and, beside it: nothing (S), the support vector nearest to x_r (NN), all others but r (P). The r whose
problem has the least value is removed.

Solution. Let P be the orthogonal projection on span{k(x_i, .): i in V}, and p_r = k(x_r, .) - P k(x_r, .). Every
admissible g is f - a_r p_r + v with v in that span. As p_r is orthogonal to the span and x is in V,

    ||g - f||^2 = a_r^2 ||p_r||^2 + ||v||^2     and     g(x) = f(x) + v(x),

so v solves the problem without budget: v = y tau k(x, .), tau = min(C, l / k(x, x)) (PA-I: Crammer et al., JMLR
2006). Hence g = f + y tau k(x, .) - a_r p_r: the PA-I step and the plain projection of the removed one, with no
interplay. The slack is max(0, l - tau k(x, x)) for every r. So these choose the same r: the least value of the problem,
the least ||g - f||^2 = a_r^2 ||p_r||^2 + tau^2 k(x, x), and the least a_r^2 ||p_r||^2. For V = {x}, with
b = a_r k(x_r, x)/k(x, x) + y tau, the middle one reads a_r^2 k(x_r, x_r) - 2 a_r b k(x_r, x) + b^2 k(x, x).

Read as: candidates are the B old support vectors, never x itself. "Nearest" is by distance in feature space (with
nearest="kernel": by the largest kernel value; the same for a radial kernel), among the old support vectors without r.
A linearly dependent V gets the coefficients of least norm; the function g is the same for all of them.
"""

import numpy as np

from .budget_parts import append, empty, gram, oldest_minimum, snapshot, value


def pa_step(loss, kxx, C):
    """tau = min(C, l / k(x, x)), PA-I (Crammer, Dekel, Keshet, Shalev-Shwartz & Singer, JMLR 2006)."""
    return min(C, loss / kxx)


def nearest_to(r, K, count, nearest="distance"):
    """The index i < count, i != r, of least K_rr - 2 K_ri + K_ii (or of largest K_ri); None if there is none."""
    others = [i for i in range(count) if i != r]
    if not others:
        return None
    if nearest == "kernel":
        return others[oldest_minimum([-K[r, i] for i in others])]
    return others[oldest_minimum([K[r, r] - 2 * K[r, i] + K[i, i] for i in others])]


def changeable(r, K, scheme, nearest="distance"):
    """V of Wang & Vucetic (AISTATS 2010): the indices whose coefficients may change; the new example is the last."""
    new = len(K) - 1
    if scheme == "simple":
        return [new]
    if scheme == "nearest":
        near = nearest_to(r, K, new, nearest)
        return [new] if near is None else [near, new]
    return [i for i in range(new) if i != r] + [new]


def projection_weights(K, V, r):
    """d with P k(x_r, .) = sum_{i in V} d_i k(x_i, .): K_VV d = K_Vr, of least norm if K_VV is singular."""
    return np.linalg.lstsq(K[np.ix_(V, V)], K[V, r], rcond=None)[0]


def replace(a, K, r, V, y, tau):
    """The solution for candidate r (Wang & Vucetic, AISTATS 2010): a_V += a_r d, a_x += y tau, a_r = 0.

    `a` has the B old coefficients and a 0 for x; K is the Gram matrix of all B + 1.
    """
    new = a.copy()
    new[V] += a[r] * projection_weights(K, V, r)
    new[-1] += y * tau
    new[r] = 0.0
    return new


def squared_change(a, new, K):
    """||g - f||^2 = (new - a)' K (new - a)."""
    return float((new - a) @ K @ (new - a))


def objective(a, new, K, y, C):
    """1/2 ||g - f||^2 + C max(0, 1 - y g(x)), the value that a candidate is judged by; x is the last index."""
    return 0.5 * squared_change(a, new, K) + C * max(0.0, 1 - y * float(K[-1] @ new))


def candidates(support, coef, kernel, x, y, C, scheme, nearest="distance"):
    """For every r: (V, coefficients on the B + 1 vectors, ||g - f||^2)."""
    points = np.vstack([support, np.asarray(x, float)[None]])
    K = gram(kernel, points, points)
    a = np.append(coef[:, 0], 0.0)
    tau = pa_step(1 - y * float(K[-1] @ a), K[-1, -1], C)
    found = []
    for r in range(len(support)):
        V = changeable(r, K, scheme, nearest)
        new = replace(a, K, r, V, y, tau)
        found.append((V, new, squared_change(a, new, K)))
    return found


def run(X, Y, kernel, budget, C, scheme="nearest", nearest="distance", draws=None):
    """BPA-S ("simple"), BPA-NN ("nearest"), BPA-P ("projection") of Wang & Vucetic (AISTATS 2010), binary hinge loss.

    Loss and n < B: add x with y tau. Loss and n = B: the candidate r of least ||g - f||^2 (see above) is replaced by x.
    Nothing is drawn.
    """
    support, coef = empty(X, 1)
    steps = []
    for x, y in zip(np.asarray(X, float), Y, strict=True):
        loss = 1 - y * value(support, coef, kernel, x)[0]
        if loss > 0 and len(support) < budget:
            support, coef = append(support, coef, x, y * pa_step(loss, kernel(x, x), C))
        elif loss > 0:
            found = candidates(support, coef, kernel, x, y, C, scheme, nearest)
            r = oldest_minimum([change for _, _, change in found])
            points = np.vstack([support, x[None]])
            support, coef = np.delete(points, r, axis=0), np.delete(found[r][1], r)[:, None]
        steps.append(snapshot(support, coef))
    return steps
