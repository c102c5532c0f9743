"""Parts shared by the slow transcriptions of budgeted kernel algorithms: an expansion, its values, draws and losses.

f(.) = sum_j a_j k(x_j, .), with a_j in R^c; c = 1 for two classes coded -1/+1.
"""

from typing import NamedTuple

import numpy as np


class Step(NamedTuple):
    """The state after one example: support vectors (n, d) in order of arrival, coefficients (n, c)."""

    support: np.ndarray
    coef: np.ndarray


def empty(X, outputs):
    """The function 0: no support vector, `outputs` columns of coefficients."""
    return np.zeros((0, np.asarray(X).shape[1])), np.zeros((0, outputs))


def append(support, coef, x, a):
    """Add the support vector x with coefficient vector a at the end."""
    return np.vstack([support, np.asarray(x, float)[None]]), np.vstack([coef, np.atleast_1d(a).astype(float)[None]])


def without(support, coef, r):
    """Drop support vector r; the others keep their order."""
    return np.delete(support, r, axis=0), np.delete(coef, r, axis=0)


def snapshot(support, coef):
    """A copy of the state as a Step."""
    return Step(support.copy(), coef.copy())


def gram(kernel, A, Z):
    """The matrix [k(a_i, z_j)]."""
    return np.array([[kernel(a, z) for z in Z] for a in A], float).reshape(len(A), len(Z))


def value(support, coef, kernel, x):
    """f(x) in R^c."""
    return gram(kernel, [x], support)[0] @ coef


def squared_norm(support, coef, kernel):
    """||f||^2 = sum_c a_c' K a_c, from the full Gram matrix."""
    return float(np.sum(coef * (gram(kernel, support, support) @ coef)))


def on_ball(support, coef, kernel, radius):
    """Coefficients of the projection of f on {||f|| <= radius}: f min{1, radius/||f||}; radius None is no ball."""
    norm = np.sqrt(max(0.0, squared_norm(support, coef, kernel)))
    return coef if radius is None or norm <= radius else coef * (radius / norm)


def oldest_minimum(values):
    """Index of the least value; values within 1e-9 relative of it count as equal and the oldest wins."""
    values = np.asarray(values, float)
    least = values.min()
    return int(np.flatnonzero(values <= least + 1e-9 * abs(least))[0])


def best_wrong(y, z):
    """The class other than y with the largest output; the lowest index among equals."""
    others = [c for c in range(len(z)) if c != y]
    return max(others, key=lambda c: (z[c], -c))


def class_step(y, wrong, classes):
    """e_y - e_wrong in R^c, the direction of a multi-class perceptron step."""
    u = np.zeros(classes)
    u[y], u[wrong] = 1.0, -1.0
    return u


def hinge_derivative(y, z):
    """Derivative of max(0, 1 - y z) by z: -y if 1 - y z > 0, else 0; z has one entry."""
    return np.array([-float(y)]) if 1 - y * z[0] > 0 else np.zeros(1)


def crammer_singer_derivative(y, z):
    """Derivative of max(0, 1 + z_s - z_y), s the best wrong class: -1 at y and +1 at s if the loss is > 0, else 0."""
    s = best_wrong(y, z)
    return -class_step(y, s, len(z)) if 1 + z[s] - z[y] > 0 else np.zeros(len(z))


def hinge_for(outputs):
    """The derivative of the hinge loss for one output, that of Crammer and Singer for more."""
    return hinge_derivative if outputs == 1 else crammer_singer_derivative


def draw_index(q, draws):
    """One number u = draws.uniform(); the first i with q_0 + ... + q_i > u, or the last i with q_i > 0."""
    u, total = draws.uniform(), 0.0
    for i, share in enumerate(q):
        total += share
        if total > u:
            return i
    return int(np.flatnonzero(np.asarray(q) > 0)[-1])
