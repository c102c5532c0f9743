"""`kernelstream warmup`: compiles what is named, and says what it does not know."""

import pytest
from numba import config

from kernelstream import KernelClassifier
from kernelstream.cli import warmup as command
from kernelstream.core.numba import cache
from kernelstream.core.numba.disk import kept_in
from kernelstream.estimators.warm_up import READING, ROWS, TASKS, warmup
from kernelstream.recipes import RECIPES
from tests.cli.data import kernelstream, succeed

pytestmark = pytest.mark.engine


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """An empty folder for compiled code, in a process that has made no entry points yet."""
    monkeypatch.setattr(config, "CACHE_DIR", str(tmp_path))
    monkeypatch.delenv("KERNELSTREAM_NO_CACHE", raising=False)
    monkeypatch.delenv("KERNELSTREAM_CACHE", raising=False)
    for function in (cache.specialise, cache._laid_out_once):
        function.cache_clear()
    yield tmp_path
    cache.specialise.cache_clear()


@pytest.mark.skipif(config.DISABLE_JIT, reason="nothing is compiled")
def test_what_was_compiled_is_there_the_second_time(folder):
    arguments = "warmup", "perceptron", "--task", "two-classes"
    first = succeed(*arguments).splitlines()
    assert first[0].startswith("perceptron") and "two-classes, dense" in first[0] and "compiled in" in first[0]
    assert (
        first[1].endswith(f" functions compiled; the folder for compiled code is {kept_in()}")
        and folder in kept_in().parents
    )
    assert int(first[1].split()[0]) == len([*kept_in().iterdir()]) >= 3
    cache.specialise.cache_clear()
    second = succeed(*arguments).splitlines()
    assert (
        second[0].endswith("already there")
        and second[1] == f"all is there; the folder for compiled code is {kept_in()}"
    )
    model = KernelClassifier("perceptron", gamma=0.5).fit([[0.0, 1.0], [1.0, 0.0], [0.5, 1.0]], [0, 1, 0]).model_
    model.learn_one([0.0, 1.0], 1.0)
    assert sum(model._learn.stats.cache_misses.values()) == 0, "any data of this kind"


@pytest.mark.skipif(config.DISABLE_JIT, reason="nothing is compiled")
def test_what_cannot_be_kept_is_an_error(folder, monkeypatch):
    monkeypatch.setenv("KERNELSTREAM_NO_CACHE", "1")
    result = kernelstream("warmup", "perceptron", "--task", "two-classes")
    assert result.exit_code == 1
    assert "compiled code cannot be kept on disk. Set KERNELSTREAM_CACHE to a folder" in result.stderr


def test_the_command_knows_the_kinds_of_data():
    assert (tuple(TASKS), ROWS) == (command.TASKS, command.ROWS)
    for option, value, known in (("task", "clustering", TASKS), ("rows", "tall", ROWS)):
        result = kernelstream("warmup", "perceptron", f"--{option}", value)
        assert result.exit_code == 2 and all(name in result.stderr for name in (value, *known))
        with pytest.raises(ValueError, match=f"'{value}'. Available: "):
            warmup(["perceptron"], **{{"task": "tasks"}.get(option, option): [value]})


def test_a_recipe_is_left_out_where_it_cannot_learn():
    """Nothing is compiled for it, so this takes no time."""
    assert warmup(["perceptron"], tasks=["regression", "outputs"]) == []
    assert warmup(["krls"], tasks=["two-classes"]) == [] == warmup(["sparse_klr"], tasks=["classes"])


def test_an_unknown_algorithm_is_named():
    result = kernelstream("warmup", "svm")
    assert result.exit_code == 2
    assert "unknown recipe 'svm'. Available: default, " in result.stderr
    with pytest.raises(ValueError, match=r"unknown recipe 'svm'. Available: default, "):
        warmup(["svm"])


def test_a_parameter_that_an_algorithm_does_not_take():
    result = kernelstream("warmup", "perceptron", "--budget", "50")
    assert result.exit_code == 1
    assert "'perceptron' takes no budget" in result.stderr


def test_every_algorithm_can_be_warmed():
    if not config.DISABLE_JIT:
        pytest.skip("compiling all of them takes minutes")
    done = warmup()
    assert [*dict.fromkeys(one.algorithm for one in done)] == [*RECIPES, ""] and done[-1].data == READING
    assert {one.data for one in done if one.algorithm == "default"} == {f"{t}, {r}" for t in TASKS for r in ROWS}
    assert {one.data for one in done if one.algorithm == "bsgd"} == {"two-classes, dense", "classes, dense"}
    budgeted = {one.algorithm for one in warmup(budget=20, tasks=["two-classes"], rows=["dense"])}
    assert {"bsgd", "nogd"} < budgeted < RECIPES.keys() - {"polk", "perceptron"} | {""}
    several = {one.algorithm for one in warmup(tasks=["classes"], rows=["sparse"], dtype="float64")}
    assert several == RECIPES.keys() - {"sparse_klr", "krls"} | {""}
