"""A maintenance rule with numbers for each support vector is told of every change of a slot."""

from typing import Any, NamedTuple

import numpy as np
import pytest

from kernelstream import Model, Recipe, kernels, losses, steps
from kernelstream.extend import Dims, strategy
from kernelstream.maintenance import Maintenance, Merge, Sometimes

pytestmark = [pytest.mark.engine, pytest.mark.bounds]


class ShadowState(NamedTuple):
    inner: tuple
    first: np.ndarray  # what should be the first feature of each support vector


@strategy
class Shadow(Maintenance):
    """As `inner`, with a copy of a feature of every support vector."""

    inner: Any
    needs_merging = True

    def init(self, dims: Dims) -> ShadowState:
        return ShadowState(self.inner.init(dims), np.zeros(dims.capacity))

    def reduce(self, own, r, st):
        self.inner.reduce(own.inner, r, st)

    def inserted(self, own, r, st, j):
        own.first[j] = st.expansion.sv[0, j]

    def replaced(self, own, r, st, j):
        own.first[j] = st.expansion.sv[0, j]

    def dropping(self, own, r, st, j):
        own.first[j] = own.first[st.expansion.n[0] - 1]

    def restart(self, own, ex):
        own.first[: ex.n[0]] = ex.sv[0, : ex.n[0]]


def agrees(model):
    n = model.n_support
    own = model.state.maintenance.inner
    np.testing.assert_array_equal(own.first[:n], model.state.expansion.sv[0, :n])
    return n


def test_numbers_stay_with_their_support_vectors():
    """Through additions, merging, a wrapper, growth of the memory, and a function that is replaced."""
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(300, 2)), np.where(rng.random(300) < 0.5, 1.0, -1.0)
    recipe = Recipe(
        kernels.Gaussian(0.5),
        losses.Hinge(),
        steps.Constant(0.5),
        maintenance=Sometimes(Shadow(Merge()), 60.0),
        budget=10,
    )
    model = Model.from_recipe(recipe, X, y, dtype="float64")
    for start in range(0, 300, 30):
        model.learn_many(X[start : start + 30], y[start : start + 30])
        agrees(model)
    assert agrees(model) > 40 and model.record.maintenance > 20
    smaller = model.compress(8)
    assert agrees(smaller) == 8
    agrees(smaller.learn_many(X, y))
