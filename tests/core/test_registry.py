"""A user's recipe, kernel or loss by name: in estimators, in `compare`, in files."""

import copy
import sys

import numpy as np
import pytest
from sklearn.base import clone

import kernelstream
from kernelstream import KernelClassifier, kernels, losses, recipes, saving, strategy
from kernelstream.core.registry import USER_STRATEGIES, Registry
from kernelstream.core.strategy import Positive
from kernelstream.kernels import Gaussian, Radial
from tests.estimators.data import two_classes

pytestmark = pytest.mark.engine


@strategy
class Inverse(Radial):
    """κ(x, z) = 1/(1 + γ ‖x − z‖²). The library has another class of this name."""

    gamma: Positive = 1.0
    normalised = True

    def of(self, u):
        return 1.0 / (1.0 + self.gamma * u)


def small(kernel=Gaussian("scale"), loss=losses.Hinge(), budget=10):
    """A recipe of a user's own."""
    return recipes.bsgd(kernel, loss, 1e-3, budget, "smallest")


@pytest.fixture
def registered():
    """Names of a user's own, forgotten afterwards."""
    before = [dict(registry) for registry in (kernels.KERNELS, losses.LOSSES, recipes.RECIPES)]
    kernels.register("inverse", Inverse(0.5))
    recipes.register("small", small)
    yield
    for registry, members in zip((kernels.KERNELS, losses.LOSSES, recipes.RECIPES), before, strict=True):
        registry.clear()
        registry.update(members)
    USER_STRATEGIES.clear()


def test_registered_names_work_in_estimators_and_files(registered, tmp_path):
    X, y = two_classes(120)
    model = KernelClassifier("small", kernel="inverse", epochs=1, random_state=0).fit(X, y)
    assert model.model_.recipe.kernel == Inverse(0.5) and model.n_support_ == 10
    kernelstream.save(model, tmp_path / "model.ks")
    loaded = kernelstream.load(tmp_path / "model.ks")
    np.testing.assert_array_equal(
        loaded.partial_fit(X, y).decision_function(X), model.partial_fit(X, y).decision_function(X)
    )
    assert saving.describe(tmp_path / "model.ks").recipe.kernel == Inverse(0.5)
    USER_STRATEGIES.clear()
    with pytest.raises(
        ValueError, match=r"unknown strategy 'tests.core.test_registry:Inverse': if it is your own, import"
    ):
        kernelstream.load(tmp_path / "model.ks")


def test_module_and_name(registered, tmp_path, monkeypatch):
    (tmp_path / "users_recipes.py").write_text(
        "from kernelstream import recipes\ndef mine(budget=7):\n    return recipes.bsgd(budget=budget)\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    assert KernelClassifier("users_recipes:mine").resolve_recipe().budget.size == 7
    assert "users_recipes:mine" in recipes.RECIPES
    sys.modules.pop("users_recipes")
    for name, why in [("users_recipes:none", "has no attribute 'none'"), ("no_such_module:x", "No module named")]:
        with pytest.raises(ValueError, match=f"recipe '{name}' cannot be imported: .*{why}"):
            KernelClassifier(name).resolve_recipe()


def test_names_that_are_taken_or_unknown(registered):
    registry = Registry("colour", {"red": 1})
    assert registry.register("red", registry["red"]) == 1
    with pytest.raises(ValueError, match=r"'red' is taken, or not a name. Choose another for this colour"):
        registry.register("red", 2)
    with pytest.raises(ValueError, match=r"unknown colour 'blue'. Available: red; or module:name"):
        registry.find("blue")
    with pytest.raises(ValueError, match="The 'kernel' parameter of KernelClassifier must be one of gaussian"):
        KernelClassifier(kernel="rbf").resolve_recipe()


def test_a_name_in_a_file_imports_nothing(registered, tmp_path, monkeypatch):
    (tmp_path / "users_recipes_2.py").write_text("raise SystemError('imported')\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    X, y = two_classes(120)
    model = KernelClassifier("small", epochs=1).fit(X, y)
    model.algorithm = "users_recipes_2:mine"
    kernelstream.save(model, tmp_path / "model.ks")
    loaded = kernelstream.load(tmp_path / "model.ks")
    np.testing.assert_array_equal(loaded.predict(X), model.predict(X))
    loaded.partial_fit(X, y)
    for one in (loaded, clone(loaded), copy.deepcopy(loaded)):
        with pytest.raises(ValueError, match="comes from a model file and is not registered in this process"):
            one.fit(X, y)
    with pytest.raises(SystemError, match="imported"):
        loaded.set_params(algorithm="users_recipes_2:mine").fit(X, y)
