"""The arithmetic of a mixture of experts that predict numbers, for one row. It does to numbers what `mixture` does to
labels.

*Units.* The targets have a running level and deviation, which one absurd value does not move; kernel models learn
(y − level) / unit, and their scores grow and move with both. *Gates* are linear combinations of the experts, fitted by
least squares that forget (a step of Gauss and Seidel a row) and drawn towards the weights that the experts have.
*Fixed share* (Herbster & Warmuth, *Machine Learning* 1998) weighs gates and experts by exp(−½ |error| / unit), the
likelihood of a Laplace distribution.
"""

import math
from typing import Any, NamedTuple

import numpy as np

from .cells import Cells, pairs_of
from .numba.lowering import compiled
from .state import one
from .strategy import strategy
from .task import Task
from .types import Array

# units of the targets
LEVEL, SPREAD = 500.0, 1000.0  # rows that the running level and deviation remember
HEAD_START = 64.0  # rows that the values from the first rows count for
MOVED, LOOK = 1.3, 64  # the unit is replaced if it is off by more than this; rows between two looks
OUTLIER = 10.0  # deviations: what is further away counts as if it were there
PATIENCE = 8  # outliers in a row after which the next is believed
FARTHEST = 100.0  # largest target of a kernel model, in units
# tables
VISITS = (5.0, 1000.0, 300.0, 5.0)  # that the counts of the tables remember
ALONE, PAIR = 1.0, 2.0  # visits that a new cell counts for: of a feature, and of a pair
CLIP, WIDTH = 6.0, 128.0  # residuals are clipped at CLIP times 1.25 times their running mean, over WIDTH rows
HEAVIEST = 8.0  # weight
FULL = 1e30  # the largest score of a cell: float32 has larger ones, and sums of them
# mixture
ROWS = (100.0, 1000.0)  # that the gates remember
RIDGE = 3.0  # pull of the gates towards the weights of the experts, in rows
HUBER = 5.0  # units beyond which residuals count linearly in the gates
SCALE = 200.0  # rows over which the error of the mixture is averaged
SHARPNESS = 0.5  # of the likelihood exp(−SHARPNESS |error| / unit)
SHARE = 1e-3  # of the weight that is spread evenly after each row
FINEST, SMALLEST, TINY = 1e-9, 1e-290, 1e-140  # SMALLEST < TINY²: squares of deviations stay above 0
HUGE, LARGEST = 1e100, 1e6  # limits of errors, and of what enters the gates, in units
DISCOUNT = 0.999  # of the losses by which experts are compared
USUAL, QUANTILE = 0.2, 0.005  # share of the rows whose errors are called large, and steps of the estimate of that


class TargetUnits(NamedTuple):
    rows: np.ndarray
    level: np.ndarray  # running mean of y
    square: np.ndarray  # running mean of (y − level)²
    unit: np.ndarray  # of the kernel models
    origin: np.ndarray  # of the tables: the first level,
    base: np.ndarray  # and the first deviation, the unit of their scores
    off: np.ndarray  # (PATIENCE,) y − level of the latest rows
    late: np.ndarray  # (PATIENCE,) |y − prediction| of the latest rows


class NumberMixture(NamedTuple):
    target: TargetUnits
    logits: np.ndarray  # (experts, 1) predictions, in the units of y
    inputs: np.ndarray  # (experts,) of the gates
    moments: np.ndarray  # (gates, experts, experts)
    sums: np.ndarray  # (gates, experts)
    gates: np.ndarray  # (gates, experts) coefficients
    q: np.ndarray  # (gates + experts,) what is weighed
    trust: np.ndarray  # (experts,) weights among the experts alone
    weights: np.ndarray  # (gates + experts,)
    scale: np.ndarray  # running mean |error| of the mixture,
    widths: np.ndarray  # (tables,) and of the tables
    mixed: np.ndarray  # (1,) the prediction
    losses: np.ndarray  # (experts,) recent absolute errors, in units
    errors: np.ndarray  # (experts + 2,) recent squared errors of the experts and of the mixture; and the number of rows
    large: np.ndarray  # border of large errors, and where it would be now
    recent: np.ndarray  # rows, large errors and absolute errors since they were last read


def new_number_mixture(models: int, tables: int) -> NumberMixture:
    experts, gates = models + tables, len(ROWS)
    target = TargetUnits(one(), one(), one(1.0), one(1.0), one(), one(1.0), np.zeros(PATIENCE), np.zeros(PATIENCE))
    return NumberMixture(
        target, np.zeros((experts, 1)), np.zeros(experts), np.zeros((gates, experts, experts)),
        np.zeros((gates, experts)), np.full((gates, experts), 1.0 / experts), np.zeros(gates + experts),
        np.full(experts, 1.0 / experts), np.full(gates + experts, 1.0 / (gates + experts)), one(0.8),
        np.full(tables, 0.8), np.zeros(1), np.zeros(experts), np.zeros(experts + 2), np.full(2, 1.6), np.zeros(3),
    )  # fmt: skip


def level_of(y: np.ndarray) -> tuple[float, float]:
    """Level and deviation of the first targets, of which one may be absurd.

    >>> level, deviation = level_of(np.array([1.0, 2.0, 3.0, 1e30]))
    >>> level < 10.0 and deviation < 10.0
    True
    """
    middle = float(np.median(y))
    spread = float(np.median(np.abs(y - middle))) or float(np.abs(y - middle).mean())
    if not 0.0 < spread < math.inf:
        return middle, 1.0
    near = np.clip(y, middle - 15.0 * spread, middle + 15.0 * spread)
    deviation = float(near.std())
    return float(near.mean()), deviation if deviation > TINY else 1.0


@compiled
def clipped(value: float, limit: float) -> float:
    return min(max(value, -limit), limit)


@compiled
def smallest(values: Array) -> float:
    """The smallest absolute value."""
    found = math.inf
    for k in range(values.shape[0]):
        found = min(found, abs(values[k]))
    return found


@compiled
def one_sided(values: Array, change: float) -> bool:
    for k in range(values.shape[0]):
        if values[k] * change <= 0.0:
            return False
    return True


@compiled
def follow_target(t: TargetUnits, y: float, mixed: float, trust: float) -> None:
    """Move level, deviation and unit after a row, for which `mixed` was the prediction."""
    slot, n = int(t.rows[0]) % PATIENCE, t.rows[0] + 1.0 + HEAD_START
    t.rows[0] += 1.0
    reach, off, lately = OUTLIER * math.sqrt(t.square[0]), y - t.level[0], smallest(t.off)
    if lately > reach and abs(off) > reach and one_sided(t.off, off):
        # not outliers, but another level
        jump = trust * math.copysign(min(lately, abs(off)), off)
        t.level[0] += jump
        for k in range(PATIENCE):
            t.off[k] -= jump
        off -= jump
    else:
        change = clipped(off, max(reach, lately))
        t.level[0] += trust * change / min(n, LEVEL)
        t.square[0] = max(t.square[0] + trust * (change * change - t.square[0]) / min(n, SPREAD), TINY * TINY)
    t.off[slot], t.late[slot] = clipped(off, HUGE), min(abs(y - mixed), HUGE)
    if t.rows[0] % LOOK == 0.0:
        deviation = math.sqrt(t.square[0])
        # what was learned is not converted: it grows with the targets
        if deviation > MOVED * t.unit[0] or deviation * MOVED < t.unit[0]:
            t.unit[0] = deviation


@compiled
def unit_of(m: NumberMixture) -> float:
    """The unit of errors."""
    t = m.target
    return max(1.25 * m.scale[0], FINEST * (math.sqrt(t.square[0]) + abs(t.level[0])) + SMALLEST)


@compiled
def mix_numbers(m: NumberMixture) -> None:
    """The prediction from those of all experts."""
    gates, experts = m.gates.shape
    level, unit, low, high = m.target.level[0], unit_of(m), math.inf, -math.inf
    for e in range(experts):
        value = m.logits[e, 0]
        low, high = min(low, value), max(high, value)
        m.inputs[e] = clipped((value - level) / unit, LARGEST)
        m.q[gates + e] = value
    reach = high - low + HUBER * unit
    for g in range(gates):
        value = 0.0
        for e in range(experts):
            value += m.gates[g, e] * m.inputs[e]
        m.q[g] = min(max(level + unit * value, low - reach), high + reach)
    m.mixed[0] = 0.0
    for j in range(gates + experts):
        m.mixed[0] += m.weights[j] * m.q[j]


@compiled
def learn_numbers(m: NumberMixture, y: float, trust: float) -> None:
    """What happened was y; `trust` is 1 for a whole example, and less for a part of one."""
    gates, experts = m.gates.shape
    unit, level, keep, wrong = unit_of(m), m.target.level[0], DISCOUNT**trust, abs(y - m.mixed[0])
    count_error(m, y, wrong, keep, trust)
    z = clipped((y - level) / unit, LARGEST)
    for g in range(gates):
        error, fade = abs(z - (m.q[g] - level) / unit), (1.0 - 1.0 / ROWS[g]) ** trust
        part = trust if error <= HUBER else trust * HUBER / error
        for i in range(experts):
            for k in range(experts):
                m.moments[g, i, k] = fade * m.moments[g, i, k] + part * m.inputs[i] * m.inputs[k]
            m.sums[g, i] = fade * m.sums[g, i] + part * m.inputs[i] * z
    share_errors(m.trust, m.q[gates:], y, unit, trust)
    share_errors(m.weights, m.q, y, unit, trust)
    for g in range(gates):
        # (moments + RIDGE) w = sums + RIDGE · trust
        for i in range(experts):
            value = m.sums[g, i] + RIDGE * m.trust[i]
            for k in range(experts):
                if k != i:
                    value -= m.moments[g, i, k] * m.gates[g, k]
            m.gates[g, i] = value / (m.moments[g, i, i] + RIDGE)
    for e in range(experts):
        m.losses[e] = keep * m.losses[e] + trust * min(abs(y - m.logits[e, 0]) / unit, LARGEST)
    error = min(wrong, max(OUTLIER * unit, smallest(m.target.late)))
    m.scale[0] += trust * (error - m.scale[0]) / min(m.target.rows[0] + 8.0, SCALE)


@compiled
def count_error(m: NumberMixture, y: float, wrong: float, keep: float, trust: float) -> None:
    """For the detector of drift and for reports."""
    experts = m.logits.shape[0]
    m.recent[0] += 1.0
    m.recent[1] += wrong > m.large[0]
    m.recent[2] += min(wrong, HUGE)
    step = trust * max(QUANTILE, 4.0 / (m.target.rows[0] + 8.0))
    m.large[1] *= math.exp(step * ((1.0 if wrong > m.large[1] else 0.0) - USUAL))
    m.large[1] = min(max(m.large[1], SMALLEST), HUGE)
    for e in range(experts):
        m.errors[e] = keep * m.errors[e] + trust * min(abs(y - m.logits[e, 0]), HUGE) ** 2
    m.errors[experts] = keep * m.errors[experts] + trust * min(wrong, HUGE) ** 2
    m.errors[experts + 1] = keep * m.errors[experts + 1] + trust


@compiled
def share_errors(weights: Array, values: Array, y: float, unit: float, trust: float) -> None:
    """Fixed share: weights times likelihoods, normalised, a share of them spread evenly."""
    count, total, best = weights.shape[0], 0.0, math.inf
    for j in range(count):
        best = min(best, abs(y - values[j]))
    for j in range(count):
        weights[j] *= math.exp(-trust * SHARPNESS * (abs(y - values[j]) - best) / unit)
        total += weights[j]
    part = SHARE * trust
    for j in range(count):
        weights[j] = weights[j] * ((1.0 - part) / total) + part / count


@compiled
def filter_cells(m: NumberMixture, cells: Cells, table: int, residual: float, weight: float) -> None:
    """A step of a Kalman filter with independent cells, whose variances are 1/(visits + prior): the steps need no rate,
    and all of them together are less than the residual, but for cells that collide."""
    singles, (first, last) = cells.singles[0], pairs_of(cells, table)
    scores, visits, where = cells.scores[table], cells.slopes[table], cells.where
    keep, lately, width = 1.0 - 1.0 / VISITS[table], smallest(m.target.late), m.widths
    width[table] += min(weight, 1.0) * (min(abs(residual), max(OUTLIER * width[table], lately)) - width[table]) / WIDTH
    width[table] = max(width[table], SMALLEST)
    residual = clipped(residual, max(1.25 * CLIP * width[table], lately))
    total = 0.0
    for i in range(singles + last - first):
        place = where[i] if i < singles else where[first + i - singles]
        # a new cell has 1, as for labels
        total += 1.0 / (np.float64(visits[place]) - 1.0 + (ALONE if i < singles else PAIR))
    step = residual / m.target.base[0] * weight / (1.0 + weight * total)
    for i in range(singles + last - first):
        place = where[i] if i < singles else where[first + i - singles]
        count, row = np.float64(visits[place]) - 1.0, scores[place]
        row[0] = np.float32(clipped(np.float64(row[0]) + step / (count + (ALONE if i < singles else PAIR)), FULL))
        visits[place] = np.float32(1.0 + keep * count + weight)


@strategy
class Numbers(Task):
    """Numbers: experts and mixture predict them."""

    @property
    def share(self) -> float:
        return SHARE

    def new_mixture(self, models: int, tables: int, outputs: int) -> NumberMixture:
        return new_number_mixture(models, tables)

    def width(self, outputs: int) -> int:
        return 1

    def start(self, m: NumberMixture, y: np.ndarray) -> None:
        level, deviation = level_of(y)
        m.target.level[0] = m.target.origin[0] = level
        m.target.square[0], m.target.unit[0], m.target.base[0] = deviation**2, deviation, deviation
        m.scale[0], m.widths[:], m.large[:] = 0.8 * deviation, 0.8 * deviation, deviation

    def judge_anew(self, m: NumberMixture) -> bool:
        m.large[0] = m.large[1]
        return True

    def table_scores(self, state: Any, other: Any) -> np.ndarray:
        before, after = state.mixture.target, other.mixture.target
        found: np.ndarray = state.cells.scores.astype(np.float64) * (before.base[0] / after.base[0])
        found[:, 0, 0] += (before.origin[0] - after.origin[0]) / after.base[0]  # the cell of all rows
        return found

    def units(self, m: NumberMixture) -> tuple[float, float]:
        return float(m.target.level[0]), float(m.target.unit[0])

    def take_scores(self, m: NumberMixture, scores: Array) -> None:
        level, unit = m.target.level[0], m.target.unit[0]
        for e in range(scores.shape[0]):
            m.logits[e, 0] = level + unit * scores[e, 0, 0]

    def combine(self, m: NumberMixture) -> None:
        origin, base = m.target.origin[0], m.target.base[0]
        for e in range(m.logits.shape[0] - m.widths.shape[0], m.logits.shape[0]):
            m.logits[e, 0] = origin + base * m.logits[e, 0]
        mix_numbers(m)

    def learn_weights(self, m: NumberMixture, index: int, y: float, trust: float) -> None:
        learn_numbers(m, y, trust)

    def learn_table(
        self, m: NumberMixture, cells: Cells, table: int, expert: int, index: int, y: float, weight: float
    ) -> None:
        filter_cells(m, cells, table, y - m.logits[expert, 0], min(weight, HEAVIEST))

    def model_target(self, m: NumberMixture, y: float) -> float:
        return clipped((y - m.target.level[0]) / m.target.unit[0], FARTHEST)

    def model_weight(self, weight: float) -> float:
        return min(weight, HEAVIEST)

    def follow(self, m: NumberMixture, y: float, trust: float) -> None:
        follow_target(m.target, y, m.mixed[0], trust)
