"""Targets of files as people have them: numbers or labels, without a label, spelled in several ways, never seen."""

import numpy as np
import pandas as pd
import pytest

from kernelstream import StreamPipeline
from kernelstream.pipeline import Settings, Training, run

QUICK = {"gamma": 1.0, "budget": 20, "scale": "none"}
RNG = np.random.default_rng(0)
X = RNG.uniform(-2, 2, (600, 2)).round(3)


def table(y) -> pd.DataFrame:
    return pd.DataFrame(X[: len(y)], columns=["a", "b"]).assign(y=y)


def saved(folder, y) -> str:
    table(y).to_csv(folder / "a.csv", index=False)
    return str(folder / "a.csv")


SIGNS = np.where(X[:, 0] > 0, "yes", "no").astype(object)


def test_many_different_numbers_are_predicted_as_numbers(tmp_path):
    path = saved(tmp_path, X[:, 0] + X[:, 1])
    model = StreamPipeline.train(path, target="y", **QUICK)
    assert model.settings.task == "regression" and model.evaluate(path).report()["r2"] > 0.5
    assert any("'y' has 5" in note and "--task classification" in note for note in model.intake.notes)
    assert StreamPipeline.train(table(X[:, 0]), target="y", **QUICK).settings.task == "regression"


@pytest.mark.parametrize("y", [np.arange(600) % 30, np.arange(600) % 5 / 2, SIGNS])
def test_labels_stay_labels(tmp_path, y):
    model = StreamPipeline.train(saved(tmp_path, y), target="y", **QUICK)
    assert model.settings.task == "classification" and not model.intake.notes


def test_a_task_or_classes_that_are_given_are_not_guessed(tmp_path):
    path = saved(tmp_path, X[:, 0].round(1))
    with pytest.raises(ValueError, match=r"is for classification|different values"):
        StreamPipeline.train(saved(tmp_path, X[:, 0]), target="y", task="classification", **QUICK)
    path = saved(tmp_path, np.round(X[:, 0] * 10) / 10)
    classes = [f"{v:g}" for v in np.unique(np.round(X[:, 0] * 10) / 10)]
    assert StreamPipeline.train(path, target="y", classes=classes, **QUICK).settings.task == "classification"


def test_counts_that_are_learned_as_classes_are_noted(tmp_path):
    model = StreamPipeline.train(saved(tmp_path, RNG.poisson(5, 600)), target="y", **QUICK)
    assert model.settings.task == "classification" and "a count: --task regression" in model.intake.notes[0]


def test_labels_that_differ_in_capitals_are_noted(tmp_path):
    y = SIGNS.copy()
    y[::7] = "YES"
    model = StreamPipeline.train(saved(tmp_path, y), target="y", **QUICK)
    assert model.intake.notes[0].startswith("The labels 'YES', 'yes' of 'y' differ only in capitals or blanks.")


@pytest.mark.parametrize("shuffle", [True, False])
@pytest.mark.parametrize("epochs", [1, 2])
def test_rows_without_a_label_are_left_out_and_counted_once(tmp_path, shuffle, epochs):
    y = SIGNS.copy()
    y[5::10] = None
    settings = Settings(parameters={"gamma": 1.0, "budget": 20}, scale="none", shuffle=shuffle, epochs=epochs)
    training = Training.start([saved(tmp_path, y)], settings)
    run(training, tmp_path / "m.ks", 0, lambda news: None)
    model = StreamPipeline.load(tmp_path / "m.ks")
    assert model.position.finished and model.position.bad == 60
    assert model.position.first_bad[0].endswith("line 7, column 'y': the label is missing.")
    (tmp_path / "b.csv").write_text("a,b,y\n1,1,yes\n1,0,\n-1,0,no\n,,\n")
    assert model.evaluate(tmp_path / "b.csv").report()["rows"] == 2
    # other bad lines are errors as before
    (tmp_path / "b.csv").write_text("a,b,y\n1,1,yes\n1,0,\n-1,x,no\n")
    with pytest.raises(ValueError, match="line 4, column 2"):
        model.evaluate(tmp_path / "b.csv")


def test_a_label_that_the_model_has_not_seen_is_predicted_wrongly(tmp_path):
    model = StreamPipeline.train(table(SIGNS), target="y", **QUICK)
    test = table(SIGNS[:100])
    known = model.evaluate(test).report()["accuracy"]
    test.loc[:49, "y"] = "perhaps"
    found = model.evaluate(test).report()
    assert found["rows"] == 100 and found["accuracy"] <= 0.5 < known
    assert found["classes"][2] == {"class": "perhaps", "rows": 50, "recall": 0.0, "precision": None}
    assert model.classes_.tolist() == ["no", "yes"]  # nothing was learned
    test["y"] = np.where(test["a"] > 0, "ja", "nein")
    with pytest.raises(ValueError, match="None of the labels 'ja', 'nein' is among those of the model, 'no', 'yes'"):
        model.evaluate(test)


def test_copies_among_the_rows_held_out_are_warned_of(tmp_path):
    from kernelstream.pipeline.order_warning import warnings_of

    def warned(frame):
        frame.to_csv(tmp_path / "c.csv", index=False)
        training = Training.start([str(tmp_path / "c.csv")], Settings(parameters={"budget": 20}))
        run(training, tmp_path / "c.ks", 0, lambda news: None)
        return warnings_of(training).texts

    frame = table(SIGNS)
    assert not warned(frame)
    assert "100 % of the rows held out are copies" in warned(pd.concat([frame] * 5))[0]
    # these must be equal now and then
    assert not warned(frame.round({"a": 0, "b": 0}))
