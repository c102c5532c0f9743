"""A call that is refused changes nothing, and one that is accepted leaves scores finite, whatever the numbers in it."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernelstream import Model, kernels, losses, recipes
from kernelstream.core.precision import HEAVIEST
from kernelstream.core.state import PASSING, arrays
from properties.common import examples, pure_only
from tests.catalogue import CASES, Case, data

GAUSSIAN, SQUARED = kernels.Gaussian(1.5), losses.Squared()
WILD = [
    Case("squared, polynomial", recipes.bsgd(kernels.Polynomial(), SQUARED, 1e-3, 10, "smallest"), None, "values"),
    Case("squared, linear", recipes.bsgd(kernels.Linear(), SQUARED, 1e-3, 10, "smallest"), None, "values"),
    Case("squared, merging", recipes.bsgd(GAUSSIAN, SQUARED, 1e-3, 10), None, "values"),
    Case("exponential", recipes.bsgd(GAUSSIAN, losses.Exponential(), 1e-3, 10), None),
    Case("passive-aggressive, linear", recipes.pa(kernels.Linear()), None),
]


def bits(model):
    lasting = [part for name, part in model.state._asdict().items() if name not in PASSING]
    return [array.tobytes() for part in lasting for array in arrays(part)]


def exponents():
    """Exponents of ten: often 0, or any that float64 has."""
    return st.one_of(st.just(0.0), st.floats(-308.0, 308.0))


calls = st.lists(
    st.tuples(
        st.sampled_from([0, 1, 2, 7]),  # rows; 0 for learn_one
        exponents(),  # of the features,
        exponents(),  # of the targets,
        exponents(),  # of the weights,
        st.booleans(),  # of one row or of all
    ),
    min_size=1,
    max_size=5,
)


@pure_only
@pytest.mark.parametrize("case", [*CASES, *WILD], ids=lambda case: case.name)
@given(calls, st.sampled_from(["float32", "float64"]))
@examples(8)
def test_numbers_of_any_size(case, calls, dtype):
    with np.errstate(all="ignore"):  # in pure Python NumPy warns where compiled code does not
        learn(case, calls, dtype)


def learn(case, calls, dtype):
    X, y, outputs = data(case.task, 40)
    model = Model.from_recipe(case.recipe, X, y, n_outputs=outputs, total=200, dtype=dtype)
    for number, (rows, features, targets, weights, all_rows) in enumerate(calls):
        X, y, _ = data(case.task, max(rows, 1), seed=number)
        X = X * 10.0**features
        y = np.asarray(y, float) * (10.0**targets if case.task in ("values", "vector") else 1.0)
        weight = np.where(np.arange(len(y)) == len(y) // 2, 10.0**weights, 10.0**weights if all_rows else 1.0)
        before = bits(model)
        try:
            if rows:
                model.learn_many(X, y, weight)
            else:
                model.learn_one(X[0], y[0], weight[0])
        except ValueError:
            assert bits(model) == before
        else:
            assert weight.max() <= HEAVIEST
        assert np.isfinite(model.scores_many(data(case.task, 20, seed=9)[0])).all()


@pytest.mark.parametrize("weight", [2e15, 1e100, 1e300, 1e306, 1.7e308])
def test_a_weight_beyond_the_limit_is_refused_in_words(weight):
    X, y, _ = data("binary")
    model = Model.from_recipe(recipes.bsgd(GAUSSIAN, budget=10), X, y)
    with pytest.raises(ValueError, match=r"The weight of row 0 is .*from 0 to 1e\+15.*the model is unchanged"):
        model.learn_many(X[:1], y[:1], [weight])
    with pytest.raises(ValueError, match=r"from 0 to 1e\+15"):
        model.learn_one(X[0], y[0], weight)


@pytest.mark.parametrize(
    "recipe", [recipes.bsgd(GAUSSIAN, losses.Hinge(), 1e-300, 10, offset=0.0), recipes.olk(eta=1e300)]
)
def test_steps_that_would_overflow_are_refused_in_words(recipe):
    X, y, _ = data("binary")
    with pytest.raises(ValueError, match=r"first step .* is 1e\+300, and scores would overflow"):
        Model.from_recipe(recipe, X, y)
