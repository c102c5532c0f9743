"""`kernelstream train` on a file that fits in memory, told nothing: the rows are fitted together."""

import numpy as np
import pandas as pd
import pytest

import kernelstream
from kernelstream.pipeline import Settings, StreamPipeline, Training, run

BUDGET = {"parameters": {"budget": 60}}


def table(rows: int, seed: int = 0) -> pd.DataFrame:
    """Rings, of which a category moves the border, sorted by class; six columns that do not matter."""
    rng = np.random.default_rng(seed)
    X = rng.uniform(-1, 1, (rows, 8))
    colour = rng.choice(["red", "blue"], rows)
    inside = (X[:, :2] ** 2).sum(axis=1) < np.where(colour == "red", 0.4, 0.9)
    frame = pd.DataFrame(X, columns=[f"x{i}" for i in range(8)]).assign(colour=colour)
    return frame.assign(y=np.where(inside, "in", "out")).sort_values("y", kind="stable")


def trained(folder, frame: pd.DataFrame, **settings) -> StreamPipeline:
    frame.to_csv(folder / "a.csv", index=False)
    training = Training.start([str(folder / "a.csv")], Settings(**BUDGET | settings))
    run(training, folder / "m.ks", 0, lambda news: None)
    return StreamPipeline.load(folder / "m.ks")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    found = tmp_path_factory.mktemp("fitting")
    trained(found, table(1500))
    return found


def test_rows_are_fitted_together_and_judged_by_rows_that_were_not_learned(folder):
    model, test = StreamPipeline.load(folder / "m.ks"), table(1000, seed=1)
    position = model.position
    assert position.fit and position.fitted and position.finished and position.shuffled
    assert (position.held_rows, model.curve.now.examples, model.curve.now.tested) == (150, 1350, 0)
    accuracy = model.evaluate(test).report()["accuracy"]
    assert accuracy > 0.93
    assert position.held_score == pytest.approx(accuracy, abs=3 * np.sqrt(0.07 * 0.93 / 150))
    assert model.estimator.model_.record.examples > 1350  # several passes


def test_it_is_the_fit_of_the_estimator(folder):
    """The prepared rows, fitted by an estimator with the same parameters, give the same predictions."""
    model, test = StreamPipeline.load(folder / "m.ks"), table(300, seed=2)
    assert model.estimator.feature_map_ is not None and model.estimator.tune
    prepared = model.prepare(test)
    np.testing.assert_array_equal(model.predict(test), model.estimator.predict(prepared))
    assert abs(prepared[:, :8].std(axis=0) - 1.0).max() < 0.2  # standardised: nothing scales inside


def test_the_same_seed_gives_the_same_model_and_a_finished_run_has_nothing_left(folder, tmp_path):
    trained(tmp_path, table(1500))
    resumed = Training.resume(StreamPipeline.load(tmp_path / "m.ks"))
    run(resumed, tmp_path / "n.ks", 0, lambda news: None)
    assert resumed.pipeline.curve.now.examples == 1350 and resumed.pipeline.position.held_taken == 0
    test = table(300, seed=2)
    np.testing.assert_array_equal(
        StreamPipeline.load(tmp_path / "n.ks").predict(test), StreamPipeline.load(folder / "m.ks").predict(test)
    )


def test_a_fitted_model_learns_more_rows_new_categories_and_new_classes(folder):
    model, more = kernelstream.load(folder / "m.ks"), table(400, seed=3)
    width = model.estimator.n_features_in_
    model.learn(more.assign(colour="green"))
    assert model.estimator.n_features_in_ == width and model.curve.now.tested == 400
    assert model.evaluate(table(500, seed=4)).report()["accuracy"] > 0.85
    far = more.assign(y="far", x0=3.0)
    for _ in range(5):
        model.learn(pd.concat([far, more]).sample(frac=1, random_state=0))
    assert model.classes_.tolist() == ["in", "out", "far"]
    assert np.mean(model.predict(far[:50].drop(columns="y")) == "far") > 0.8


def test_a_label_of_held_out_rows_only_is_learned(tmp_path):
    frame = table(1200)
    frame.iloc[:1, -1] = "rare"
    for seed in range(4):  # among them one that would hold the row out: a tenth of the rows is
        model = trained(tmp_path, frame, seed=seed, shuffle=True)
        assert model.classes_.tolist() == model.intake.target.classes.tolist() == ["in", "out", "rare"]


def test_what_is_said_about_the_model_or_the_order_makes_a_stream(tmp_path):
    frame = table(600)
    for told in ({"fit": False}, {"shuffle": False}, {"epochs": 2}, {"adapt": False}):
        model = trained(tmp_path, frame, **told)
        assert not model.position.fit and model.curve.now.tested > 0
    with pytest.raises(ValueError, match=r"rows must be shuffled and in memory.*--shuffle-memory"):
        trained(tmp_path, frame, fit=True, shuffle=False)
    table(30_000).to_csv(tmp_path / "a.csv", index=False)  # at least as many rows as may be held out are in memory
    small = Training.start([str(tmp_path / "a.csv")], Settings(**BUDGET, fit=True), memory=1000)
    with pytest.raises(ValueError, match="rows must be shuffled and in memory"):
        run(small, None, 0, lambda news: None)


def test_numbers_are_fitted_too_and_an_interrupted_fit_begins_again(tmp_path, monkeypatch):
    frame = table(1500).assign(y=lambda rows: np.sin(3 * rows["x0"]) + rows["x1"])
    model = trained(tmp_path, frame, task="regression")
    assert model.position.fit and model.position.held_score < 0.2
    test = table(400, seed=1).assign(y=lambda rows: np.sin(3 * rows["x0"]) + rows["x1"])
    assert model.evaluate(test).report()["r2"] > 0.95
    training = Training.start([str(tmp_path / "a.csv")], Settings(**BUDGET, task="regression"))
    for news in training.steps():
        training.stopped = True  # as a signal does during the fit
        if news.examples:
            break
    training.pipeline.save(tmp_path / "stopped.ks")
    again = Training.resume(StreamPipeline.load(tmp_path / "stopped.ks"))
    run(again, tmp_path / "n.ks", 0, lambda news: None)
    rows = test.drop(columns="y")
    np.testing.assert_array_equal(StreamPipeline.load(tmp_path / "n.ks").predict(rows), model.predict(rows))
