"""Marks of missing values in exported models: ONNX finds them itself, C is told."""

import csv
import io

import numpy as np
import pytest

from ..cli.data import board, succeed, told, write

onnxruntime = pytest.importorskip("onnxruntime")


def test_onnx_marks_missing_numbers_and_categories(tmp_path):
    for name, seed in (("train", 0), ("new", 1)):
        frame, rng = board(2000, seed), np.random.default_rng(seed)
        for column in ("a", "b"):
            frame[column] = frame[column].astype(np.float32)
        gone = frame["y"].eq("white") & (rng.random(2000) < 0.5)  # that it is missing says a lot
        frame.loc[gone, "b"] = np.nan
        frame.loc[rng.random(2000) < 0.1, "colour"] = None
        write(frame, tmp_path / f"{name}.csv")
    learn = ["--gamma", "4", "--budget", "40", "-q", "-o", tmp_path / "m.ks"]
    succeed("train", tmp_path / "train.csv", *learn)
    told("export", tmp_path / "m.ks", "--onnx", tmp_path / "m.onnx", "--c", tmp_path / "m.h")
    assert "1 if b is missing, else 0" in (tmp_path / "m.h").read_text()
    assert "1 if colour is missing, else 0" in (tmp_path / "m.h").read_text()
    with open(tmp_path / "new.csv", newline="") as file:
        table = list(csv.DictReader(file))
    numbers = np.array([[float(row[name] or "nan") for name in "ab"] for row in table], np.float32)
    categories = np.array([[row["colour"]] for row in table], object)
    session = onnxruntime.InferenceSession(tmp_path / "m.onnx", providers=["CPUExecutionProvider"])
    _, found = session.run(None, {"X": numbers, "categories": categories})
    said = list(csv.DictReader(io.StringIO(succeed("predict", tmp_path / "m.ks", tmp_path / "new.csv", "--proba"))))
    expected = np.array([[float(row[f"probability_{c}"]) for c in ("black", "white")] for row in said])
    np.testing.assert_allclose(found, expected, atol=1e-4)
    assert expected[np.isnan(numbers[:, 1]), 1].mean() > 0.8
