"""What cannot be refitted is refused in a sentence, when the recipe is made."""

import pytest

from kernelstream import kernels, losses, recipes
from kernelstream.output import Refit


def test_a_fixed_basis():
    with pytest.raises(ValueError, match=r"^Recipe: Refit fits support vectors, and Fourier\(.*\) has a fixed basis"):
        recipes.fogd(gamma=1.0).replace(output=Refit())


@pytest.mark.parametrize("loss", [losses.Absolute(), losses.EpsilonInsensitive(0.1)], ids=repr)
def test_losses_without_a_second_derivative(loss):
    recipe = recipes.kernel_sgd(kernels.Gaussian(1.0), loss)
    with pytest.raises(ValueError, match=rf"^Recipe: Refit cannot fit {loss.__class__.__name__}\(.*Use Squared\(\) or"):
        recipe.replace(output=Refit())
    assert recipes.default(loss=loss).output == recipe.output  # the default does without


@pytest.mark.parametrize(
    ("name", "value"),
    [("lam", -1.0), ("lam", float("nan")), ("half_life", -5.0), ("max_passes", 0), ("start_after", 1.5)],
)
def test_parameters_out_of_range(name, value):
    with pytest.raises(ValueError, match=f"Refit: {name} must be"):
        Refit(**{name: value})


def test_refit_is_a_value():
    assert Refit(lam=0.1) == Refit(lam=0.1) != Refit(lam=0.2)
    assert hash(Refit(half_life=5.0)) == hash(Refit(half_life=5.0))
