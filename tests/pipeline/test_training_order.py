"""The order of rows in a run, and the rows that are held out."""

from dataclasses import replace

import numpy as np
import pytest

from kernelstream.pipeline import Settings, StreamPipeline, Training, run
from kernelstream.pipeline import training as module
from kernelstream.readers import Options

SETTINGS = Settings(parameters={"gamma": 4.0, "budget": 40}, scale="none", first=200, reading=Options(target="y"))


def quiet(news):
    pass


def write(path, X, y, names="ab", last="y"):
    rows = (",".join(map(repr, row)) for row in np.column_stack([X]).tolist())
    text = "".join(f"{row},{label}\n" for row, label in zip(rows, y, strict=True))
    path.write_text(",".join([*names, last]) + "\n" + text)
    return str(path)


@pytest.fixture(scope="module")
def halves():
    """Two classes that are easy to tell apart by a circle."""
    X = np.random.default_rng(0).uniform(-1, 1, (3000, 2))
    return X, np.where((X**2).sum(axis=1) < 0.6, "in", "out")


def replaced(**changes):
    return replace(SETTINGS, **changes)


def train(path, settings, out, **more):
    run(Training.start([path], settings, **more), out, 0, quiet)
    return StreamPipeline.load(out)


def test_a_file_that_is_sorted_is_learned_as_one_that_is_not(halves, tmp_path):
    X, y = halves
    test = np.random.default_rng(1).uniform(-1, 1, (2000, 2))
    truth = np.where((test**2).sum(axis=1) < 0.6, "in", "out")
    order = np.argsort(y, kind="stable")
    found = {}
    for name, rows in {"mixed": np.arange(3000), "sorted": order}.items():
        model = train(write(tmp_path / f"{name}.csv", X[rows], y[rows]), SETTINGS, tmp_path / "m.ks")
        found[name] = np.mean(model.estimator.predict(test.astype(np.float32)) == truth)
        # 300 rows that were held out: three standard errors are 5 points
        assert model.position.held_rows == 300 and abs(model.position.held_score - found[name]) < 0.05
        assert model.curve.now.examples == 3000 and model.curve.now.tested == 2700
    assert abs(found["sorted"] - found["mixed"]) < 0.02 and found["sorted"] > 0.93
    in_order = train(str(tmp_path / "sorted.csv"), replaced(shuffle=False), tmp_path / "m.ks")
    assert in_order.position.held_rows == 0 and in_order.curve.labels.shift().label == "out"


def test_the_model_does_not_depend_on_the_memory(halves, tmp_path, monkeypatch):
    path, files = write(tmp_path / "a.csv", *halves), []
    monkeypatch.setattr(module, "HELD", 300)
    for memory in (1 << 30, 30_000, 1):
        train(path, replaced(epochs=2), tmp_path / "m.ks", memory=memory)
        files.append((tmp_path / "m.ks").read_bytes())
    assert files[0] == files[1] == files[2]


def test_rows_that_are_held_out_are_learned_only_after_they_were_judged(halves, tmp_path, monkeypatch):
    events = []
    judge, learn = module.judged, StreamPipeline.learn_block

    def spy_on_judge(pipeline, block, stream):
        events.append(block.lines)
        return judge(pipeline, block, stream)

    monkeypatch.setattr(module, "judged", spy_on_judge)

    def spy(pipeline, block, refuse, *, test):
        events.append((block.lines, test))
        learn(pipeline, block, refuse, test=test)

    monkeypatch.setattr(StreamPipeline, "learn_block", spy)
    model = train(write(tmp_path / "a.csv", *halves), replaced(epochs=3, holdout=0.2), tmp_path / "m.ks")
    when = next(i for i, event in enumerate(events) if isinstance(event, np.ndarray))
    held = events.pop(when)
    before = np.concatenate([lines for lines, _ in events[:when]])
    after = np.concatenate([lines for lines, _ in events[when:]])
    assert len(held) == 600 == model.position.held_rows and not np.isin(held, before).any()
    np.testing.assert_array_equal(after, held)
    np.testing.assert_array_equal(np.bincount(before, minlength=3002)[np.setdiff1d(np.arange(2, 3002), held)], 3)
    first = np.concatenate([lines for lines, test in events if test])
    assert len(first) == 2400 == len(np.unique(first))  # the first epoch; the second has another order
    second = before[2400:4800]
    assert sorted(first) == sorted(second) and (first != second).mean() > 0.99


def test_a_limit_is_a_random_sample_that_later_epochs_keep(halves, tmp_path, monkeypatch):
    lines, learn = [], StreamPipeline.learn_block

    def spy(pipeline, block, refuse, *, test):
        lines.extend(block.lines.tolist())
        learn(pipeline, block, refuse, test=test)

    monkeypatch.setattr(StreamPipeline, "learn_block", spy)
    train(write(tmp_path / "a.csv", *halves), replaced(epochs=2, limit=1000), tmp_path / "m.ks")
    counts = np.bincount(lines, minlength=3002)
    assert (counts > 0).sum() == 1000 and (counts == 2).sum() == 900
    assert 1300 < np.flatnonzero(counts).mean() < 1700


def test_more_epochs_after_the_end_learn_all_rows_and_claim_no_score(halves, tmp_path):
    path = write(tmp_path / "a.csv", *halves)
    model = train(path, SETTINGS, tmp_path / "m.ks")
    assert model.position.held_score is not None
    model.settings = replaced(epochs=2)
    run(Training.resume(model), tmp_path / "m.ks", 0, quiet)
    again = StreamPipeline.load(tmp_path / "m.ks")
    assert again.curve.now.examples == 6000 and again.position.held_score is None


@pytest.mark.parametrize(
    ("name", "values", "timed"),
    [
        ("when", [f"2024-01-{1 + i // 100:02d}" for i in range(3000)], True),
        ("when", [f"2024-01-{1 + i % 30:02d}" for i in range(3000)], False),
        ("timestamp", list(range(3000)), True),
        ("timestamp", list(range(3000))[::-1], False),
        ("size", list(range(3000)), False),
        ("time", [5] * 3000, False),
    ],
)
def test_a_time_that_increases_is_reported(halves, tmp_path, name, values, timed):
    X, y = halves
    path = tmp_path / "a.csv"
    rows = (f"{value},{a!r},{b!r},{label}\n" for value, (a, b), label in zip(values, X.tolist(), y, strict=True))
    path.write_text(f"{name},a,b,y\n" + "".join(rows))
    for asked, expected in ((None, True), (False, False), (True, True)):
        training = Training.start([str(path)], replaced(shuffle=asked))
        training.stream.close()
        assert training.order.shuffled == expected
        if asked is None:
            assert (f"though column '{name}' is a time that increases" in training.order.why) == timed
