"""What commands say: help, errors, exit statuses; and how they behave in pipes."""

import json
import subprocess
import sys

import pytest

from kernelstream.cli import input_options, model_options
from kernelstream.cli.app import app
from kernelstream.cli.recipe_table import RECIPE_TABLE
from kernelstream.kernels import KERNELS
from kernelstream.losses import LOSSES
from kernelstream.pipeline.comparison import recipes_for
from kernelstream.readers import FORMATS
from kernelstream.recipes import RECIPES

from .data import LEARN, board, kernelstream, succeed, told, write

PNG = b"\x89PNG\r\n"


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    return write(board(600), tmp_path_factory.mktemp("table") / "board.csv")


def test_names_that_help_and_completion_show_are_complete():
    assert list(RECIPE_TABLE) == [name for name in RECIPES if ":" not in name]
    assert tuple(FORMATS) == input_options.FORMATS
    assert tuple(name for name in KERNELS if ":" not in name) == model_options.KERNELS
    assert tuple(name for name in LOSSES if ":" not in name) == model_options.LOSSES


def test_help_teaches_by_example():
    whole = succeed("--help")
    commands = [command.name or command.callback.__name__ for command in app.registered_commands]
    daily = ["compare", "describe", "evaluate", "inspect", "predict", "train"]
    assert sorted(commands) == sorted([*daily, "consume", "demo", "export", "learn", "recipes", "reproduce", "warmup"])
    for name in commands:
        assert name in whole
        assert f"kernelstream {name}" in succeed(name, "--help").replace("Usage: kernelstream", "", 1)


def test_help_and_completion_wait_for_nothing_heavy():
    code = (
        "import sys, kernelstream.cli.app\n"
        "heavy = {'numpy', 'numba', 'scipy', 'sklearn', 'pyarrow', 'matplotlib'} & set(sys.modules)\n"
        "assert not heavy, heavy"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_without_typer_the_way_to_it_is_named():
    code = "import sys; sys.modules['typer'] = None; from kernelstream.__main__ import main; main()"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 3
    assert done.stderr == 'kernelstream: the command line needs typer and rich: pip install "kernelstream[cli]"\n'


def test_without_pyarrow_the_way_to_it_is_named(tmp_path, monkeypatch):
    write(board(20), tmp_path / "a.parquet")
    monkeypatch.setattr("kernelstream.readers.parquet.import_pyarrow", lambda module: None)
    result = kernelstream("train", tmp_path / "a.parquet", "-o", tmp_path / "m.ks")
    assert result.exit_code == 3
    assert result.stderr.endswith('Parquet files are read with pyarrow: pip install "kernelstream[files]"\n')


WRONG = {
    ("train",): "No data. Name files, patterns or folders, or - for standard input.",
    (
        "train",
        "{table}",
        "-o",
        "{table}",
    ): "board.csv already exists. Name another file with -o, overwrite",
    ("train", "{table}", "-o", "no/such.ks"): "/no does not exist.",
    ("train", "{table}", "--new-data"): "--new-data needs --resume MODEL.",
    ("train", "{table}", "-a", "svm"): "unknown recipe 'svm'. Available: default, kernel_sgd, ",
    (
        "train",
        "{table}",
        "-a",
        "pegasos",
        "-b",
        "9",
    ): "The recipe 'pegasos' has no parameter budget. Its parameters: kernel, loss,",
    ("train", "{table}", "--kernel", "rfb"): "unknown kernel 'rfb'. Available: gaussian, ",
    ("train", "{table}", "--loss", "log"): "unknown loss 'log'. Available: hinge, ",
    ("train", "{table}", "--gamma", "-1"): "Gaussian: gamma must be a number above 0, not -1.",
    (
        "train",
        "{table}",
        "--gamma",
        "wide",
    ): "Gaussian: gamma must be a number from 1e-36 to 1e+36, 'scale' or 'auto', not 'wide'.",
    ("train", "{table}", "--lam", "0"): "lam must be a number above 0, not 0.0.",
    (
        "train",
        "{table}",
        "--budget",
        "1.5",
    ): "budget must be a number of support vectors, 1 or more, or a size such as '64 KiB', not 1.5.",
    ("train", "{table}", "--budget", "lots"): "'lots' is neither a number of support vectors nor a size",
    ("train", "{table}", "--loss", "huber"): "The loss 'huber' is for regression: use --task regression, or choose",
    ("train", "{table}", "-a", "krls"): "The recipe 'krls' is for regression: use --task regression, or choose",
    ("train", "{table}", "--seed", "-1"): "seed is -1; it must be an integer from 0 to 2³² − 1.",
    ("train", "{table}", "--set", "eta"): "--set eta: it must be NAME=VALUE.",
    ("train", "{table}", "--scale", "log"): "scale is 'log'; use one of auto, standard, minmax, none.",
    ("train", "{table}", "--missing", "drop"): "missing is 'drop'; use one of auto, refuse, mean, zero.",
    ("train", "{table}", "--task", "rank"): "task is 'rank'; use one of classification, regression.",
    ("train", "{table}", "--epochs", "0"): "epochs is 0; it must be 1 or more.",
    ("train", "{table}", "--epochs", "9" * 400): "epochs is too large; it must be at most 9,223,372,036,854,775,807.",
    ("train", "{table}", "--hash", "999999999"): "hash is too large; it must be at most 16,777,216.",
    (
        "train",
        "{table}",
        "--gamma",
        "1e300",
    ): "gamma must be a number from 1e-36 to 1e+36, 'scale' or 'auto', not 1e+300.",
    (
        "train",
        "{table}",
        "--gamma",
        "9" * 400,
    ): "gamma must be a number above 0, not an integer that is too large for float64.",
    ("train", "{table}", "--plot", "a.gif"): "--plot a.gif: the file must end in .png, .svg, .pdf, .jpg.",
    ("train", "{table}", "--delimiter", "ab"): "--delimiter ab: it must be one character.",
    ("train", "--resume", "m.ks", "-b", "9", "--scale", "none"): "--budget and --scale cannot be changed now",
    ("train", "--resume", "m.ks", "--new-data"): "--new-data needs the data to continue with.",
    ("compare", "{table}", "-a", "svm"): "unknown recipe 'svm'.",
    ("compare", "{table}", "-a", "pegasos", "-b", "9"): "None of the recipes pegasos has a parameter budget.",
    ("predict", "m.ks", "{table}", "--to", "xml"): "--to is 'xml'; use csv or jsonl.",
    ("recipes", "svm"): "unknown recipe 'svm'.",
}
BAD = {
    ("train", "nothing.csv"): "File 'nothing.csv' not found.",
    ("train", "{table}", "-t", "z"): "board.csv has no column 'z'. Columns: 'a', 'b', 'colour', 'y'.",
    ("train", "{table}", "-t", "a", "--task", "classification"): "The target 'a' has more than 100 different values in "
    "the data: use --task",
    ("train", "{table}", "--task", "regression"): "The target 'y' is text; regression needs numbers.",
    ("train", "{table}", "--encoding", "nope"): "unknown encoding 'nope'. Available: utf-8, ",
    (
        "train",
        "{table}",
        "--encoding",
        "utf-16",
    ): "The encoding utf-16 is not supported. Convert it: iconv -f utf-16 ",
    ("train", "{table}", "--format", "parquet"): "board.csv is damaged or not Parquet",
    ("predict", "{table}", "{table}"): "board.csv is not a kernelstream model file",
    ("inspect", "nothing.ks"): "nothing.ks: No such file or directory.",
}


@pytest.mark.parametrize(
    ("command", "says", "status"), [(*i, 2) for i in WRONG.items()] + [(*i, 1) for i in BAD.items()]
)
def test_errors_are_sentences(table, tmp_path, monkeypatch, command, says, status):
    monkeypatch.chdir(tmp_path)
    result = kernelstream(*(word.format(table=table) for word in command))
    assert result.exit_code == status
    assert says in result.stderr
    assert "Traceback" not in result.output
    assert not list(tmp_path.iterdir())  # nothing was written


def test_errors_as_json(table):
    result = kernelstream("train", table, "-a", "svm", "--json")
    assert json.loads(result.stderr)["status"] == result.exit_code == 2


def test_recipes():
    out = succeed("recipes")
    assert all(name in out for name in RECIPE_TABLE) and "Wang, Crammer & Vucetic" in out
    assert "--set maintenance=…" in succeed("recipes", "bsgd")
    assert (
        told("recipes", "default")["parameters"] | {"budget": 500, "lam": 1e-5}
        == told("recipes", "default")["parameters"]
    )


def test_comparison(table, tmp_path):
    learn = ["compare", table, *LEARN, "--ignore", "colour", "-a", "default,perceptron,nbsgd"]
    found = {entry["recipe"]: entry for entry in told(*learn, "--plot", tmp_path / "c.png")}
    assert list(found)[-1] == "nbsgd"  # the best first, failures last
    scores = [entry["score"] for entry in found.values()]
    assert scores[0] >= scores[1]
    assert found["default"]["examples"] == 600 and found["default"]["support_vectors"] == 40
    assert found["perceptron"]["support_vectors"] > 40  # it has no budget
    assert "beta is not set" in found["nbsgd"]["error"]
    assert (tmp_path / "c.png").read_bytes().startswith(PNG)
    out = succeed(*learn, "--limit", 100)
    assert (
        "100 rows, at most 40 support vectors for each recipe\nAccuracy of predictions before learning; recent: " in out
    )
    assert "nbsgd stopped: " in out and found["default"]["budget"] == "40 support vectors"
    # alone, it would have been the same
    alone = told("train", table, *LEARN, "--ignore", "colour", "--holdout", 0, "-o", tmp_path / "m.ks")
    assert alone["score"] == found["default"]["score"]


def test_what_is_compared_if_nothing_is_said():
    usual = recipes_for("classification")
    assert "default" in usual and "fogd" in usual
    assert not {"krls", "pegasos", "perceptron", "polk"} & set(usual)
    assert "krls" in recipes_for("regression", every=True)


def test_a_pipe_that_is_closed_early(table, tmp_path):
    """Real processes: rows in by one pipe, predictions out by another, of which two lines are read."""
    succeed("train", table, *LEARN, "-o", tmp_path / "m.ks")
    rows = f"(head -1 {table}; yes '1.5,0.5,red,white' | head -200000)"
    show = f"set -o pipefail; {rows} | {sys.executable} -m kernelstream predict {tmp_path}/m.ks - | head -2"
    done = subprocess.run(["bash", "-c", show], capture_output=True, text=True)
    assert done.stdout.splitlines()[0] == "prediction" and len(done.stdout.splitlines()) == 2
    assert done.stderr == ""
    assert done.returncode == 141
