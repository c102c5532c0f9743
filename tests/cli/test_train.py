"""From data to a model: whatever the format, and all the way to predictions."""

import json

import numpy as np
import pandas as pd
import pytest

from kernelstream import KernelClassifier, KernelRegressor, load
from kernelstream.pipeline import StreamPipeline

from .data import LEARN, board, kernelstream, succeed, told, waves, write

PNG = b"\x89PNG\r\n"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A model of the board, and what it was learned from."""
    folder = tmp_path_factory.mktemp("board")
    write(board(), folder / "board.csv")
    write(board(seed=1), folder / "test.csv")
    succeed("train", folder / "board.csv", *LEARN, "-o", folder / "board.ks", "--plot", folder / "curve.png")
    return folder


def test_the_same_rows_in_any_format_give_the_same_model(tmp_path):
    frame = board(words=False)
    found = []
    for name in ("a.csv", "a.jsonl", "a.parquet", "a.svm", "a.npz"):
        path = tmp_path / (name + ".ks")
        succeed("train", write(frame, tmp_path / name), *LEARN, "-o", path)
        model = StreamPipeline.load(path)
        record = model.estimator.record_
        found.append([*model.estimator.model_.function, record.sizes, [record.loss, *model.curve.now]])
    for other in found[1:]:
        for ours, theirs in zip(found[0], other, strict=True):
            np.testing.assert_array_equal(ours, theirs)


def test_the_model_is_the_estimator_s(folder):
    """Its first batches are small and its rows have columns of words, but it learns as KernelClassifier does."""
    frame = board()
    colours = list(dict.fromkeys(frame["colour"]))
    X = np.column_stack([frame[["a", "b"]], *(frame["colour"] == colour for colour in colours)]).astype(np.float32)
    own = KernelClassifier(gamma=4.0, budget=40, random_state=0).partial_fit(X, frame["y"], classes=frame["y"].unique())
    np.testing.assert_array_equal(load(folder / "board.ks").estimator.decision_function(X), own.decision_function(X))


def test_what_train_tells(folder, tmp_path):
    found = told("train", folder / "board.csv", *LEARN, "-o", tmp_path / "m.ks", "--limit", 500)
    assert found["examples"] == 500 and found["classes"] == ["black", "white"] and found["features"] == 5
    assert found["support_vectors"] == 40 and 0.6 < found["score"] < found["recent_score"] <= 1.0
    assert 50 <= found["recent_rows"] < 500
    text = succeed("train", folder / "board.csv", *LEARN, "-o", tmp_path / "n.ks")
    assert "trained on  2,000 rows, 5 features, 2 classes (black, white)" in text
    assert "40 support vectors, " in text and " rows/s" in text
    assert (folder / "curve.png").read_bytes().startswith(PNG)


def test_predictions_of_raw_rows(folder, tmp_path):
    expected = load(folder / "board.ks").estimator
    lines = succeed("predict", folder / "board.ks", folder / "test.csv").splitlines()
    assert lines[0] == "prediction"
    accuracy = np.mean(np.array(lines[1:]) == board(seed=1)["y"])
    assert accuracy == pytest.approx(told("evaluate", folder / "board.ks", folder / "test.csv")["accuracy"])
    assert accuracy > 0.85
    assert expected.n_support_ == 40
    # columns in another order, no target, as JSON from a pipe
    frame = board(seed=1)[["colour", "b", "a"]]
    path = write(frame, tmp_path / "test.jsonl")
    out = succeed("predict", folder / "board.ks", "-", "--to", "jsonl", "--scores", input=path.read_bytes())
    rows = [json.loads(line) for line in out.splitlines()]
    assert [row["prediction"] for row in rows] == lines[1:]
    assert all((row["score"] > 0) == (row["prediction"] == "white") for row in rows)


def test_predictions_name_their_lines_where_some_are_skipped(folder, tmp_path):
    text = (folder / "test.csv").read_text().splitlines()[:6]
    text[2] = "x" + text[2]
    (tmp_path / "t.csv").write_text("\n".join(text))
    result = kernelstream("predict", folder / "board.ks", tmp_path / "t.csv")
    assert result.exit_code == 1
    assert "t.csv, line 3, column 1 ('a'): 'x" in result.stderr and "--skip-bad" in result.stderr
    result = kernelstream("predict", folder / "board.ks", tmp_path / "t.csv", "--skip-bad", "-o", tmp_path / "p.csv")
    assert result.exit_code == 0
    assert [line.split(",")[0] for line in (tmp_path / "p.csv").read_text().splitlines()] == [
        "line",
        "2",
        "4",
        "5",
        "6",
    ]
    assert "Skipped 1 bad lines" in result.stderr


def test_evaluation(folder, tmp_path):
    out = succeed("evaluate", folder / "board.ks", folder / "test.csv", "--plot", tmp_path / "c.png")
    assert "rows               2,000" in out and "class   rows  recall  precision" in out and "black" in out
    assert (tmp_path / "c.png").read_bytes().startswith(PNG)
    before = (folder / "board.ks").read_bytes()
    found = told("evaluate", folder / "board.ks", folder / "test.csv", "--progressive", "--limit", 1000)
    assert found["rows"] == 1000 and found["accuracy"] > 0.85
    assert 100 <= found["recent_rows"] < 1000 and found["recent_accuracy"] > 0.85
    assert (folder / "board.ks").read_bytes() == before


def test_inspection(folder, tmp_path):
    out = succeed("inspect", folder / "board.ks", "--plot", tmp_path / "c.png")
    for words in (
        "Gaussian(gamma=4.0)",
        "40 support vectors, 5 features",
        "categorical: colour",
        "over time",
        "relevance",
        "guarantees",
    ):
        assert words in out
    found = told("inspect", folder / "board.ks")
    assert found["support_vectors"] == 40 and found["extra"]["training"]["settings"]["scale"] == "none"
    assert (tmp_path / "c.png").read_bytes().startswith(PNG)


def test_several_classes_with_words_missing_and_labels_from_a_scan(tmp_path):
    frame = waves().sort_values("y")  # the first rows have one class only
    frame.loc[frame.index[::7], "x3"] = None
    path = write(frame, tmp_path / "w.csv")
    learn = ["train", path, "--gamma", "0.1", "--budget", "40", "--first", 50, "-o", tmp_path / "w.ks", "--force"]
    assert (
        kernelstream(*learn, "--no-scan")
        .stderr.strip()
        .endswith("--classes a,b, or scan all data for labels first with --scan.")
    )
    assert "column 'x3': the value is missing." in kernelstream(*learn, "--missing", "refuse").stderr
    found = told(*learn, "--missing", "mean")
    assert found["classes"] == [0, 1, 2] and found["examples"] == 300
    assert told(*learn, "--missing", "zero", "--classes", "0,1,2", "--no-scan")["examples"] == 300
    result = kernelstream(*learn, "--missing", "zero", "--classes", "0,1", "--json")
    assert result.exit_code == 1
    last = json.loads(result.stderr.splitlines()[-1])["error"]
    known = int((frame["y"] < 2).sum())
    assert f"w.csv, line {known + 2}, column 'y': the label 2 is not among the classes 0, 1. Correct the line" in last
    found = told(*learn, "--missing", "zero", "--classes", "0,1", "--skip-bad")
    assert found["skipped"] == 300 - known and found["examples"] == known


def test_regression(tmp_path):
    frame = board(600, words=False)
    frame["y"] = 100 + 10 * np.sin(frame["a"])
    path = write(frame, tmp_path / "r.csv")
    found = told("train", path, "--task", "regression", *LEARN, "-o", tmp_path / "r.ks")
    assert found["metric"] == "rmse" and found["recent_score"] < 5 and found["classes"] is None
    assert isinstance(load(tmp_path / "r.ks").estimator, KernelRegressor)
    found = told("evaluate", tmp_path / "r.ks", path, "--plot", tmp_path / "r.png")
    assert found["r2"] > 0.8 and (tmp_path / "r.png").read_bytes().startswith(PNG)
    numbers = [float(line) for line in succeed("predict", tmp_path / "r.ks", path).splitlines()[1:]]
    assert np.sqrt(np.mean((np.array(numbers) - frame["y"]) ** 2)) == pytest.approx(found["rmse"])
    assert "no probabilities" in kernelstream("predict", tmp_path / "r.ks", path, "--proba").stderr


def test_wide_rows_stay_sparse_and_may_grow(tmp_path):
    rng = np.random.default_rng(0)
    texts = []
    for i in range(400):
        label = i % 2
        features = np.unique(np.append(rng.integers(0, 300, 5), 2 * label)) + 1
        texts.append(f"{label} " + " ".join(f"{k}:1" for k in features) + (" 900:1" if i == 399 else ""))
    (tmp_path / "s.svm").write_text("\n".join(texts))
    learn = ["train", tmp_path / "s.svm", "--gamma", "0.1", "--budget", "40", "-o", tmp_path / "s.ks"]
    found = told(*learn, "--first", 100, "--scale", "minmax")
    assert found["sparse"] and found["features"] == 900 and found["recent_score"] > 0.8


def test_a_recipe_s_own_parameters(folder, tmp_path):
    succeed(
        "train", folder / "board.csv", *LEARN, "-a", "bsgd", "--set", "offset=2", "-o", tmp_path / "m.ks", "-n", 100
    )
    recipe = load(tmp_path / "m.ks").estimator.model_.recipe
    assert recipe.step.t0 == pytest.approx(2 / recipe.step.lam) and recipe.budget.size == 40
    out = succeed("inspect", tmp_path / "m.ks")
    assert "(Wang, Crammer & Vucetic 2010, Theorem 1)" in " ".join(out.split())


def test_half_life_reaches_the_recipe_and_the_file(folder, tmp_path):
    path = tmp_path / "drifting.ks"
    succeed("train", folder / "board.csv", *LEARN, "--half-life", "300", "-o", path)
    step = load(path).estimator.model_.recipe.step
    assert type(step).__name__ == "Forgetting" and step.half_life == 300.0
    assert load(path).estimator.half_life == 300.0
    refused = kernelstream("train", folder / "board.csv", *LEARN, "--half-life", "0", "-o", path)
    assert refused.exit_code == 2 and "half_life" in refused.output


def test_weights_of_classes(tmp_path):
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.normal(size=(1500, 2)), columns=["a", "b"])
    frame["y"] = np.where(frame["a"] + 0.5 * rng.normal(size=1500) > 1.5, "rare", "usual")
    data, rare = write(frame, tmp_path / "rare.csv"), (frame["y"] == "rare").to_numpy()
    recalls = []
    for name, more in (("plain", []), ("even", ["--class-weight", "balanced"])):
        path = tmp_path / f"{name}.ks"
        succeed("train", data, "--gamma", 0.5, "--budget", 40, "-o", path, *more)
        model = StreamPipeline.load(path)
        assert model.estimator.class_weight == (more[1] if more else None) == model.settings.class_weight
        predictions = succeed("predict", path, data).split()[1:]
        recalls.append(np.mean([line.split(",")[-1] == "rare" for line in np.array(predictions)[rare]]))
    assert recalls[1] > recalls[0] + 0.1
    for wrong, message in (
        (["--class-weight", "even"], "class_weight is 'even'; use balanced"),
        (["--class-weight", "balanced", "--task", "regression"], "class_weight is for classification"),
    ):
        result = kernelstream("train", data, "-o", tmp_path / "no.ks", *wrong)
        assert result.exit_code == 2 and message in " ".join(result.output.split())
    result = kernelstream("train", "--resume", tmp_path / "even.ks", "--class-weight", "balanced")
    assert result.exit_code == 2 and "--class-weight cannot be changed" in " ".join(result.output.split())
