"""The ball of NBSGD with the squared loss: its radius needs the largest target."""

import math

import numpy as np
import pytest

from kernelstream import KernelRegressor, recipes
from kernelstream.kernels import Gaussian
from kernelstream.losses import Squared

X = np.linspace(0.0, 1.0, 60)[:, None]
Y = np.append(np.sin(6.0 * X[:-1, 0]), 5.0)  # the largest comes last


@pytest.mark.engine
def test_fit_takes_the_largest_target_of_all_rows():
    recipe = recipes.nbsgd(Gaussian(1.0), Squared(), lam=0.25, budget=10)
    model = KernelRegressor(recipe, scale_target=False, epochs=1, shuffle=False).fit(X, Y)
    assert model.model_.recipe.bound.radius == pytest.approx(5.0 / math.sqrt(0.25))
