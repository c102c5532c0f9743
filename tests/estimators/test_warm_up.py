"""`kernelstream warmup`: compiles what is named, and says what it does not know."""

import pytest

from kernelstream.estimators.warm_up import warmup
from kernelstream.recipes import RECIPES
from tests.cli.data import kernelstream, succeed

pytestmark = pytest.mark.engine


def test_one_algorithm():
    name, seconds, unit = succeed("warmup", "perceptron").split()
    assert (name, unit) == ("perceptron", "s")
    assert float(seconds) >= 0.0


def test_an_unknown_algorithm_is_named():
    result = kernelstream("warmup", "svm")
    assert result.exit_code == 2
    assert "unknown recipe 'svm'. Available: default, " in result.stderr
    with pytest.raises(ValueError, match=r"unknown recipe 'svm'. Available: default, "):
        list(warmup(["svm"]))


def test_a_parameter_that_an_algorithm_does_not_take():
    result = kernelstream("warmup", "perceptron", "--budget", "50")
    assert result.exit_code == 1
    assert "'perceptron' takes no budget" in result.stderr


def test_every_algorithm_can_be_warmed():
    from numba import config

    if not config.DISABLE_JIT:
        pytest.skip("compiling all of them takes minutes")
    assert [done.algorithm for done in warmup()] == list(RECIPES)
    assert {"bsgd", "nogd"} < {done.algorithm for done in warmup(budget=20)} < RECIPES.keys() - {"polk", "perceptron"}
    binary = {"sparse_klr"}
    assert {done.algorithm for done in warmup(classes=3, sparse=True, dtype="float64")} == RECIPES.keys() - binary
