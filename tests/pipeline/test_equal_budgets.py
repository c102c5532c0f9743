"""Recipes are compared at the same number of support vectors, or within the same memory."""

import pytest

from kernelstream.pipeline import Settings
from kernelstream.pipeline.comparison import compared_recipes, recipes_for
from kernelstream.pipeline.equal_budgets import EqualBudget
from kernelstream.pipeline.first_rows import prepare_first_rows
from kernelstream.readers import FileStream, RowReader
from kernelstream.recipes import RECIPES, bsgd
from tests.cli.data import board, kernelstream, write

NAMES = [name for name in recipes_for("classification") if name != "nbsgd"]  # which needs a parameter


@pytest.fixture(scope="module")
def first(tmp_path_factory):
    """The first rows of a file, for all recipes."""
    path = write(board(600), tmp_path_factory.mktemp("equal") / "board.csv")
    stream = FileStream([str(path)])
    rows = RowReader(stream)
    yield prepare_first_rows(Settings(adapt=False), stream, rows)
    rows.close()


@pytest.fixture
def own():
    """A recipe of a user, which counts with its budget and so takes no size."""
    RECIPES["halved"] = lambda budget=40: bsgd(budget=budget // 2)
    yield "halved"
    del RECIPES["halved"]


def _begun(names, budget, first):
    found = {}
    for recipe in compared_recipes(Settings(), names, budget):
        recipe.begin(first)
        found[recipe.name] = recipe.estimator.model_
    return found


def _terms(model):
    """Terms of the function: support vectors at most, or random features."""
    return model.recipe.kernel.size if model.recipe.kernel.fixed else model.recipe.budget.size


@pytest.mark.parametrize(("budget", "terms"), [(EqualBudget(), 200), (EqualBudget(60), 60)])
def test_all_have_the_same_number_of_terms(first, budget, terms):
    assert {name: _terms(model) for name, model in _begun(NAMES, budget, first).items()} == dict.fromkeys(NAMES, terms)


def test_all_are_within_the_same_memory_and_use_it(first, own):
    limit = 64 << 10
    found = _begun([*NAMES, own], EqualBudget.of("64 KiB", None), first)
    assert all(model.nbytes <= limit for model in found.values())
    # capacities are multiples of 32 support vectors, and nogd has a matrix of them
    assert all(model.nbytes > 0.85 * limit for name, model in found.items() if name != "nogd")
    assert found["nogd"].nbytes > 0.5 * limit and _terms(found["nogd"]) < _terms(found["bsgd"])
    assert _terms(found["default"]) == _terms(found["bsgd"])


def test_what_is_given_counts(first):
    settings = Settings(parameters={"frequencies": 7, "budget": 30})
    (fogd,) = compared_recipes(settings, ["fogd"], EqualBudget(30))
    fogd.begin(first)
    assert _terms(fogd.estimator.model_) == 14


WRONG = {
    ("--equal", "time"): "--equal is 'time'; use vectors or memory.",
    ("--equal", "memory", "-b", "50"): "--equal memory needs a size, and --budget is 50: use e.g. --budget '64 KiB'.",
    ("--equal", "vectors", "-b", "9 KB"): "--equal vectors needs a number of support vectors, and --budget is '9 KB'.",
    ("-b", "much"): "--budget 'much' is neither a number of support vectors nor a size such as '64 KiB'.",
}


@pytest.mark.parametrize(("given", "says"), WRONG.items())
def test_what_is_no_budget(tmp_path, given, says):
    result = kernelstream("compare", write(board(50), tmp_path / "b.csv"), *given)
    assert result.exit_code == 2 and says in result.stderr
