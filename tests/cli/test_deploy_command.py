"""`kernelstream train --deploy-size`: a stream learned within the size of its exported form."""

import numpy as np
import pytest

from kernelstream.export.c import assemble
from kernelstream.pipeline import StreamPipeline

from .data import board, kernelstream, succeed, told, waves, write

LEARN = ["--gamma", "4", "--scale", "none"]


def test_from_rows_to_a_header(tmp_path):
    data, path = write(board(), tmp_path / "board.csv"), tmp_path / "m.ks"
    found = told("train", data, *LEARN, "--deploy-size", "1000", "-o", path)
    deployed = found["deploy"]
    assert (deployed["format"], deployed["dtype"], deployed["limit"]) == ("c", "int8", 1000)
    # a support vector has five features, of a byte each, and a coefficient of two
    assert 1000 - 7 < deployed["nbytes"] <= 1000 and found["held_out_score"] > 0.9
    shown = " ".join(succeed("inspect", path).split())
    assert f"deployed C tables in int8, {deployed['nbytes']} bytes of at most 1,000" in shown
    assert told("inspect", path)["deploy"] == deployed
    exported = told("export", path, "--c", tmp_path / "m.h")
    assert (exported["dtype"], exported["table_bytes"]) == ("int8", deployed["nbytes"])
    assert "C tables in int8" in succeed("train", data, *LEARN, "--deploy-size", "1000", "-o", tmp_path / "n.ks")


def test_told_nothing_else_a_single_model_learns(tmp_path):
    data = write(waves(), tmp_path / "waves.csv")
    found = told("train", data, "--deploy-size", "2 KiB", "-o", tmp_path / "m.ks")
    model = StreamPipeline.load(tmp_path / "m.ks")
    assert not model.estimator.adapts and assemble(model).table_bytes == found["deploy"]["nbytes"] <= 2048
    again = told("train", data, "--deploy-size", "1 MB", "-o", tmp_path / "n.ks")
    assert again["deploy"]["dtype"] == "float32"


def test_categories_that_come_late_take_room(tmp_path):
    """They are not among the first rows, by which the number of support vectors is set: some are removed at the end."""
    frame = board()
    frame.loc[1000:, "colour"] = np.random.default_rng(0).choice(list("abcdefgh"), 1000)
    data = write(frame, tmp_path / "board.csv")
    found = told("train", data, *LEARN, "--first", 500, "--deploy-size", "1000", "-o", tmp_path / "m.ks")
    model = StreamPipeline.load(tmp_path / "m.ks")
    assert model.estimator.n_features_in_ == 13
    assert assemble(model).table_bytes == found["deploy"]["nbytes"] <= 1000


def test_a_run_that_is_resumed_keeps_its_size(tmp_path):
    data, path = write(board(), tmp_path / "board.csv"), tmp_path / "m.ks"
    succeed("train", data, *LEARN, "--deploy-size", "1000", "-o", path)
    more = write(board(seed=1), tmp_path / "more.csv")
    found = told("train", more, "--resume", path, "--new-data")
    assert found["examples"] == 4000 and 900 < found["deploy"]["nbytes"] <= 1000
    refused = kernelstream("train", more, "--resume", path, "--deploy-size", "2000")
    assert refused.exit_code == 2 and "--deploy-size cannot be changed now" in refused.output


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--deploy-size", "much"], "'much' is not a size"),
        (["--deploy-size", "1 KiB", "--budget", "50"], "leave --budget out"),
        (["--deploy-size", "1 KiB", "-a", "perceptron"], "'perceptron' has no budget"),
        (["--deploy-size", "1 KiB", "--half-life", "auto"], "--half-life auto mixes several"),
        (["--deploy-size", "30"], "30 bytes do not hold the C tables"),
        (["--deploy-size", "1 KiB", "--hash", "8"], "hashes categorical values"),
    ],
)
def test_what_is_refused(options, message, tmp_path):
    data = write(board(500), tmp_path / "board.csv")
    result = kernelstream("train", data, *options, "-o", tmp_path / "m.ks")
    assert result.exit_code != 0 and message in " ".join(result.output.split())
    assert not (tmp_path / "m.ks").exists()
