"""`StreamPipeline.train`: the model of `kernelstream train`."""

import numpy as np
import pytest

import kernelstream
from kernelstream import StreamPipeline
from tests.cli.data import LEARN, board, succeed, write

SETTINGS = {"budget": 40, "gamma": 4, "scale": "none"}


def test_it_is_that_of_the_command(tmp_path):
    path, test = write(board(), tmp_path / "board.csv"), board(100, seed=1)
    succeed("train", path, "-t", "y", *LEARN, "-o", tmp_path / "theirs.ks")
    seen = []
    ours = StreamPipeline.train(path, target="y", path=tmp_path / "ours.ks", watch=seen.append, **SETTINGS)
    theirs = kernelstream.load(tmp_path / "theirs.ks")
    np.testing.assert_array_equal(ours.decision_function(test), theirs.decision_function(test))
    assert (tmp_path / "ours.ks").read_bytes() == (tmp_path / "theirs.ks").read_bytes()
    assert seen[-1].examples == 2000
    frame = StreamPipeline.train(board(), target="y", path=tmp_path / "frame.ks", **SETTINGS)
    np.testing.assert_array_equal(frame.decision_function(test), theirs.decision_function(test))
    again = kernelstream.load(tmp_path / "frame.ks")
    assert again.position.sources == ["rows in memory"] and again.predict(test).tolist() == ours.predict(test).tolist()
    assert again.evaluate(path).report()["rows"] == 2000


def test_settings_by_name(tmp_path):
    frame = board(500).assign(number=1.0)
    found = StreamPipeline.train(frame, target="y", ignore="number", limit=300, categorical=["a"], hashed=8, **SETTINGS)
    assert found.columns == ["b", "a", "colour"] and found.curve.now.examples == 300
    with pytest.raises(ValueError, match=r"The recipe 'default' has no parameter bugdet. Its parameters: kernel, "):
        StreamPipeline.train(frame, target="y", bugdet=5)
    with pytest.raises(ValueError, match=r"^rows in memory has no column 'z'. Columns: 'a', 'b', "):
        StreamPipeline.train(frame, target="z")
    with pytest.raises(ValueError, match=r"^rows in memory, line 4"):
        StreamPipeline.train(frame.assign(a=["x" if i == 2 else "1" for i in range(500)]), target="y", **SETTINGS)
    with pytest.raises(FileNotFoundError):
        StreamPipeline.train(tmp_path / "none.csv", target="y")


def test_regression_has_intervals_and_no_probabilities():
    frame = board(600, words=False).assign(y=lambda rows: rows["a"] * 2)
    model = StreamPipeline.train(frame, target="y", task="regression", **SETTINGS)
    ends = model.predict_interval(frame.head(30), 0.8)
    assert ends.shape == (30, 2) and (ends[:, 0] < ends[:, 1]).all()
    with pytest.raises(AttributeError, match=r"A regression model has no predict_proba."):
        model.predict_proba(frame)
    assert "predicts 'y' (numbers)" in repr(model) and model.evaluate(frame).report()["r2"] > 0.5
