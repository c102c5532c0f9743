"""The arithmetic of a mixture of experts, for one row: their probabilities, and weights that follow the best.

Two levels. *Gates* multiply the experts' probabilities, each to a power of its own, as in logistic mixing (Mattern, DCC
2012; Mahoney's PAQ): q_c ∝ Π_e p_ec^w_e, with w learned by gradient descent on the log-loss, convex in w. So experts
may complement each other, and one that is wrong in a regular way is turned round. *Fixed share* (Herbster & Warmuth,
*Machine Learning* 1998) then weighs the gates and the experts themselves by the probabilities that they gave to what
happened.
"""

import math
from typing import NamedTuple

import numpy as np

from .cells import Cells, descend
from .numba.lowering import compiled
from .strategy import strategy
from .task import Task
from .types import Array

STEPS = (0.002, 0.02)  # of the gates
SHARE = 1e-3  # of the weight that is spread evenly after each row
DOUBT = 1e-3  # probability that no expert denies to any class,
CERTAIN = 1e-4  # and no gate
HEAT = 0.02  # step of the temperatures
HOTTEST = 3.0  # limits of their logarithms
LARGEST_POWER = 8.0  # of an expert in a gate
HEAVIEST = 8.0  # weight of an example in a table
DISCOUNT = 0.999  # of the losses by which experts are compared


class Mixture(NamedTuple):
    heat: np.ndarray  # (models,) logarithms of the factors that make logits of scores
    logits: np.ndarray  # (experts, classes)
    p: np.ndarray  # (experts, classes) probabilities,
    logs: np.ndarray  # and their logarithms
    gates: np.ndarray  # (gates, experts) powers
    q: np.ndarray  # (gates + experts, classes) what is weighed
    weights: np.ndarray  # (gates + experts,)
    mixed: np.ndarray  # (classes,) the prediction
    losses: np.ndarray  # (experts,) recent log-losses
    errors: np.ndarray  # (experts + 2,) recent mistakes: of the experts and of the mixture; and the number of rows
    recent: np.ndarray  # rows, mistakes and log-loss since they were last read


def new_mixture(models: int, tables: int, classes: int) -> Mixture:
    experts, gates = models + tables, len(STEPS)
    return Mixture(
        np.zeros(models), np.zeros((experts, classes)), np.zeros((experts, classes)), np.zeros((experts, classes)),
        np.full((gates, experts), 1.0 / experts), np.zeros((gates + experts, classes)),
        np.full(gates + experts, 1.0 / (gates + experts)), np.zeros(classes), np.zeros(experts), np.zeros(experts + 2),
        np.zeros(3),
    )  # fmt: skip


@compiled
def soften(logits: Array, factor: float, doubt: float, p: Array) -> None:
    """p = softmax(factor · logits), and a little for every class."""
    classes, top = p.shape[0], -math.inf
    for c in range(classes):
        top = max(top, factor * logits[c])
    total = 0.0
    for c in range(classes):
        p[c] = math.exp(factor * logits[c] - top)
        total += p[c]
    for c in range(classes):
        p[c] = (1.0 - doubt) * p[c] / total + doubt / classes


@compiled
def highest(p: Array) -> int:
    best = 0
    for c in range(1, p.shape[0]):
        best = c if p[c] > p[best] else best
    return best


@compiled
def mix(m: Mixture) -> None:
    """The prediction from the logits of all experts."""
    experts, classes = m.p.shape
    models, gates = m.heat.shape[0], m.gates.shape[0]
    for e in range(experts):
        soften(m.logits[e], math.exp(m.heat[e]) if e < models else 1.0, DOUBT, m.p[e])
        for c in range(classes):
            m.logs[e, c] = math.log(m.p[e, c])
            m.q[gates + e, c] = m.p[e, c]
    for g in range(gates):
        powers, sums = m.gates[g], m.mixed
        for c in range(classes):
            sums[c] = 0.0
        for e in range(experts):
            for c in range(classes):
                sums[c] += powers[e] * m.logs[e, c]
        soften(sums, 1.0, CERTAIN, m.q[g])
    for c in range(classes):
        m.mixed[c] = 0.0
        for i in range(gates + experts):
            m.mixed[c] += m.weights[i] * m.q[i, c]


@compiled
def learn_mixture(m: Mixture, index: int, trust: float) -> None:
    """What happened was class `index`; `trust` is 1 for a whole example, and less for a part of one."""
    experts, classes = m.p.shape
    gates, keep = m.gates.shape[0], DISCOUNT**trust
    wrong = highest(m.mixed) != index
    m.recent[0] += 1.0
    m.recent[1] += wrong
    m.recent[2] -= math.log(m.mixed[index])
    for g in range(gates):
        for e in range(experts):
            slope = -m.logs[e, index]
            for c in range(classes):
                slope += m.q[g, c] * m.logs[e, c]
            power = m.gates[g, e] - trust * STEPS[g] * slope
            m.gates[g, e] = min(max(power, -LARGEST_POWER), LARGEST_POWER)
    share_out(m.weights, m.q, index, trust, SHARE)
    for e in range(experts):
        m.losses[e] = keep * m.losses[e] - trust * m.logs[e, index]
        m.errors[e] = keep * m.errors[e] + trust * (highest(m.p[e]) != index)
    m.errors[experts] = keep * m.errors[experts] + trust * wrong
    m.errors[experts + 1] = keep * m.errors[experts + 1] + trust
    for e in range(m.heat.shape[0]):
        slope = -m.logits[e, index]
        for c in range(classes):
            slope += m.p[e, c] * m.logits[e, c]
        change = trust * HEAT * min(max(math.exp(m.heat[e]) * slope, -1.0), 1.0)
        m.heat[e] = min(max(m.heat[e] - change, -HOTTEST), HOTTEST)


@compiled
def share_out(weights: Array, q: Array, index: int, trust: float, share: float) -> None:
    """Fixed share: weights times likelihoods, normalised, a share of them spread evenly."""
    count, total = weights.shape[0], 0.0
    for i in range(count):
        weights[i] *= q[i, index] ** trust
        total += weights[i]
    part = share * trust
    for i in range(count):
        weights[i] = weights[i] * ((1.0 - part) / total) + part / count


@strategy
class Labels(Task):
    """Class labels: experts give probabilities, and so does the mixture."""

    @property
    def share(self) -> float:
        return SHARE

    def factor(self, m: Mixture, model: int) -> float:
        return math.exp(m.heat[model])

    def new_mixture(self, models: int, tables: int, outputs: int) -> Mixture:
        return new_mixture(models, tables, self.width(outputs))

    def width(self, outputs: int) -> int:
        return max(outputs, 2)  # a single score is that of the second class

    def take_scores(self, m: Mixture, scores: Array) -> None:
        for e in range(scores.shape[0]):
            if scores.shape[2] == 1:
                m.logits[e, 0] = 0.0
                m.logits[e, 1] = scores[e, 0, 0]
            else:
                for c in range(scores.shape[2]):
                    m.logits[e, c] = scores[e, 0, c]

    def combine(self, m: Mixture) -> None:
        mix(m)

    def learn_weights(self, m: Mixture, index: int, y: float, trust: float) -> None:
        learn_mixture(m, index, trust)

    def learn_table(
        self, m: Mixture, cells: Cells, table: int, expert: int, index: int, y: float, weight: float
    ) -> None:
        for c in range(cells.slope.shape[0]):
            cells.slope[c] = m.p[expert, c] - (1.0 if c == index else 0.0)
        descend(cells, table, min(weight, HEAVIEST))
