"""Derivatives of the losses by the scores, for `mini_batches` and `random_features`."""

import math

import numpy as np


def derivative(loss: str, y, z: np.ndarray) -> np.ndarray:
    """∂ℓ/∂z ∈ R^c at the scores z ∈ R^c.

    One output: hinge (−y if 1 − yz > 0), logistic (−y/(1 + e^{yz})), l2 (z − y, the loss being ½(z − y)²).
    More: hinge is Crammer & Singer's (−1 at y, +1 at the best wrong class, the lowest index among equals), logistic
    is multinomial (softmax(z) − e_y), l2 takes a target vector.
    """
    if loss == "l2":
        return z - np.atleast_1d(np.asarray(y, dtype=float))
    if len(z) == 1:
        margin = float(y) * z[0]
        if loss == "hinge":
            return np.array([-float(y) if 1.0 - margin > 0.0 else 0.0])
        return np.array([-float(y) / (1.0 + math.exp(min(margin, 700.0)))])
    unit = np.zeros(len(z))
    unit[y] = 1.0
    if loss == "hinge":
        others = np.where(unit == 1.0, -np.inf, z)
        rival = int(np.argmax(others))
        wrong = np.zeros(len(z))
        wrong[rival] = 1.0
        return wrong - unit if 1.0 + z[rival] - z[y] > 0.0 else np.zeros(len(z))
    powers = np.exp(z - z.max())
    return powers / powers.sum() - unit
