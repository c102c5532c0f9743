"""Averages against the mean of the iterates, each kept as it was."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernelstream import Model, Recipe
from kernelstream.admission import ByDerivative
from kernelstream.bounds import Ball, Clip, Scale, Unbounded
from kernelstream.core.strategy import Facts
from kernelstream.kernels import Gaussian, Linear
from kernelstream.losses import Logistic, Multinomial, Squared
from kernelstream.maintenance import Discard, Keep, Merge, Project, ProjectOnNearest, Prune, Remove
from kernelstream.output import Last, Mean, RandomIterate, RandomSuffixIterate, Suffix, Tail
from kernelstream.steps import Constant, InverseTime
from properties.common import PURE, examples, function_of, pure_only, rows, seeds
from tests.reference.common import Draws

KERNEL = Gaussian(0.8)
PROBES = rows(99, 6, 2)


def stream(n, seed, task="signs"):
    X = rows(seed, n, 2, repeats=0.1)
    score = np.sin(2.0 * X[:, 0]) + X[:, 1]
    return (X, np.where(score > 0.0, 1.0, -1.0), 1) if task == "signs" else (X, np.digitize(score, [-0.5, 0.5]), 3)


def iterates(model, X, y, batch=1):
    """f_1(probes) … f_T(probes): the function before each update."""
    values = []
    for i, (x, target) in enumerate(zip(X, y, strict=True)):
        if i % batch == 0:
            sv, coef = function_of(model)
            values.append(
                model.recipe.kernel(PROBES, sv) @ coef if len(sv) else np.zeros((len(PROBES), model.n_outputs))
            )
        model.learn_one(x, target)
    return np.array(values[: len(X) // batch])


def oldest_half(t: int) -> int:
    """Where the older of two sums starts that are emptied at alternate powers of two, once these have come in."""
    starts = [1, 1]
    for u in range(1, t + 1):
        if u & (u - 1) == 0:
            starts[0 if starts[0] <= starts[1] else 1] = u + 1
    return min(starts)


def expected_mean(average, values, seed):
    T = len(values)
    if isinstance(average, Tail):
        return values[oldest_half(T) - 1 :].mean(axis=0)
    if isinstance(average, RandomIterate):
        draws, chosen = Draws(~seed), 0
        for t in range(average.start, T + 1):
            if draws.uniform() * (t - average.start + 1) < 1.0:
                chosen = t
        return values[chosen - 1]
    return values[average.start - 1 :].mean(axis=0)


everything = st.sampled_from(
    [
        (Keep(), None, Unbounded()),
        (Keep(), None, Ball(1.5)),
        (Remove(), 7, Unbounded()),
        (Remove(), 7, Clip(1.0)),
        (Project(), 7, Unbounded()),
        (ProjectOnNearest(2), 7, Ball(2.0)),
        (Merge(), 7, Ball(1.5)),
        (Discard(), 7, Clip(2.0)),
        (Discard(), 7, Scale(2.0)),
        (Prune(0.3), None, Unbounded()),
    ]
)


@pure_only
@examples(120)
@given(
    everything,
    st.sampled_from([Mean(), Mean(13), Tail(), RandomIterate(), RandomIterate(9)]),
    st.sampled_from([Constant(0.5, 0.05), Constant(0.5), InverseTime(0.05), Constant(0.9, 1.0)]),
    st.sampled_from(["signs", "class"]),
    st.sampled_from([1, 1, 4]),
    seeds,
)
def test_averages_are_means_of_the_iterates(parts, average, step, task, batch, seed):
    maintenance, budget, bound = parts
    if isinstance(bound, Ball) and isinstance(step, InverseTime):
        bound = Ball()
    X, y, outputs = stream(64, seed, task)
    loss = Logistic() if task == "signs" else Multinomial()
    recipe = Recipe(
        KERNEL, loss, step, maintenance=maintenance, budget=budget, bound=bound, output=average, batch=batch
    )
    model = Model.from_recipe(recipe, X, y, n_outputs=outputs, dtype="float64", seed=seed)
    values = iterates(model, X, y, batch)
    np.testing.assert_allclose(model.scores_many(PROBES), expected_mean(average, values, seed), rtol=1e-8, atol=1e-9)
    sv, coef = model.function
    np.testing.assert_allclose(KERNEL(PROBES, sv) @ coef, model.scores_many(PROBES), rtol=1e-8, atol=1e-9)


@pure_only
@pytest.mark.parametrize("average", [Mean(), Mean(500), Tail()], ids=repr)
def test_a_scale_that_leaves_its_range_many_times(average):
    """A decay of 0.1 … 0.5 per update takes the scale out of 1e-4 … 1e4 every dozen updates; sums must not notice."""
    X, y, _ = stream(1000, 3)
    for maintenance, budget, step in ((Remove(), 6, Constant(0.9, 1.0)), (Merge(), 6, Constant(1.0, 0.5))):
        recipe = Recipe(KERNEL, Logistic(), step, maintenance=maintenance, budget=budget, output=average)
        model = Model.from_recipe(recipe, X, y, dtype="float64")
        values = iterates(model, X, y)
        assert 1e-4 < model.state.expansion.scale[0] < 1e4
        np.testing.assert_allclose(model.scores_many(PROBES), expected_mean(average, values, 0), rtol=1e-9, atol=1e-11)
    growing = Recipe(KERNEL, Logistic(), Constant(0.5), maintenance=Discard(), budget=3, output=average)
    model = Model.from_recipe(growing, X, y, dtype="float64")  # × 1.5 at every discard
    values = iterates(model, X, y)
    np.testing.assert_allclose(
        model.scores_many(PROBES), expected_mean(average, values, 0), rtol=1e-7, atol=1e-7 * np.abs(values).max()
    )


@pytest.mark.engine
def test_the_mean_of_oskl():
    X, y, _ = stream(150 if PURE else 400, 1)
    recipe = Recipe(KERNEL, Logistic(), Constant(0.45), admission=ByDerivative(2.0), bound=Ball(3.0), output=Mean())
    model = Model.from_recipe(recipe, X, y, dtype="float64", seed=4)
    values = iterates(model, X, y)
    np.testing.assert_allclose(model.scores_many(PROBES), values.mean(axis=0), rtol=1e-9, atol=1e-10)
    assert len(model.function.coefficients) == model.n_support  # nothing was removed: the mean has the SVs of the last


def resolved(average, total, batch=1):
    X, y, _ = stream(20, 0)
    recipe = Recipe(KERNEL, Logistic(), Constant(0.5), output=average, batch=batch)
    return recipe.resolve(Facts(X, y[:, None], 1, np.dtype("float32"), total)).output


def test_suffix_covers_its_share():
    assert resolved(Suffix(0.5), 10) == Mean(6)
    assert resolved(Suffix(1.0), 10) == Mean(1)
    assert resolved(Suffix(0.25), 1000) == Mean(751)
    assert resolved(Suffix(0.9), 10) == Mean(2)  # (1 − 0.9) · 10 is less than 1 in floating point
    assert resolved(Suffix(0.5), None) == Tail()
    assert resolved(Last(), 10) == Last()


def test_suffix_covers_its_share_of_mini_batches():
    assert resolved(Suffix(0.5), 1000, batch=10) == Mean(51)  # 100 updates


def test_tail_covers_half_to_three_quarters():
    for t in range(2, 300):
        share = (t - oldest_half(t) + 1) / t
        assert 0.5 <= share < 0.75


def test_random_iterates_of_all_and_of_the_last_part():
    """Theorem 6 of NBSGD draws from all iterates, Theorem 12 from the last γT."""
    assert resolved(RandomIterate(), 100) == RandomIterate(1)
    assert resolved(RandomSuffixIterate(), 100) == RandomIterate(51)
    assert resolved(RandomSuffixIterate(0.9), 10) == RandomIterate(2)
    assert resolved(RandomSuffixIterate(0.2), 1000, batch=10) == RandomIterate(81)
    with pytest.raises(ValueError, match="the length of the stream is not known"):
        resolved(RandomSuffixIterate(), None)


def test_each_iterate_of_the_last_part_is_drawn_equally_often():
    """With a constant step f_t is known by its value: the last 8 of 40 are drawn, each equally often."""
    X, y = np.ones((40, 1)), np.ones((40, 1))
    recipe = Recipe(Linear(), Squared(), Constant(0.01), output=RandomSuffixIterate(0.2))
    found = [
        Model.from_recipe(recipe, X, y, total=40, seed=seed).learn_many(X, y).scores_many([[1.0]])[0, 0]
        for seed in range(400)
    ]
    expected = 1.0 - 0.99 ** np.arange(32, 40)  # f_t has made t − 1 steps
    nearest = np.abs(np.subtract.outer(found, expected))
    assert nearest.min(axis=1).max() < 1e-5
    counts = np.bincount(nearest.argmin(axis=1), minlength=8)
    assert counts.sum() == 400 and 25 <= counts.min() <= counts.max() <= 80
