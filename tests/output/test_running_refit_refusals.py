"""What a running refit cannot fit is refused in a sentence, when the recipe is made."""

import pytest

from kernelstream import kernels, recipes
from kernelstream.losses import LOSSES
from kernelstream.output import RunningRefit

UNFIT = [loss for loss in LOSSES.values() if not loss.touches]


def test_a_fixed_basis():
    with pytest.raises(
        ValueError, match=r"^Recipe: RunningRefit fits support vectors; Fourier\(.*\) has a fixed basis"
    ):
        recipes.fogd(gamma=1.0).replace(output=RunningRefit())


@pytest.mark.parametrize("loss", UNFIT, ids=repr)
def test_losses_without_a_parabola(loss):
    recipe = recipes.kernel_sgd(kernels.Gaussian(1.0), loss)
    with pytest.raises(
        ValueError, match=r"^Recipe: RunningRefit cannot fit .*\. Use a hinge loss, Squared\(\) or Huber"
    ):
        recipe.replace(output=RunningRefit())


@pytest.mark.parametrize(
    ("name", "value"), [("lam", 0.0), ("lam", -1.0), ("lam", float("nan")), ("half_life", -5.0), ("half_life", "long")]
)
def test_parameters_out_of_range(name, value):
    with pytest.raises(ValueError, match=f"RunningRefit: {name} must be"):
        RunningRefit(**{name: value})


def test_it_is_a_value():
    assert RunningRefit(lam=0.1) == RunningRefit(lam=0.1) != RunningRefit(lam=0.2)
    assert RunningRefit().forgetting(50.0) == RunningRefit(half_life=50.0)
    assert not RunningRefit.refits and not RunningRefit.holds_back
