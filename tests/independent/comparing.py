"""How the engine is compared with the transcriptions: the same streams, the same draws, every iterate."""

import math

import numpy as np

from kernelstream import Model, kernels
from properties.common import function_of
from tests.catalogue import data
from tests.reference.common import Draws

from .budget_parts import draw_index

SEEDS = (0, 1, 2)
GAMMA = 0.8
GAUSSIAN = kernels.Gaussian(GAMMA)
WIDE = kernels.Gaussian(0.2)
POLYNOMIAL = kernels.Polynomial(2, 0.5, 0.3)


def gaussian(x, z, gamma=GAMMA):
    return math.exp(-gamma * float(np.sum((np.asarray(x) - z) ** 2)))


def wide(x, z):
    return gaussian(x, z, 0.2)


def polynomial(x, z):
    return (0.5 * float(np.dot(x, z)) + 0.3) ** 2


def begin(recipe, task, rows, seed, total=None):
    """(model of 64-bit numbers, rows, targets, outputs)."""
    X, y, outputs = data(task, rows, seed)
    return Model.from_recipe(recipe, X, y, n_outputs=outputs, total=total, dtype="float64", seed=seed), X, y, outputs


def iterates(model, X, y, size=1):
    """(support vectors, coefficients) after every update, learned example by example."""
    for i, (x, target) in enumerate(zip(X, y, strict=True), start=1):
        model.learn_one(x, target)
        if i % size == 0:
            yield function_of(model)


def sorted_by_point(support, coef):
    """The engine's slots and the transcriptions' order of arrival in one common order; all points differ."""
    order = np.lexsort(support.T)
    return support[order], coef[order]


def assert_same_iterates(model, X, y, steps, size=1):
    """The same support vectors, bit for bit, and the same coefficients, after every update."""
    made = list(iterates(model, X, y, size))
    assert len(made) == len(steps)
    for t, (ours, theirs) in enumerate(zip(made, steps, strict=True), start=1):
        (support, coef), (points, wanted) = sorted_by_point(*ours), sorted_by_point(*theirs[:2])
        np.testing.assert_array_equal(support, points, err_msg=f"update {t}")
        largest = np.abs(wanted).max(initial=0.0)
        np.testing.assert_allclose(coef, wanted, rtol=1e-9, atol=1e-9 * largest, err_msg=f"update {t}")


def assert_same_values(model, X, y, steps, kernel, size=1, rtol=1e-9):
    """The same support vectors and the same function at all rows, where coefficients are ill-conditioned."""
    made = list(iterates(model, X, y, size))
    assert len(made) == len(steps)
    for t, (ours, theirs) in enumerate(zip(made, steps, strict=True), start=1):
        (support, coef), (points, wanted) = sorted_by_point(*ours), sorted_by_point(*theirs[:2])
        np.testing.assert_array_equal(support, points, err_msg=f"update {t}")
        K = np.array([[kernel(x, z) for z in points] for x in X]).reshape(len(X), len(points))
        values = K @ wanted
        largest = np.abs(values).max(initial=0.0)
        np.testing.assert_allclose(K @ coef, values, rtol=rtol, atol=rtol * largest, err_msg=f"update {t}")


class Slots:
    """The engine's draws for a transcription.

    The engine draws a slot, and the last support vector moves into a slot that becomes free; the transcriptions number
    the support vectors by arrival.
    """

    def __init__(self, seed):
        self.draws, self.slots, self.arrived, self.q = Draws(seed), [], 0, None

    def watched(self, rule):
        """The rule, whose probabilities the next `uniform` must know."""

        def watching(coef, diagonal):
            self.q = rule(coef, diagonal)
            return self.q

        return watching

    def below(self, n):
        self._arrive(n)
        return self._remove(self.draws.below(n))

    def uniform(self):
        """The engine's number; with probabilities, one that selects by arrival what it selects by slot."""
        if self.q is None:
            return self.draws.uniform()
        q, self.q = self.q, None
        self._arrive(len(q))
        ranks = np.argsort(np.argsort(self.slots))
        rank = self._remove(draw_index(q[ranks], self.draws))
        return float(np.sum(q[:rank]) + 0.5 * q[rank])

    def _arrive(self, n):
        while len(self.slots) < n:
            self.slots.append(self.arrived)
            self.arrived += 1

    def _remove(self, slot):
        rank = sorted(self.slots).index(self.slots[slot])
        self.slots[slot] = self.slots[-1]
        self.slots.pop()
        return rank
