"""`describe`, and what `train`, `predict` and `export` do with columns that are not plain numbers."""

import numpy as np
import pandas as pd
import pytest

from kernelstream.pipeline import StreamPipeline

from .data import LEARN, board, kernelstream, succeed, told, write

ROWS = 1500


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A table with an identifier, a date, a constant, missing values and a name that occurs twice."""
    folder = tmp_path_factory.mktemp("messy")
    for name, seed in (("train", 0), ("new", 1)):
        frame, rng = board(ROWS, seed, words=True), np.random.default_rng(seed)
        frame.loc[rng.random(ROWS) < 0.05, "b"] = np.nan
        frame.loc[rng.random(ROWS) < 0.05, "colour"] = None
        frame.insert(0, "id", np.arange(ROWS) + 1000 * seed)
        frame.insert(1, "when", (pd.Timestamp("2024-01-01") + pd.to_timedelta(np.arange(ROWS), unit="h")).astype(str))
        frame.insert(2, "site", "main")
        text = frame.rename(columns={"site": "a"}).to_csv(index=False, lineterminator="\r\n")
        (folder / f"{name}.csv").write_text("\ufeff" + text, newline="", encoding="utf-8")
    return folder


def by_name(found):
    return {column["name"]: column for column in found["columns"]}


def test_columns_are_described(folder):
    found = told("describe", folder / "train.csv", "--target", "y")
    columns = by_name(found)
    assert set(columns) == {"id", "when", "a", "a_2", "b", "colour"}
    assert columns["id"]["use"] == "left out" and columns["id"]["type"] == "integer"
    assert columns["when"]["done"] == "date, expanded to hour, weekday" and columns["when"]["low"] == "2024-01-01 00:00"
    assert columns["a"]["done"] == "constant: no effect" and columns["a_2"]["use"] == "number"
    assert columns["b"]["missing"] == pytest.approx(0.05, abs=0.02)
    assert columns["colour"]["done"] == "one-hot, 4 categories" and columns["colour"]["top"]["red"] > 0.9
    assert found["targets"][0]["task"] == "classification" and set(found["targets"][0]["classes"]) == {"black", "white"}
    assert sum(found["targets"][0]["classes"].values()) == pytest.approx(1.0)
    text = succeed("describe", folder / "train.csv", "--target", "y")
    assert text.startswith("The first 1,500 rows show:") and "Note: 'id' is left out" in text


def test_without_a_target(folder):
    found = told("describe", folder / "train.csv", "--ignore", "y")
    assert found["targets"][0]["name"] == "y"  # by its name
    frame = board(50).rename(columns={"y": "colour of the field"})
    write(frame, folder / "plain.csv")
    assert told("describe", folder / "plain.csv")["targets"] == []
    assert "No target is known: name it with --target" in succeed("describe", folder / "plain.csv")


def test_bad_lines_and_few_rows_are_counted(folder, tmp_path):
    lines = (folder / "train.csv").read_text().splitlines()
    (tmp_path / "bad.csv").write_text("\n".join([*lines[:30], "1,2", *lines[30:60]]))
    found = told("describe", tmp_path / "bad.csv", "--first", "40")
    assert found["rows"] == 40 and found["bad_lines"] == 1 and "line 31: expected 7 columns" in found["first_bad"][0]


def test_regression_and_pairs(tmp_path):
    frame = pd.DataFrame({"x": np.random.default_rng(0).normal(size=300)}).assign(y=lambda f: f.x**2)
    write(frame, tmp_path / "a.csv")
    assert told("describe", tmp_path / "a.csv")["targets"][0]["task"] == "regression"
    write(board(40, words=False), tmp_path / "a.svm")
    assert told("describe", tmp_path / "a.svm")["columns"][0]["done"].startswith("2 features, 100.0 %")


@pytest.fixture(scope="module")
def trained(folder):
    result = kernelstream("train", folder / "train.csv", "--target", "y", *LEARN, "-o", folder / "m.ks")
    assert result.exit_code == 0, result.output
    return folder / "m.ks", result.stderr


def test_training_says_what_it_does(folder, trained):
    path, said = trained
    assert "Note: 'id' is left out: its integers rise from row to row" in said and "Note: 'when' is a date" in said
    again = StreamPipeline.load(path)
    assert "id" not in again.intake.schema.features and again.intake.notes and not again.intake.warnings
    shown = told("train", folder / "train.csv", "-t", "y", *LEARN, "-o", folder / "n.ks", "--limit", "100", "-q")
    assert shown["columns"]["notes"][1:] and shown["columns"]["warnings"] == []


def test_predictions_need_no_identifier_and_mark_missing_values_as_training_did(folder, trained):
    path, _ = trained
    text = (folder / "new.csv").read_text(encoding="utf-8-sig")
    predicted = succeed("predict", path, folder / "new.csv")
    rows = [line.split(",") for line in text.splitlines()]
    bare = "\n".join(",".join(row[1:-1]) for row in rows)  # neither id nor target
    (folder / "bare.csv").write_text(bare)
    assert succeed("predict", path, folder / "bare.csv") == predicted
    (folder / "late.csv").write_text(bare.replace("2024-01-05 03:00:00", "someday"))
    result = kernelstream("predict", path, folder / "late.csv")
    assert result.exit_code == 1 and "column 1 ('when'): 'someday' is not a date year-month-day" in result.stderr


def test_resuming_reads_the_same_columns(folder):
    """A run in two parts is the same file as one without interruption."""
    learn = ["train", folder / "train.csv", "-t", "y", *LEARN, "--in-order", "-q", "--epochs"]
    succeed(*learn, "2", "-o", folder / "whole.ks")
    succeed(*learn, "1", "-o", folder / "parts.ks")
    assert StreamPipeline.load(folder / "whole.ks").curve.now.examples == 2 * ROWS
    succeed("train", "--resume", folder / "parts.ks", "--new-data", folder / "train.csv", "-q")
    first, second = (StreamPipeline.load(folder / name).intake.preparation for name in ("whole.ks", "parts.ks"))
    assert first.as_dict() == second.as_dict()


def test_dates_cannot_be_exported(folder, trained):
    result = kernelstream("export", trained[0], "--onnx", folder / "m.onnx")
    assert result.exit_code == 1 and "The model expands dates ('when')" in result.stderr
    assert "(--ignore when)" in result.stderr
