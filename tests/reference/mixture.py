"""A mixture of experts: logistic mixing by two gates, and fixed share over the gates and the experts.

Expert e has logits z_e in R^C (a single score s of two classes is (0, s)) and, if it is a model, a heat:

    p_e  = (1 - 1e-3) softmax(exp(heat_e) z_e) + 1e-3 / C
    q_g  = (1 - 1e-4) softmax_c(sum_e w_ge ln p_ec) + 1e-4 / C        for the gates g
    f    = sum_i v_i q_i,                                              gates first, then the experts (q_i = p_e)

On class y, with trust tau = min(weight, 1) and everything on the right as it was before the row:

    w_ge     <- clip(w_ge - tau step_g (sum_c q_gc ln p_ec - ln p_ey), +-8)
    v_i      <- v_i q_iy^tau, of sum 1 - a tau, plus a tau / N         (N = gates + experts)
    losses_e <- 0.999^tau losses_e - tau ln p_ey
    heat_e   <- clip(heat_e - tau 0.02 clip(exp(heat_e) (sum_c p_ec z_ec - z_ey), +-1), +-3)     for the models

M. Herbster, M. Warmuth, "Tracking the Best Expert", Machine Learning 1998; C. Mattern, "Mixing Strategies in Data
Compression", DCC 2012.
"""

import math
from typing import NamedTuple

import numpy as np

STEPS = (0.002, 0.02)
SHARE = 1e-3


class Row(NamedTuple):
    """Logits of the experts (E, C) for a row; probabilities of the experts, of the gates, and of the mixture (C,)."""

    logits: np.ndarray
    experts: np.ndarray
    gates: np.ndarray
    mixed: np.ndarray


def softmax(z: np.ndarray) -> np.ndarray:
    e = np.exp(z - z.max())
    return e / e.sum()


def doubted(p: np.ndarray, doubt: float) -> np.ndarray:
    """(1 - doubt) p + doubt / C"""
    return (1.0 - doubt) * p + doubt / len(p)


def as_logits(scores: np.ndarray) -> np.ndarray:
    """A single score s is the logits (0, s)."""
    scores = np.asarray(scores, dtype=np.float64)
    return np.array([0.0, scores[0]]) if len(scores) == 1 else scores


class Mixture:
    """The weights of a mixture of `models` experts with a temperature and `tables` experts without."""

    def __init__(self, models: int, tables: int) -> None:
        self.models, self.count = models, models + tables
        self.heat = np.zeros(models)
        self.powers = np.full((len(STEPS), self.count), 1.0 / self.count)
        self.weights = np.full(len(STEPS) + self.count, 1.0 / (len(STEPS) + self.count))
        self.losses = np.zeros(self.count)

    def temperature(self, e: int) -> float:
        return math.exp(self.heat[e]) if e < self.models else 1.0

    def predict(self, scores: list[np.ndarray]) -> Row:
        """The mixture of the experts' scores, models first."""
        z = np.array([as_logits(s) for s in scores])
        p = np.array([doubted(softmax(self.temperature(e) * z[e]), 1e-3) for e in range(self.count)])
        q = np.array([doubted(softmax(w @ np.log(p)), 1e-4) for w in self.powers])
        return Row(z, p, q, self.weights @ np.concatenate([q, p]))

    def learn(self, row: Row, y: int, weight: float = 1.0) -> None:
        """What was predicted for a row was followed by class y."""
        tau = min(weight, 1.0)
        if tau == 0.0:
            return
        z, p, q = row.logits, row.experts, row.gates
        for g, step in enumerate(STEPS):
            for e in range(self.count):
                slope = q[g] @ np.log(p[e]) - math.log(p[e, y])
                self.powers[g, e] = np.clip(self.powers[g, e] - tau * step * slope, -8.0, 8.0)
        self.weights = share_out(self.weights, np.concatenate([q, p])[:, y], SHARE, tau)
        for e in range(self.count):
            self.losses[e] = 0.999**tau * self.losses[e] - tau * math.log(p[e, y])
        for e in range(self.models):
            slope = math.exp(self.heat[e]) * (p[e] @ z[e] - z[e, y])
            self.heat[e] = np.clip(self.heat[e] - tau * 0.02 * np.clip(slope, -1.0, 1.0), -3.0, 3.0)


def share_out(weights: np.ndarray, likelihoods: np.ndarray, share: float, tau: float = 1.0) -> np.ndarray:
    """v_i q_i^tau, of sum 1 - share tau, plus share tau / N"""
    v = weights * likelihoods**tau
    return (1.0 - share * tau) * v / v.sum() + share * tau / len(v)
