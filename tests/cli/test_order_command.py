"""`kernelstream train` on data as it comes: sorted, weighted, with labels that come late."""

import json
import re
import subprocess
import sys
import time

import numpy as np
import pandas as pd
import pytest

from kernelstream import KernelClassifier
from kernelstream.pipeline import StreamPipeline

from .data import LEARN, board, kernelstream, succeed, told, write


def rings(rows=4000, classes=("a", "b", "c"), seed=0):
    """Classes by distance from the middle."""
    X = np.random.default_rng(seed).uniform(-1, 1, (rows, 2))
    kind = np.digitize((X**2).sum(axis=1), [0.424, 0.849])  # a third each
    return pd.DataFrame(X, columns=["a", "b"]).assign(y=np.array(classes)[kind])


def text(frame):
    return frame.to_csv(index=False).encode()


def test_a_sorted_pipe_is_warned_about_with_an_honest_figure(tmp_path):
    frame = rings().sort_values("y")
    learn = ["train", "-", *LEARN, "-t", "y", "-q", "-o", tmp_path / "m.ks", "--force"]
    result = kernelstream(*learn, "--json", input=text(frame))
    found = json.loads(result.stdout)
    (warning,) = found["warnings"]
    assert warning in result.stderr
    assert re.match(
        r"Of the last [\d,]+ rows all have the label 'c', and of the [\d,]+ before them [\d.]+ %\.", warning
    )
    assert "train on a file, which is shuffled, instead of a pipe" in warning
    honest = float(re.search(r"accuracy of the saved model is ([\d.]+) %", warning)[1]) / 100
    write(frame, tmp_path / "all.csv")
    assert honest == pytest.approx(told("evaluate", tmp_path / "m.ks", tmp_path / "all.csv")["accuracy"], abs=0.05)
    assert found["recent_score"] > honest + 0.1
    mixed = kernelstream(*learn, "--json", input=text(frame.sample(frac=1, random_state=0)))
    assert json.loads(mixed.stdout)["warnings"] == [] and mixed.stderr == ""
    kept = told("train", tmp_path / "all.csv", *learn[2:], "--in-order")
    assert "use --shuffle" in kept["warnings"][0] and kept["order"] == "in order (--in-order)"
    shuffled = told("train", tmp_path / "all.csv", *learn[2:])
    assert shuffled["warnings"] == [] and shuffled["held_out_score"] > honest + 0.1
    assert "held-out accuracy  " in succeed("train", tmp_path / "all.csv", *learn[2:])


@pytest.mark.parametrize("options", [LEARN, ["--budget", 60]], ids=["single", "adaptive"])
@pytest.mark.parametrize("first", [("a",), ("a", "b")])
def test_labels_that_come_late_are_learned(tmp_path, options, first):
    """A pipe whose first rows have one class or two; then come others, in any order of the alphabet."""
    frame = rings(6000, ("b", "a", "c"))
    early = frame[frame["y"].isin(first)][:300]
    rest = frame.drop(early.index)
    path = tmp_path / "m.ks"
    learn = ["train", "-", *options, "-t", "y", "--first", 200, "-q", "-o", path, "--json"]
    result = kernelstream(*learn, input=text(pd.concat([early, rest])))
    assert result.exit_code == 0, result.output
    found = json.loads(result.stdout)
    assert sorted(found["classes"]) == ["a", "b", "c"] and found["examples"] == 6000
    late = {one["class"]: one["line"] for one in found["late_classes"]}
    assert set(late) == {"a", "b", "c"} - set(first)
    labels = [*early["y"], *rest["y"]]
    assert late == {label: labels.index(label) + 2 for label in late}
    test = write(rings(2000, ("b", "a", "c"), seed=1), tmp_path / "test.csv")
    report = told("evaluate", path, test)
    assert report["accuracy"] > 0.85
    assert {entry["class"]: entry["recall"] > 0.6 for entry in report["classes"]} == dict.fromkeys("abc", True)
    # probabilities are in the columns of their labels
    rows = succeed("predict", path, test, "--proba").splitlines()
    titles = [title.removeprefix("probability_") for title in rows[0].split(",")[1:]]
    for row in rows[1:50]:
        label, *values = row.split(",")
        assert titles[int(np.argmax([*map(float, values)]))] == label and sum(map(float, values)) == pytest.approx(1)


def test_a_run_with_a_late_label_resumes_exactly(tmp_path):
    frame = rings(3000)
    data = text(pd.concat([frame[frame["y"] != "c"], frame[frame["y"] == "c"]]))
    learn = ["train", "-", *LEARN, "-t", "y", "--first", 200, "-q", "-o"]
    succeed(*learn, tmp_path / "whole.ks", input=data)
    succeed(*learn, tmp_path / "m.ks", "--limit", 2900, input=data)
    assert len(StreamPipeline.load(tmp_path / "m.ks").estimator.classes_) == 3
    succeed("train", "--resume", tmp_path / "m.ks", "-", "--limit", 3000, "-q", input=data)
    ours, whole = (StreamPipeline.load(tmp_path / name) for name in ("m.ks", "whole.ks"))
    assert ours.intake.target.as_dict() == whole.intake.target.as_dict()
    X = np.random.default_rng(0).uniform(-1, 1, (100, 2)).astype(np.float32)
    np.testing.assert_array_equal(ours.estimator.decision_function(X), whole.estimator.decision_function(X))


def test_classes_that_are_given_are_all(tmp_path):
    learn = ["train", "-", *LEARN, "-t", "y", "-o", tmp_path / "m.ks", "--classes", "a,b"]
    result = kernelstream(*learn, input=text(rings(1000)))
    assert result.exit_code == 1
    assert "the label 'c' is not among the classes 'a', 'b' of --classes." in result.stderr
    assert not (tmp_path / "m.ks").exists()


def test_one_label_only(tmp_path):
    frame = rings(1000).assign(y="a")
    learn = ["train", "-", *LEARN, "-t", "y", "-q", "-o", tmp_path / "m.ks"]
    found = kernelstream(*learn, input=text(frame))
    assert "Warning: All 1,000 rows have the label 'a': the model can predict nothing else." in found.stderr
    result = kernelstream("train", write(frame, tmp_path / "a.csv"), *LEARN, "-o", tmp_path / "n.ks")
    assert result.exit_code == 1 and "There is only the label 'a' in the data. List the classes" in result.stderr


def test_weights_are_those_of_the_estimator_and_of_the_figures(tmp_path):
    frame = board(words=False)
    weights = np.random.default_rng(0).choice([0.0, 0.5, 3.0], len(frame))
    path = write(frame.assign(w=weights), tmp_path / "a.csv")
    learn = ["train", path, *LEARN, "-t", "y", "--in-order", "-q", "-o", tmp_path / "m.ks"]
    found = told(*learn, "--weight", "w")
    trained = StreamPipeline.load(tmp_path / "m.ks")
    assert found["features"] == 2 and trained.intake.schema.weight == "w"
    X = frame[["a", "b"]].to_numpy(np.float32)
    own = KernelClassifier(gamma=4.0, budget=40, random_state=0)
    own.initialize(X, frame["y"], classes=["black", "white"])
    hits, start = [], 0
    while start < len(X):
        rows = slice(start, start + min(max(start, 16), 1024))
        predicted = own.predict_then_learn(X[rows], frame["y"][rows], weights[rows])
        hits += (predicted == frame["y"][rows]).tolist()
        start = rows.stop
    np.testing.assert_array_equal(trained.estimator.decision_function(X), own.decision_function(X))
    assert found["score"] == pytest.approx(np.average(hits, weights=weights))
    # predictions and evaluation need no weights
    assert told("evaluate", tmp_path / "m.ks", write(frame, tmp_path / "b.csv"))["rows"] == 2000


def test_rows_of_weight_zero_are_not_learned(tmp_path):
    frame = board(3000, words=False).assign(w=1.0)
    wrong = frame.assign(y=frame["y"].map({"black": "white", "white": "black"}), w=0.0)
    data = write(pd.concat([frame, wrong]), tmp_path / "a.csv")
    learn = ["train", data, *LEARN, "-t", "y", "-q", "--force", "-o", tmp_path / "m.ks"]
    assert told(*learn, "--weight", "w")["held_out_score"] > 0.9
    assert told(*learn, "--ignore", "w")["held_out_score"] < 0.7


@pytest.mark.parametrize(
    ("cell", "message"),
    [("-1", "column 'w': the weight is missing or negative."), ("", "column 'w': the weight is missing or negative."),
     ("many", "column 3 ('w'): 'many' is not a number")],
)  # fmt: skip
def test_bad_weights_are_named(tmp_path, cell, message):
    rows = [f"{i % 7},{i % 3},1,{i % 2}" for i in range(300)]
    rows[100] = f"1,2,{cell},1"
    (tmp_path / "a.csv").write_text("a,b,w,y\n" + "\n".join(rows))
    result = kernelstream("train", tmp_path / "a.csv", *LEARN, "--weight", "w", "-o", tmp_path / "m.ks")
    assert result.exit_code == 1 and f"line 102, {message}" in result.stderr
    assert (
        told("train", tmp_path / "a.csv", *LEARN, "--weight", "w", "--skip-bad", "-o", tmp_path / "m.ks")["examples"]
        == 299
    )


def test_weights_of_labels(tmp_path):
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.normal(size=(1500, 2)), columns=["a", "b"])
    frame["y"] = (frame["a"] + 0.5 * rng.normal(size=1500) > 1.5).astype(int)
    data, recalls = write(frame, tmp_path / "a.csv"), []
    for options in ([], ["--class-weight", "0=1,1=10"]):
        succeed("train", data, "--gamma", 0.5, "--budget", 40, "-q", "--force", "-o", tmp_path / "m.ks", *options)
        recalls.append(told("evaluate", tmp_path / "m.ks", data)["classes"][1]["recall"])
    assert StreamPipeline.load(tmp_path / "m.ks").estimator.class_weight == {0: 1.0, 1: 10.0}
    assert recalls[1] > recalls[0] + 0.1
    for wrong, message in (
        ("0=1,7=2", "class_weight has the label 7.0, which is not among the classes [0, 1]."),
        ("0=a", "--class-weight 0=a: it must be balanced, or LABEL=NUMBER,LABEL=NUMBER."),
        ("0=-1", "class_weight of 0.0 is -1.0; it must be a number of at least 0."),
    ):
        result = kernelstream("train", data, "--class-weight", wrong, "-o", tmp_path / "n.ks")
        assert result.exit_code in (1, 2) and message in " ".join(result.output.split())


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["-", "--shuffle"], "Standard input and pipes can be read only once, so that their rows cannot be shuffled."),
        (["-", "--holdout", "0.1"], "none are held out. Leave --holdout out, or use --shuffle."),
        (["{data}", "--in-order", "--holdout", "0.1"], "Rows are learned in order (--in-order): the accuracy of"),
        (["{data}", "--holdout", "0.9"], "holdout is 0.9; it must be a share of the rows from 0 to 0.5."),
        (["{data}", "--shuffle-memory", "lots"], "--shuffle-memory lots: it must be a size such as '512 MiB'."),
        (["{data}", "--weight", "v"], "has no column 'v'."),
        (["{data}", "--weight", "y"], "column 'y' has no numbers other than the target's: it cannot be --weight."),
    ],
)
def test_what_cannot_be(tmp_path, options, message):
    data = write(board(600, words=False), tmp_path / "a.csv")
    options = [option.format(data=data) for option in options]
    result = kernelstream("train", *options, *LEARN, "-t", "y", "-o", tmp_path / "m.ks", input=text(board(600)))
    assert result.exit_code in (1, 2) and message in " ".join(result.stderr.split())


def test_a_shuffled_run_resumes_with_the_same_file_only(tmp_path):
    data, model = write(board(2000, words=False), tmp_path / "a.csv"), tmp_path / "m.ks"
    succeed("train", data, *LEARN, "--limit", 1000, "-q", "-o", model)
    before = model.read_bytes()
    result = kernelstream("train", "--resume", model, "--in-order")
    assert result.exit_code == 2 and "--shuffle or --in-order cannot be changed now" in result.stderr
    result = kernelstream("train", "--resume", model, "-", input=data.read_bytes())
    assert result.exit_code == 1 and "are shuffled, which needs a file instead of a pipe" in result.stderr
    with data.open("a") as file:
        file.write("0.5,0.5,black\n")
    result = kernelstream("train", "--resume", model, "--limit", 2000)
    assert result.exit_code == 1 and "the file differs, and rows that are shuffled come from all of it" in result.stderr
    assert model.read_bytes() == before
    found = told("train", "--resume", model, data, "--new-data", "--in-order", "--limit", 2001)
    assert found["examples_this_run"] == 2001 and not found["shuffled"]


def test_a_checkpoint_is_written_by_time(tmp_path):
    """A pipe that is killed has lost less than what came in the last seconds; the result is that of one run."""
    frame, path = board(40_000, words=False), tmp_path / "m.ks"
    data = text(frame)
    learn = [*LEARN, "-t", "y", "--first", "200", "--checkpoint-seconds", "0.2", "-q", "-o"]
    command = [sys.executable, "-m", "kernelstream", "train", "-", *learn, str(path)]
    process = subprocess.Popen(command, stdin=subprocess.PIPE)
    part = len(data) // 100
    for start in range(0, len(data) - part, part):
        process.stdin.write(data[start : start + part])
        process.stdin.flush()
        time.sleep(0.15)
        if path.exists():
            break
    process.kill()
    process.wait()
    process.stdin.close()
    kept = StreamPipeline.load(path)
    assert not kept.position.finished and 0 < kept.curve.now.examples < 40_000
    succeed("train", "--resume", path, "-", "-q", input=data)
    succeed("train", "-", *learn, tmp_path / "n.ks", "--checkpoint-seconds", "0", input=data)
    assert path.read_bytes() == (tmp_path / "n.ks").read_bytes()
