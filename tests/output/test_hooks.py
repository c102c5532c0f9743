"""What an output asks for, it gets: a moment between two examples, a final pass, rows held back."""

from typing import NamedTuple

import numpy as np
import pytest

from kernelstream import KernelClassifier, Model, kernels, losses, recipes, strategy
from kernelstream.core.state import one
from kernelstream.output import Last, Mean, Output, RandomIterate, Refit
from tests.estimators.data import two_classes

EVERY = 7
MOMENTS: list[int] = []
PASSES: list[tuple[float, int]] = []


class Counter(NamedTuple):
    since: np.ndarray


@strategy
class Punctual(Output):
    """The last iterate; asks for a moment after every seven examples, and for a final pass."""

    refits = True
    holds_back = True

    def init(self, dims):
        return Counter(one(0, np.int64))

    def observed(self, own, r, st, x, y, weight):
        own.since[0] += 1

    def due(self, own):
        return own.since[0] == EVERY

    def between(self, recipe, state):
        MOMENTS.append(int(state.run.seen[0]))
        state.output.since[0] = 0

    def refit(self, recipe, state, source, held):
        PASSES.append((source.mass, len(held.weight)))


def recipe(output):
    return recipes.bsgd(kernels.Linear(), losses.Hinge(), 1e-2, 10, "smallest", output=output)


@pytest.mark.engine
def test_a_moment_between_two_examples_loses_nothing():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(40, 3))
    y = np.sign(X[:, 0])
    MOMENTS.clear()
    model = Model.from_recipe(recipe(Punctual()), X, y).learn_many(X[:25], y[:25])
    for x, sign in zip(X[25:], y[25:], strict=True):
        model.learn_one(x, sign)
    # the moment comes when the next example arrives
    assert MOMENTS == [7, 14, 21, 28, 35]
    plain = Model.from_recipe(recipe(Last()), X, y).learn_many(X, y)
    np.testing.assert_array_equal(model.scores_many(X), plain.scores_many(X))
    assert model.record.examples == 40


def test_fit_holds_rows_back_and_makes_the_final_pass_for_those_who_ask():
    X, y = two_classes(600)
    PASSES.clear()
    model = KernelClassifier(recipe(Punctual()), epochs=1, random_state=0).fit(X, y)
    assert PASSES == [(570.0, 30)] and model.record_.examples == 600
    KernelClassifier(recipe(Last()), epochs=1, random_state=0).fit(X, y)
    assert len(PASSES) == 1


@pytest.mark.parametrize("output", [Last(), Mean(), RandomIterate()], ids=repr)
def test_outputs_without_a_final_pass_look_at_no_data(output):
    model = Model.from_recipe(recipe(output), np.eye(3), np.ones(3))
    assert not output.refits and not output.holds_back
    assert model.refit("not even", "rows") is model


def test_the_refit_asks_for_all_three():
    assert Refit.refits and Refit.holds_back
    model = Model.from_recipe(recipe(Refit()), np.eye(3), np.ones(3))
    assert not Refit().due(model.state.output)
    model.state.output.waiting.filled[0] = len(model.state.output.waiting.weight)
    assert Refit().due(model.state.output)
