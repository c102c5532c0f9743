"""A user's recipe, kernel or loss by name: in estimators, in `compare`, in files."""

import copy
import functools
import sys

import numpy as np
import pytest
from sklearn.base import clone

import kernelstream
from kernelstream import KernelClassifier, kernels, losses, recipes, saving, strategy
from kernelstream.core.registry import USER_STRATEGIES, Registry
from kernelstream.core.strategy import Positive
from kernelstream.kernels import Gaussian, Radial
from kernelstream.pipeline.settings import Settings, make_estimator
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
    registry = Registry("colour", {"red": 1}, int)
    assert registry.register("red", registry["red"]) == 1
    with pytest.raises(ValueError, match=r"there is a colour 'red' already. Choose another name"):
        registry.register("red", 2)
    with pytest.raises(ValueError, match="the name of a colour must be a string, not 3"):
        registry.register(3, 2)
    with pytest.raises(ValueError, match=r"unknown colour 'blue'. Available: red; or module:name"):
        registry.find("blue")
    with pytest.raises(ValueError, match="The 'kernel' parameter of KernelClassifier must be one of gaussian"):
        KernelClassifier(kernel="rfb").resolve_recipe()


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


def test_what_is_not_a_kernel_loss_or_recipe_is_refused(registered):
    with pytest.raises(ValueError, match="a kernel must be a Kernel or a function of two vectors, not 'rbf'"):
        kernels.register("mine", "rbf")
    with pytest.raises(ValueError, match="a loss must be a Loss, such as Hinge"):
        losses.register("mine", Gaussian())
    with pytest.raises(ValueError, match="registered as a function that returns a Recipe, not as Recipe"):
        recipes.register("mine", small())
    for name, what in [("algorithm", "recipe 'os:getcwd' must return a Recipe"), ("loss", "a loss must be a Loss")]:
        with pytest.raises(ValueError, match=what):
            KernelClassifier(**{name: "os:getcwd"}).resolve_recipe()
    assert "mine" not in kernels.KERNELS and "mine" not in losses.LOSSES and "mine" not in recipes.RECIPES


def product(x, z):
    return x[0] * z[0] + 1.0


def test_a_function_is_registered_as_a_kernel(registered, tmp_path):
    X, y = two_classes(120)
    kernels.register("product", product)
    model = KernelClassifier("small", kernel="product", epochs=1, random_state=0).fit(X, y)
    assert model.model_.recipe.kernel([X[0]], [X[1]]) == product(X[0], X[1])
    kernelstream.save(model, tmp_path / "model.ks")
    np.testing.assert_array_equal(kernelstream.load(tmp_path / "model.ks").predict(X), model.predict(X))


def test_the_kernel_of_a_registered_recipe_is_kept(registered):
    """Only a Gaussian of fixed width gives way to one whose width is estimated."""
    for name, kernel in [("a", kernels.Linear()), ("b", kernels.Matern32()), ("c", kernels.Polynomial(2, gamma=1.0))]:
        recipes.register(name, functools.partial(small, kernel=kernel))
        assert KernelClassifier(name).resolve_recipe().kernel == kernel
    recipes.register("d", functools.partial(small, kernel=Gaussian(3.0)))
    assert KernelClassifier("d").resolve_recipe().kernel == Gaussian("scale")


def test_names_in_files_import_nothing_anywhere(registered, tmp_path, monkeypatch):
    (tmp_path / "planted.py").write_text("raise SystemError('imported')\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    X, y = two_classes(120)
    model = KernelClassifier("small", epochs=1).fit(X, y)
    for name in ("algorithm", "kernel", "loss"):
        setattr(model, name, "planted:x")
    kernelstream.save(model, tmp_path / "model.ks")
    with pytest.raises(ValueError, match="comes from a model file"):
        KernelClassifier(**saving.describe(tmp_path / "model.ks").parameters).fit(X, y)
    saved = Settings(parameters={"kernel": "planted:x", "gamma": "scale"}).as_dict()
    with pytest.raises(ValueError, match="the kernel 'planted:x' comes from a model file"):
        make_estimator(Settings.from_dict(saved))
    assert make_estimator(Settings.from_dict(Settings(parameters={"gamma": "scale", "loss": "hinge"}).as_dict()))


def test_a_loaded_model_goes_on_where_its_recipe_has_no_name(registered, tmp_path):
    X, y = two_classes(120)
    kernelstream.save(KernelClassifier("small", epochs=1).fit(X, y), tmp_path / "model.ks")
    del recipes.RECIPES["small"]
    loaded = kernelstream.load(tmp_path / "model.ks").partial_fit(X, y)
    assert loaded.record_.examples == 240
    with pytest.raises(ValueError, match="the recipe 'small' comes from a model file"):
        loaded.fit(X, y)
