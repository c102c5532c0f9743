"""`train`, told nothing: it adapts, names what it ignores, and goes on byte for byte after an interruption."""

import numpy as np
import pandas as pd
import pytest

import kernelstream as package
from kernelstream.pipeline import Settings, StreamPipeline, Training, run
from kernelstream.readers import Options
from kernelstream.tracking import AdaptiveModel

from .data import board, kernelstream, succeed, told, write

FEW = ["--budget", "60"]
pytestmark = pytest.mark.filterwarnings("always:Feature 'id' has only risen")  # which the command shows


@pytest.fixture(scope="module")
def reversed_board(tmp_path_factory):
    """Numbers in odd units, a word, a row number, and labels that are reversed half way."""
    frame = board(4000)
    frame["a"] *= 1e4
    frame.insert(0, "id", np.arange(4000) + 7)
    late = frame.index >= 2000
    frame.loc[late, "y"] = frame.loc[late, "y"].map({"white": "black", "black": "white"})
    return write(frame, tmp_path_factory.mktemp("stream") / "board.csv")


def test_it_adapts_and_says_what_it_did(reversed_board, tmp_path):
    model = tmp_path / "m.ks"
    result = kernelstream("train", reversed_board, "-t", "y", "--numeric", "id", "-o", model, *FEW)
    assert result.exit_code == 0
    assert "warning: Feature 'id' has only risen for 512 rows" in result.stderr
    single = told("train", reversed_board, "-t", "y", "-o", tmp_path / "single.ks", "--no-adapt", *FEW)
    shown = succeed("inspect", model)
    assert "drift was noticed" in shown and "kernel γ" in shown and "cells of pairs" in shown and "guarantees" in shown
    about = told("inspect", model)
    assert about["drift"][0]["row"] > 2000 and len(about["experts"]) == 7
    assert sum(about["feature_relevance"].values()) == pytest.approx(1.0)
    trained = StreamPipeline.load(model)
    assert isinstance(trained.estimator.model_, AdaptiveModel) and trained.curve.score > single["score"] + 0.1


def test_predictions_are_those_of_the_model(reversed_board, tmp_path):
    succeed("train", reversed_board, "-t", "y", "-o", tmp_path / "m.ks", "-q", *FEW)
    succeed("predict", tmp_path / "m.ks", reversed_board, "--proba", "-o", tmp_path / "p.csv")
    frame, found = pd.read_csv(reversed_board), pd.read_csv(tmp_path / "p.csv")
    trained = StreamPipeline.load(tmp_path / "m.ks")
    # one column for each word, in the order in which they came
    words = pd.get_dummies(frame["colour"])[list(dict.fromkeys(frame["colour"]))].to_numpy(float)
    rows = np.column_stack([frame[["a", "b"]].to_numpy(float), words])  # no id
    np.testing.assert_allclose(trained.estimator.predict_proba(rows)[:, 0], found["probability_black"], rtol=1e-6)
    assert isinstance(package.load(tmp_path / "m.ks").estimator.model_, AdaptiveModel)


@pytest.mark.parametrize("task", ["classification", "regression"])
def test_interrupted_or_not(reversed_board, tmp_path, task):
    settings = Settings(
        parameters={"budget": 60}, task=task, first=100,
        reading=Options(target="y" if task == "classification" else "b", ignore=("id",)),
    )  # fmt: skip
    whole, parts = tmp_path / "whole.ks", tmp_path / "parts.ks"
    assert run(Training.start([str(reversed_board)], settings), whole, 0, lambda _: None).saved
    training = Training.start([str(reversed_board)], settings)
    for progress in training.steps():
        if progress.examples > 1500:
            break
    training.pipeline.save(parts)
    assert run(Training.resume(StreamPipeline.load(parts)), parts, 0, lambda _: None).saved
    assert parts.read_bytes() == whole.read_bytes()
    assert isinstance(StreamPipeline.load(whole).estimator.model_, AdaptiveModel)


def test_a_half_life_that_is_found_or_given(reversed_board, tmp_path):
    auto = told(
        "train", reversed_board, "-t", "y", "--half-life", "auto", "--gamma", "4", "-o", tmp_path / "a.ks", *FEW
    )
    assert auto["support_vectors"] <= 60
    refused = kernelstream(
        "train", reversed_board, "-t", "y", "--half-life", "auto", "-a", "bsgd", "-o", tmp_path / "b.ks"
    )
    assert refused.exit_code == 2 and "half_life='auto' mixes models" in refused.stderr
