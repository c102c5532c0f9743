"""Which of several support vectors is the oldest."""

import numpy as np

from kernelstream import Model, Recipe, kernels, losses
from kernelstream.maintenance import Oldest, Remove
from kernelstream.steps import Constant
from properties.common import function_of, pure_only


@pure_only
def test_the_first_of_a_mini_batch_is_its_oldest():
    """Slots do not tell: the removal of rows 0 and 1 has moved row 3 into a slot before that of row 2."""
    X, y = np.arange(6.0)[:, None], np.ones(6)
    recipe = Recipe(
        kernels.Gaussian(1.0), losses.Squared(), Constant(0.1), maintenance=Remove(Oldest()), budget=2, batch=2
    )
    model = Model.from_recipe(recipe, X, y).learn_many(X, y, weight=[1.0, 1.0, 1.0, 1.0, 1.0, 0.0])
    assert sorted(function_of(model)[0][:, 0]) == [3.0, 4.0]
