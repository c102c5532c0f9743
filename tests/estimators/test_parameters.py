"""Parameters: names, parts of strategies, grid search, and refusals in sentences."""

import pytest
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV

from kernelstream import KernelClassifier, KernelRegressor, kernels, losses, recipes
from kernelstream.budgets import Fixed
from kernelstream.kernels import KERNELS
from kernelstream.losses import LOSSES
from kernelstream.maintenance import Merge, Project

from .data import classifier, two_classes


def recipe_of(estimator):
    return estimator.resolve_recipe()


OWN_LOSS = {"perceptron", "rbp", "budget_perceptron", "forgetron", "projectron", "pa", "bpa", "sparse_klr", "krls"}


@pytest.mark.parametrize("name", sorted(recipes.RECIPES.keys() - OWN_LOSS - {"fogd"}))
def test_names_stand_for_recipes(name):
    function = recipes.RECIPES[name]
    found = recipe_of(KernelClassifier(name, gamma=0.5))
    assert found == function(kernel=kernels.Gaussian(0.5))
    assert recipe_of(KernelRegressor(name, gamma=0.5)).loss == losses.Huber(1.0)


@pytest.mark.parametrize("name", sorted(OWN_LOSS))
def test_a_recipe_with_a_loss_of_its_own_keeps_it(name):
    own = recipes.RECIPES[name](kernel=kernels.Gaussian(0.5))
    fits, other = (KernelRegressor, KernelClassifier) if name == "krls" else (KernelClassifier, KernelRegressor)
    assert recipe_of(fits(name, gamma=0.5)) == own
    with pytest.raises(ValueError, match="is not a loss for"):
        recipe_of(other(name, gamma=0.5))
    with pytest.raises(ValueError, match=f"'{name}' takes no loss"):
        recipe_of(fits(name, loss="huber" if name == "krls" else "hinge"))


def test_a_recipe_without_a_kernel_takes_its_width():
    assert recipe_of(KernelClassifier("fogd", gamma=0.5)) == recipes.fogd(0.5)
    with pytest.raises(ValueError, match="'fogd' takes no kernel"):
        recipe_of(KernelClassifier("fogd", kernel="linear"))


def test_the_width_comes_from_the_data_unless_given():
    assert recipe_of(KernelClassifier("bsgd")).kernel == kernels.Gaussian("scale")
    assert recipe_of(KernelClassifier("oskl")).kernel == kernels.Gaussian("auto")
    assert recipe_of(KernelClassifier("olk", kernel="polynomial", gamma=2.0)).kernel == kernels.Polynomial(gamma=2.0)


@pytest.mark.parametrize("name", KERNELS)
def test_every_kernel_has_a_name(name):
    recipe = recipe_of(KernelClassifier(kernel=name, budget=7))
    assert recipe.kernel == KERNELS[name]
    assert recipe.maintenance == (Merge() if name in ("gaussian", "rbf") else Project())
    assert recipe.budget == Fixed(7)


@pytest.mark.parametrize("name", LOSSES)
def test_every_loss_has_its_estimator(name):
    right, wrong = KernelClassifier, KernelRegressor
    if LOSSES[name].target == "values":
        right, wrong = wrong, right
    assert recipe_of(right(loss=name)).loss == LOSSES[name]
    with pytest.raises(ValueError, match=rf"is not a loss for {wrong.__name__}, which takes '"):
        recipe_of(wrong(loss=name))


def test_what_a_recipe_does_not_take_is_refused():
    X, y = two_classes(20)
    with pytest.raises(ValueError, match=r"'olk' takes no lam, but lam=0\.1 was given\. Its parameters: kernel, loss"):
        classifier(algorithm="olk", budget=None, lam=0.1).fit(X, y)
    with pytest.raises(ValueError, match=r"so gamma and budget must be None\. Change the recipe, algorithm=recipe"):
        classifier(algorithm=recipes.bsgd()).fit(X, y)
    with pytest.raises(ValueError, match=r"Matern32 has no parameter 'gamma'\. Its parameters: length"):
        classifier(kernel="matern32").fit(X, y)
    with pytest.raises(ValueError, match=r"The 'algorithm' parameter of KernelClassifier must be .* Got 'svm' instead"):
        classifier(algorithm="svm").fit(X, y)
    with pytest.raises(ValueError, match="Sometimes: beta is not set and the length of the stream is not known"):
        classifier(algorithm="nbsgd").partial_fit(X, y, classes=["black", "white"])


def test_a_loss_without_its_constant_warns_only_who_chose_it():
    with pytest.warns(UserWarning, match="bound on the number of support vectors does not hold"):
        recipe_of(KernelClassifier("oskl", loss="hinge"))
    recipe_of(KernelRegressor("oskl"))


def test_parts_of_strategies_are_parameters():
    model = KernelClassifier(recipes.bsgd(kernels.Gaussian(2.0), budget=30), loss=losses.Hinge())
    params = model.get_params()
    assert params["algorithm__kernel__gamma"] == 2.0
    assert params["algorithm__budget__size"] == 30
    assert not [name for name in model.get_params(deep=False) if "__" in name]
    before = model.algorithm
    model.set_params(algorithm__kernel__gamma=3.0, algorithm__budget=50, algorithm__step__lam=0.1, epochs=2)
    assert (model.algorithm.kernel, model.algorithm.budget) == (kernels.Gaussian(3.0), Fixed(50))
    assert (before.kernel, before.budget) == (kernels.Gaussian(2.0), Fixed(30))
    assert clone(model).get_params() == model.get_params()


def test_a_value_and_its_parts_in_one_call():
    model = KernelRegressor(loss=losses.Huber())
    model.set_params(kernel=kernels.Laplacian(), kernel__gamma=3.0, loss__delta=0.5)
    assert (model.kernel, model.loss) == (kernels.Laplacian(3.0), losses.Huber(0.5))


def test_parts_that_are_not_there_are_refused():
    with pytest.raises(ValueError, match="kernel is None, which has no parameters, so kernel__gamma cannot be set"):
        KernelClassifier().set_params(kernel__gamma=1.0)
    with pytest.raises(ValueError, match=r"Gaussian has no parameter 'width'\. Its parameters: gamma"):
        KernelClassifier(kernel=kernels.Gaussian()).set_params(kernel__width=1.0)
    with pytest.raises(ValueError, match="Invalid parameter 'colour'"):
        KernelClassifier().set_params(colour__shade=1.0)


def test_grid_search_over_parts():
    X, y = two_classes()
    model = KernelClassifier(recipes.default(kernels.Gaussian(1.0)), random_state=0)
    grid = {"algorithm__kernel__gamma": [0.001, 4.0], "algorithm__budget": [20, 40]}
    search = GridSearchCV(model, grid, cv=2, error_score="raise").fit(X, y)
    assert search.best_params_["algorithm__kernel__gamma"] == 4.0
    assert search.best_estimator_.n_support_ <= search.best_params_["algorithm__budget"]


def test_grid_search_over_values():
    X, y = two_classes()
    grid = {"kernel": [kernels.Gaussian(0.001), kernels.Gaussian(4.0)], "loss": [losses.Hinge(), None]}
    search = GridSearchCV(classifier(gamma=None), grid, cv=2, error_score="raise").fit(X, y)
    assert search.best_params_["kernel"] == kernels.Gaussian(4.0)
    assert list(search.cv_results_["param_kernel"]) == [grid["kernel"][0]] * 2 + [grid["kernel"][1]] * 2
    assert list(search.cv_results_["param_loss"]) == [losses.Hinge(), None] * 2


def test_representations():
    model = KernelClassifier(recipes.bsgd(), kernel=kernels.Gaussian(2.0))
    assert "kernel=Gaussian(gamma=2.0)" in repr(model)
    assert "Gaussian" in model._repr_html_()
