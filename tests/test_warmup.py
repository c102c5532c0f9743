"""`kernelstream warmup`: compiles what is named, and says what it does not know."""

import pytest

from kernelstream.__main__ import main
from kernelstream.recipes import RECIPES
from kernelstream.warmup import warmup

pytestmark = pytest.mark.engine


def test_one_algorithm(capsys):
    assert main(["warmup", "perceptron"]) == 0
    name, seconds, unit = capsys.readouterr().out.split()
    assert (name, unit) == ("perceptron", "s")
    assert float(seconds) >= 0.0


def test_an_unknown_algorithm_is_named(capsys):
    assert main(["warmup", "svm"]) == 2
    assert "'svm' is not an algorithm. There are default, " in capsys.readouterr().err


def test_a_parameter_that_an_algorithm_does_not_take(capsys):
    assert main(["warmup", "perceptron", "--budget", "50"]) == 2
    assert "'perceptron' takes no budget" in capsys.readouterr().err


def test_help_teaches_by_example(capsys):
    with pytest.raises(SystemExit):
        main(["warmup", "--help"])
    assert "kernelstream warmup default oskl --features 54 --budget 500" in capsys.readouterr().out


def test_every_algorithm_can_be_warmed():
    from numba import config

    if not config.DISABLE_JIT:
        pytest.skip("compiling all of them takes minutes")
    assert [done.algorithm for done in warmup()] == list(RECIPES)
    assert {"bsgd", "nogd"} < {done.algorithm for done in warmup(budget=20)} < RECIPES.keys() - {"polk", "perceptron"}
    binary = {"sparse_klr"}
    assert {done.algorithm for done in warmup(classes=3, sparse=True, dtype="float64")} == RECIPES.keys() - binary
