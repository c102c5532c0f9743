"""The objective by which scales of features are learned: its value by exact minimisation, its gradient by differences.

With k(x, z) = exp(-sum_j s_j^2 (x_j - z_j)^2), s = exp(theta), over N rows x with targets t and centres Z,

    J(theta, Z) = min_a  1/2 lam N a'Ka  +  1/2 1e-6 N a'a  +  1/2 sum_i loss(k(x_i, Z) a, t_i)

and the loss is squared, |f - t|^2, or squared hinge, sum_c max(0, 1 - t_c f_c)^2. Outputs share nothing but the kernel,
so each has its own minimum. Everything is float64, by loops and textbook formulas.
"""

import numpy as np

RIDGE = 1e-6


def kernel_matrix(X: np.ndarray, Z: np.ndarray, scales: np.ndarray) -> np.ndarray:
    """[k(x_i, z_b)]_ib"""
    return np.array([[np.exp(-np.sum((scales * (x - z)) ** 2)) for z in Z] for x in X])


def objective(theta: np.ndarray, Z: np.ndarray, X: np.ndarray, T: np.ndarray, lam: float, hinge: bool) -> float:
    """J"""
    return sum(value for value, _ in minima(theta, Z, X, T, lam, hinge))


def coefficients(theta: np.ndarray, Z: np.ndarray, X: np.ndarray, T: np.ndarray, lam: float, hinge: bool) -> np.ndarray:
    """The best a, (centres, outputs)."""
    return np.column_stack([a for _, a in minima(theta, Z, X, T, lam, hinge)])


def minima(
    theta: np.ndarray, Z: np.ndarray, X: np.ndarray, T: np.ndarray, lam: float, hinge: bool
) -> list[tuple[float, np.ndarray]]:
    """The share of every output in J, and its coefficients."""
    scales = np.exp(np.asarray(theta, float))
    K, N = kernel_matrix(X, Z, scales), len(X)
    P = lam * N * kernel_matrix(Z, Z, scales) + RIDGE * N * np.eye(len(Z))
    solve = squared_hinge if hinge else squared
    return [solve(K, P, np.asarray(t, float)) for t in np.asarray(T).T]


def squared(K: np.ndarray, P: np.ndarray, t: np.ndarray) -> tuple[float, np.ndarray]:
    """1/2 a'Pa + 1/2 |Ka - t|^2 is least where (K'K + P) a = K't."""
    a = np.linalg.solve(K.T @ K + P, K.T @ t)
    return 0.5 * a @ P @ a + 0.5 * np.sum((K @ a - t) ** 2), a


def squared_hinge(K: np.ndarray, P: np.ndarray, t: np.ndarray) -> tuple[float, np.ndarray]:
    """Newton's steps, halved until J falls: convex, with a second derivative but where a margin is exactly 1."""

    def value(a: np.ndarray) -> float:
        return 0.5 * a @ P @ a + 0.5 * np.sum(np.maximum(0.0, 1.0 - t * (K @ a)) ** 2)

    a = np.zeros(K.shape[1])
    for _ in range(200):
        f = K @ a
        short = t * f < 1.0
        slope = P @ a + K[short].T @ (f[short] - t[short])
        step = np.linalg.solve(P + K[short].T @ K[short], slope)
        if slope @ step < 1e-20:
            break
        size = 1.0
        while value(a - size * step) > value(a) and size > 1e-12:
            size /= 2.0
        a = a - size * step
    return value(a), a


def gradient(
    theta: np.ndarray, Z: np.ndarray, X: np.ndarray, T: np.ndarray, lam: float, hinge: bool, width: float = 1e-5
) -> np.ndarray:
    """Of J by theta, then by the entries of Z row after row: central differences."""
    point = np.concatenate([theta, np.ravel(Z)]).astype(float)

    def at(moved: np.ndarray) -> float:
        return objective(moved[: len(theta)], moved[len(theta) :].reshape(Z.shape), X, T, lam, hinge)

    found = np.empty(len(point))
    for k in range(len(point)):
        up, down = point.copy(), point.copy()
        up[k] += width
        down[k] -= width
        found[k] = (at(up) - at(down)) / (2.0 * width)
    return found


def stationarity(a: np.ndarray, K: np.ndarray, gram: np.ndarray, T: np.ndarray, lam: float, hinge: bool) -> float:
    """How far coefficients are from their condition (lam N K + 1e-6 N) a + K'R = 0, in units of |K'T|; R are the
    residuals, of rows short of their margin only if the loss is a hinge."""
    N, F = len(K), K @ a
    R = np.where(T * F < 1.0, F - T, 0.0) if hinge else F - T
    return float(np.linalg.norm(lam * N * gram @ a + RIDGE * N * a + K.T @ R) / np.linalg.norm(K.T @ T))
