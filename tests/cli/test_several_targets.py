"""Regression with several targets: `--target a,b` learns one model that predicts both."""

import csv
import io

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import mean_absolute_error, r2_score, root_mean_squared_error

from kernelstream import StreamPipeline, load

from .data import kernelstream, succeed, told, write

LEARN = ["--target", "up,down", "--task", "regression", "--gamma", "1", "--budget", "60"]


def waves(rows=1500, seed=0):
    """Targets in different units, each of one of two numbers."""
    rng = np.random.default_rng(seed)
    a, b = rng.uniform(-3, 3, (2, rows)).round(3)
    return pd.DataFrame({"a": a, "up": np.sin(a), "b": b, "down": 1000 * np.cos(b)})


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("targets")
    succeed("train", write(waves(), folder / "waves.csv"), *LEARN, "-o", folder / "waves.ks")
    return folder


def test_the_scores_are_those_of_scikit_learn(folder, tmp_path):
    test = waves(400, seed=1)
    found = told("evaluate", folder / "waves.ks", write(test, tmp_path / "t.csv"), "--plot", tmp_path / "t.png")
    predicted, true = load(folder / "waves.ks").predict(test), test[["up", "down"]].to_numpy()
    assert predicted.shape == (400, 2)
    assert found["r2"] == pytest.approx(r2_score(true, predicted)) and found["r2"] > 0.95
    assert found["mae"] == pytest.approx(mean_absolute_error(true, predicted))
    for i, one in enumerate(found["targets"]):
        assert one["target"] == ["up", "down"][i] and one["r2"] == pytest.approx(r2_score(true[:, i], predicted[:, i]))
        assert one["rmse"] == pytest.approx(root_mean_squared_error(true[:, i], predicted[:, i]))
    assert (tmp_path / "t.png").stat().st_size > 5000
    text = succeed("evaluate", folder / "waves.ks", tmp_path / "t.csv")
    assert text.splitlines()[-2].split()[0] == "up" and text.splitlines()[-1].split()[0] == "down"
    assert "targets" in succeed("inspect", folder / "waves.ks")


@pytest.mark.parametrize("form", ["csv", "jsonl"])
def test_a_column_for_each_target(folder, tmp_path, form):
    test = waves(50, seed=2)
    path = write(test.drop(columns=["up", "down"]), tmp_path / "t.csv")
    out = succeed("predict", folder / "waves.ks", path, "--interval", "0.9", "--keep", "b", "--to", form)
    rows = list(csv.DictReader(io.StringIO(out))) if form == "csv" else pd.read_json(io.StringIO(out), lines=True)
    found = pd.DataFrame(rows).astype(float)
    ends = ["lower_up", "upper_up", "lower_down", "upper_down"]
    assert list(found) == ["b", "prediction_up", "prediction_down", *ends]
    model = load(folder / "waves.ks")
    np.testing.assert_allclose(found[["prediction_up", "prediction_down"]], model.predict(test), rtol=1e-12)
    np.testing.assert_allclose(found[ends], model.predict_interval(test, 0.9).reshape(50, 4), rtol=1e-12)
    inside = (found["lower_down"] <= test["down"]) & (test["down"] <= found["upper_down"])
    assert inside.mean() > 0.7


def test_rows_in_memory_are_learned_with_their_targets_or_apart(folder, tmp_path):
    more = waves(300, seed=3)
    first, second = load(folder / "waves.ks"), load(folder / "waves.ks")
    first.learn(more)
    second.learn(more[["a", "b"]], more[["up", "down"]].to_numpy())
    np.testing.assert_array_equal(first.predict(more), second.predict(more))
    assert first.targets == ("up", "down") and "predicts 'up', 'down' (numbers)" in repr(first)
    with pytest.raises(ValueError, match=r"pass targets of shape \(rows, 2\)"):
        second.learn(more[["a", "b"]], more["up"])
    first.save(tmp_path / "again.ks")
    np.testing.assert_array_equal(load(tmp_path / "again.ks").predict(more), first.predict(more))


def test_the_same_from_python(folder):
    settings = {"gamma": 1, "budget": 60, "task": "regression"}
    ours = StreamPipeline.train(folder / "waves.csv", target=["up", "down"], **settings)
    np.testing.assert_array_equal(ours.predict(waves(50)), load(folder / "waves.ks").predict(waves(50)))


def test_without_names_and_with_weights(tmp_path):
    frame = waves(600).assign(w=np.r_[np.ones(500), np.zeros(100)])
    frame.loc[500:, ["up", "down"]] = 1e6  # of no weight
    frame.to_csv(tmp_path / "t.csv", index=False, header=False)
    succeed("train", tmp_path / "t.csv", "-t", "2,4", *LEARN[2:], "--weight", "5", "-o", tmp_path / "t.ks")
    model = load(tmp_path / "t.ks")
    test = waves(50, seed=4)
    predicted = model.predict(test.assign(w=1.0).to_numpy())
    assert r2_score(test[["up", "down"]], predicted) > 0.9


@pytest.mark.parametrize(
    ("change", "options", "message"),
    [
        ({}, ["-t", "up,down"], "Several targets, 'up', 'down', are for regression: use --task regression."),
        ({}, [*LEARN, "-t", "up,up"], "column 'up' is named as a target twice."),
        ({}, [*LEARN, "-t", "up,side"], "has no column 'side'."),
        ({"down": "much"}, LEARN, "column 'down' is text, and several targets must all be numbers."),
        ({}, [*LEARN, "--weight", "down"], "column 'down' is the target, and cannot be --weight as well."),
    ],
)
def test_what_is_refused(tmp_path, change, options, message):
    path = write(waves(300).assign(**change), tmp_path / "t.csv")
    result = kernelstream("train", path, *options, "-o", tmp_path / "t.ks")
    assert result.exit_code == 1 and message in " ".join(result.stderr.split()), result.stderr
    assert not (tmp_path / "t.ks").exists()


def test_a_name_may_have_a_comma(tmp_path):
    frame = waves(300).rename(columns={"up": "up,down"}).drop(columns="down")
    found = told("describe", write(frame, tmp_path / "t.csv"), "-t", "up,down")
    assert [one["name"] for one in found["targets"]] == ["up,down"]
    found = told("describe", write(waves(300), tmp_path / "t.csv"), "-t", "up,down")
    assert [(one["name"], one["task"]) for one in found["targets"]] == [("up", "regression"), ("down", "regression")]
