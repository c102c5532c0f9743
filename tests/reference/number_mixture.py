"""A mixture of predictions of a number: units that follow the target, tables of cells as Kalman filters, and two gates.

Expert e predicts f_e, all in units of y. With the target's level l and deviation d, the unit of an error is

    u = max(1.25 scale, 1e-9 (d + |l|) + 1e-290)

    i_e = clip((f_e - l) / u, +-1e6)
    q_g = clip(l + u sum_e w_ge i_e, [min f - R, max f + R]),  R = max f - min f + 5u       for the gates g
    f   = sum_j V_j q_j,                                        gates first, then the experts (q_j = f_e)

On y, with trust tau = min(weight, 1): each gate is ridge regression around the experts' weights v, with a memory of
its own, residuals cut as Huber cuts them, and one sweep of Gauss-Seidel in each row; v and V are fixed share with
Laplace densities of scale 2u; cells are independent in the eyes of their filter.

M. Herbster, M. Warmuth, "Tracking the Best Expert", Machine Learning 1998; P. Huber, "Robust Estimation of a Location
Parameter", Annals of Mathematical Statistics 1964.
"""

import math
from collections.abc import Hashable, Sequence
from typing import NamedTuple

import numpy as np

MEMORIES = (100.0, 1000.0)
VISITS = (5.0, 1000.0, 300.0, 5.0)
SHARE, RIDGE = 1e-3, 3.0


def clip(value: float, limit: float) -> float:
    return max(-limit, min(limit, value))


class Target:
    """The level and the deviation of the targets, the unit s of what models store, and what the last 8 rows were."""

    def __init__(self, first: Sequence[float]) -> None:
        y = np.asarray(first, dtype=np.float64)
        middle = float(np.median(y))
        spread = float(np.median(np.abs(y - middle))) or float(np.mean(np.abs(y - middle)))
        self.level, self.unit = middle, 1.0
        if spread > 0.0:
            near = np.clip(y, middle - 15.0 * spread, middle + 15.0 * spread)
            self.level, self.unit = float(near.mean()), float(near.std())
            if self.unit < 1e-140:
                self.unit = 1.0
        self.origin, self.square, self.rows = self.level, self.unit**2, 0
        self.off, self.errors = [0.0] * 8, [0.0] * 8

    @property
    def deviation(self) -> float:
        return math.sqrt(self.square)

    def for_models(self, y: float) -> float:
        """What a kernel model learns."""
        return clip((y - self.level) / self.unit, 100.0)

    def of_models(self, score: float) -> float:
        """What a kernel model predicts."""
        return self.level + self.unit * score

    def follow(self, y: float, prediction: float, weight: float = 1.0) -> str:
        """Count a row that all have learned; what happened to the level: "jump", "step" or nothing."""
        trust = min(weight, 1.0)
        if trust == 0.0:
            return ""
        self.rows += 1
        off, reach = y - self.level, 10.0 * self.deviation
        lately = min(abs(o) for o in self.off)
        one_side = all(o * math.copysign(1.0, off) > 0.0 for o in self.off)
        if lately > reach and abs(off) > reach and one_side:
            moved, kind = trust * math.copysign(1.0, off) * min(lately, abs(off)), "jump"
            self.level += moved
            self.off = [o - moved for o in self.off]
            off -= moved  # this row is about to be in the ring too, whose others are now those of the new level
        else:
            kind = "step"
            c = clip(off, max(reach, lately))
            self.level += trust * c / min(self.rows + 64, 500)
            self.square = max(self.square + trust * (c * c - self.square) / min(self.rows + 64, 1000), 1e-280)
        slot = (self.rows - 1) % 8
        self.off[slot] = clip(off, 1e100)
        self.errors[slot] = min(abs(y - prediction), 1e100)
        if self.rows % 64 == 0 and not 1.0 / 1.3 <= self.deviation / self.unit <= 1.3:
            self.unit = self.deviation
        return kind


class Table:
    """Scores of the cells of one table, by whatever names a test gives them, and how often they were visited lately."""

    def __init__(self, table: int, unit: float) -> None:
        self.keep, self.width = 1.0 - 1.0 / VISITS[table], 0.8 * unit
        self.scores: dict[Hashable, float] = {}
        self.counts: dict[Hashable, float] = {}

    def predict(self, cells: Sequence[Hashable], origin: float) -> float:
        return origin + sum(self.scores.get(cell, 0.0) for cell in cells)

    def learn(self, cells: Sequence[Hashable], singles: int, r: float, lately: float, weight: float = 1.0) -> None:
        """y - prediction was r; the first `singles` cells are those of single features, the others of pairs."""
        w = min(weight, 8.0)
        if w == 0.0:
            return
        self.width += min(w, 1.0) * (min(abs(r), max(10.0 * self.width, lately)) - self.width) / 128.0
        r = clip(r, max(6.0 * 1.25 * self.width, lately))
        v = [1.0 / (self.counts.get(cell, 0.0) + (1.0 if k < singles else 2.0)) for k, cell in enumerate(cells)]
        for cell, own in zip(cells, v, strict=True):
            self.scores[cell] = self.scores.get(cell, 0.0) + r * w * own / (1.0 + w * sum(v))
            self.counts[cell] = self.keep * self.counts.get(cell, 0.0) + w


class Row(NamedTuple):
    """The level and the unit of a row; predictions of the experts, of the gates, and of the mixture."""

    level: float
    unit: float
    inputs: np.ndarray
    experts: np.ndarray
    gates: np.ndarray
    mixed: float


class Mixture:
    """The weights of a mixture of `count` experts."""

    def __init__(self, count: int, unit: float, deviation: float) -> None:
        gates = len(MEMORIES)
        self.count, self.scale = count, 0.8 * unit
        self.w = np.full((gates, count), 1.0 / count)
        self.A, self.b = np.zeros((gates, count, count)), np.zeros((gates, count))
        self.v, self.V = np.full(count, 1.0 / count), np.full(gates + count, 1.0 / (gates + count))
        self.losses = np.zeros(count)
        self.errors = np.zeros(count + 2)  # squares of the experts and the mixture; the number of rows
        self.recent = [0.0, 0.0, 0.0]
        self.border = [deviation, deviation]

    def unit(self, target: Target) -> float:
        return max(1.25 * self.scale, 1e-9 * (target.deviation + abs(target.level)) + 1e-290)

    def predict(self, experts: Sequence[float], target: Target) -> Row:
        f, level, u = np.asarray(experts, dtype=np.float64), target.level, self.unit(target)
        inputs = np.array([clip((own - level) / u, 1e6) for own in f])
        room = f.max() - f.min() + 5.0 * u
        gates = np.array([np.clip(level + u * (w @ inputs), f.min() - room, f.max() + room) for w in self.w])
        return Row(level, u, inputs, f, gates, float(self.V @ np.concatenate([gates, f])))

    def learn(self, row: Row, y: float, target: Target, weight: float = 1.0) -> None:
        """What was predicted for a row was followed by y; the target has not yet counted it."""
        trust = min(weight, 1.0)
        if trust == 0.0:
            return
        level, u, inputs, f, q, mixed = row
        z = clip((y - level) / u, 1e6)
        for g, memory in enumerate(MEMORIES):
            e = abs(z - (q[g] - level) / u)
            h = trust * (min(1.0, 5.0 / e) if e > 0.0 else 1.0)
            keep = (1.0 - 1.0 / memory) ** trust
            self.A[g] = keep * self.A[g] + h * np.outer(inputs, inputs)
            self.b[g] = keep * self.b[g] + h * z * inputs
        self.v = share_errors(self.v, np.abs(y - f), u, trust)
        self.V = share_errors(self.V, np.abs(y - np.concatenate([q, f])), u, trust)
        for g in range(len(MEMORIES)):
            sweep(self.A[g], self.b[g], self.v, self.w[g])
        for e in range(self.count):
            self.losses[e] = 0.999**trust * self.losses[e] + trust * min(abs(y - f[e]) / u, 1e6)
        error, lately = abs(y - mixed), min(target.errors)
        self.count_error(y, row, target, trust)
        limit = max(10.0 * u, lately)
        self.scale += trust * (min(error, limit) - self.scale) / min(target.rows + 8, 200)

    def count_error(self, y: float, row: Row, target: Target, trust: float) -> None:
        """What is reported: squares, the rows since the last reading, and where a fifth of the errors are above."""
        with np.errstate(over="ignore"):
            squares = [*(y - row.experts) ** 2, np.float64(y - row.mixed) ** 2, 1.0]
        self.errors = 0.999**trust * self.errors + trust * np.array(squares)
        error = abs(y - row.mixed)
        self.recent = [self.recent[0] + 1, self.recent[1] + (error > self.border[0]), self.recent[2] + error]
        pace = max(0.005, 4.0 / (target.rows + 8))
        self.border[1] *= math.exp(trust * pace * ((error > self.border[1]) - 0.2))


def sweep(A: np.ndarray, b: np.ndarray, v: np.ndarray, w: np.ndarray) -> None:
    """One sweep of Gauss-Seidel, in place: (A + 3I) w = b + 3v."""
    for i in range(len(w)):
        others = sum(A[i, k] * w[k] for k in range(len(w)) if k != i)
        w[i] = (b[i] + RIDGE * v[i] - others) / (A[i, i] + RIDGE)


def share_errors(weights: np.ndarray, errors: np.ndarray, unit: float, trust: float = 1.0) -> np.ndarray:
    """Fixed share for Laplace densities: v_j exp(-trust (error_j - min) / 2u), of sum 1 - a trust, plus a trust / N."""
    v = weights * np.exp(-trust * 0.5 * (errors - errors.min()) / unit)
    return (1.0 - SHARE * trust) * v / v.sum() + SHARE * trust / len(v)
