"""The library's log: silent by default, and what it tells when somebody listens."""

import logging
import subprocess
import sys

import numpy as np
import pytest
from numba import config

from kernelstream import Model, kernels, losses, recipes
from kernelstream.core.numba.cache import specialise
from kernelstream.core.numba.notice import told
from kernelstream.datasets import checkerboard
from kernelstream.output import Refit
from kernelstream.refit import judge

SILENT = """
import logging, kernelstream
logging.getLogger("kernelstream.refit.passes").warning("nobody listens")
"""
RECIPE = recipes.bsgd(kernels.Gaussian(1.0), losses.Hinge(), 1e-2, 10, "smallest")


def test_silent_by_default():
    done = subprocess.run([sys.executable, "-c", SILENT], capture_output=True, text=True, check=True)
    assert done.stdout == done.stderr == ""


def test_compilation_is_logged_when_it_starts_and_ends(caplog):
    caplog.set_level(logging.INFO, "kernelstream")

    def compile_now(signature):
        assert caplog.messages == ["compiling learn_many abc; the result will be kept on disk"]
        return 2 * signature

    assert told(compile_now, "learn_many abc", True)(21) == 42
    assert caplog.messages[1].startswith("compiled learn_many abc in ")


@pytest.mark.skipif(config.DISABLE_JIT, reason="nothing is compiled")
def test_the_compiler_itself_is_logged(caplog):
    def doubled(value):
        return 2 * value

    caplog.set_level(logging.INFO, "kernelstream")
    entry = specialise(doubled, "of_a_test", False)
    assert entry(21) == 42 and entry(4) == 8
    assert [message.partition(" of_a_test")[0] for message in caplog.messages] == [
        "compiling doubled",
        "compiled doubled",
    ]


@pytest.mark.engine
def test_a_rejected_refit_is_logged(caplog, monkeypatch):
    X, y = checkerboard(200)
    monkeypatch.setattr(judge, "no_worse", lambda *errors: False)
    caplog.set_level(logging.INFO, "kernelstream")
    recipe = RECIPE.replace(output=Refit(max_passes=2))
    model = Model.from_recipe(recipe, X, y, total=200).learn_many(X[:150], y[:150])
    model.refit(X, y, held=np.arange(150, 200))
    assert [m for m in caplog.messages if m.startswith("refit rejected: on 50 held-out rows its error is ")]
    assert model.state.output.serves[0] == 0


@pytest.mark.engine
def test_recomputed_norms_are_logged(caplog):
    X, y = checkerboard(60)
    caplog.set_level(logging.DEBUG, "kernelstream")
    model = Model.from_recipe(RECIPE.replace(track_norm=True), X, y).learn_many(X[:20], y[:20])
    model.state.norm.additions[0] = 10**6
    model.learn_many(X[20:], y[20:])
    assert "recomputed ‖f‖² 1 times in 40 rows, against rounding errors" in caplog.messages
