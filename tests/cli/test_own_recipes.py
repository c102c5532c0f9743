"""Recipes of users by module:name: trained, compared, shown, and predicted with where their module is absent."""

import os
import subprocess
import sys

import pytest

from kernelstream import load
from kernelstream.recipes import RECIPES

from .data import LEARN, board, kernelstream, succeed, told, write

MODULE = """
from kernelstream import recipes
from kernelstream.kernels import Gaussian
from kernelstream.losses import Hinge

def halved(kernel=Gaussian("scale"), loss=Hinge(), lam=1e-5, budget=40, offset=2.0):
    "Budgeted SGD with half the budget."
    return recipes.bsgd(kernel, loss, lam, budget // 2, offset=offset)

def number():
    return 5

def needy(kernel):
    return recipes.bsgd(kernel)
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A current directory with a user's module, which is forgotten afterwards."""
    (tmp_path / "own_recipes.py").write_text(MODULE)
    write(board(600, words=False), tmp_path / "board.csv")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [path for path in sys.path if path])
    known = dict(RECIPES)
    yield tmp_path
    _forget(known)


def _forget(known):
    sys.modules.pop("own_recipes", None)
    for name in RECIPES.keys() - known.keys():
        del RECIPES[name]


def test_a_model_of_one_s_own_recipe(folder):
    known = dict(RECIPES)
    found = told("train", "board.csv", *LEARN, "-a", "own_recipes:halved", "--set", "offset=1", "-o", "m.ks")
    assert found["support_vectors"] == 20
    found = told("train", "board.csv", *LEARN, "-a", "own_recipes:halved", "-o", "n.ks", "--limit", 300)
    assert load("n.ks").estimator.algorithm == "own_recipes:halved" and found["examples"] == 300
    _forget(known)
    (folder / "own_recipes.py").unlink()  # predictions and further training need the model file alone
    assert len(succeed("predict", "n.ks", "board.csv", "--proba").splitlines()) == 601
    assert told("train", "--resume", "n.ks", "--limit", 600)["examples"] == 600


def test_it_is_compared(folder):
    learn = ["compare", "board.csv", *LEARN, "-a", "bsgd,own_recipes:halved"]
    found = {entry["recipe"]: entry for entry in told(*learn)}
    assert found["own_recipes:halved"]["support_vectors"] == 20 and found["bsgd"]["support_vectors"] == 40
    assert "own_recipes:halved" in succeed(*learn)


def test_its_parameters_are_shown_and_it_is_compiled(folder):
    out = succeed("recipes", "own_recipes:halved")
    assert "Budgeted SGD with half the budget." in out and "--set offset=…" in out
    assert succeed("warmup", "own_recipes:halved").startswith("own_recipes:halved")


WRONG = {
    "own_recipes:nothing": "recipe 'own_recipes:nothing' cannot be imported: module 'own_recipes' has no attribute",
    "no_such_module:x": "recipe 'no_such_module:x' cannot be imported: No module named 'no_such_module'.",
    "own_recipes:number": "recipe 'own_recipes:number' must return a Recipe, not 5.",
    "own_recipes:needy": "recipe 'own_recipes:needy' must be a function with defaults for all parameters: ",
}


@pytest.mark.parametrize(("name", "says"), WRONG.items())
def test_what_is_not_a_recipe(folder, name, says):
    for command in (["train", "board.csv", "-a", name], ["compare", "board.csv", "-a", name], ["recipes", name]):
        result = kernelstream(*command)
        assert result.exit_code == 2
        assert says in result.stderr


OWN_KERNEL = """
from kernelstream import recipes, strategy
from kernelstream.core.strategy import Positive
from kernelstream.kernels import Radial
from kernelstream.losses import Hinge

@strategy
class Fading(Radial):
    gamma: Positive = 1.0
    normalised = True
    def of(self, u):
        return 1.0 / (1.0 + self.gamma * u)

FADING = Fading(2.0)

def fading(kernel=FADING, loss=Hinge(), budget=20):
    return recipes.bsgd(kernel, loss, 1e-4, budget, "smallest")

def plain(x, z):
    return x[0] * z[0]

def unsaved(loss=Hinge(), budget=20):
    from kernelstream.kernels import kernel
    return recipes.bsgd(kernel(lambda x, z: x[0] * z[0]), loss, 1e-4, budget, "smallest")
"""


def test_a_kernel_of_one_s_own_is_trained_saved_and_loaded_in_another_process(folder):
    (folder / "own_kernels.py").write_text(OWN_KERNEL)
    run = [sys.executable, "-m", "kernelstream"]
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1"}

    def command(*words):
        return subprocess.run([*run, *words], capture_output=True, text=True, env=environment)

    learn = ["board.csv", "-t", "y", "--gamma", "2", "-q", "--limit", "300"]
    done = command("train", "board.csv", "-t", "y", "-q", "--limit", "300", "-a", "own_kernels:fading", "-o", "a.ks")
    assert done.returncode == 0, done.stderr
    done = command("train", *learn, "-a", "bsgd", "--set", "maintenance=smallest", "--kernel", "own_kernels:FADING",
                   "-o", "b.ks")  # fmt: skip
    assert done.returncode == 0, done.stderr
    for model in ("a.ks", "b.ks"):
        assert "import the module that registers it" in command("predict", model, "board.csv").stderr
        done = command("--import", "own_kernels", "predict", model, "board.csv")
        assert done.returncode == 0 and len(done.stdout.splitlines()) == 601, done.stderr
    assert "Fading" in command("--import", "own_kernels", "inspect", "a.ks").stdout
    done = command("--import", "no_such_module", "inspect", "a.ks")
    assert done.returncode == 2 and "--import no_such_module: No module named" in done.stderr


def test_what_cannot_be_saved_is_not_trained(folder):
    (folder / "own_kernels.py").write_text(OWN_KERNEL)
    result = kernelstream("train", "board.csv", "-t", "y", "-q", "-a", "own_kernels:unsaved", "-o", "m.ks")
    sys.modules.pop("own_kernels", None)
    assert result.exit_code == 2 and "a model file holds no code" in result.stderr
