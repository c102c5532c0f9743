"""The benchmark on streams: its measures, its order of predicting and learning, its records and its bars."""

import bz2
import json
from collections.abc import Iterator
from math import log
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from benchmarks.streams import __main__ as command
from benchmarks.streams import registry
from benchmarks.streams.bars import CLASSIFIED, JUDGED, REGRESSIONS, bars
from benchmarks.streams.evaluation import answers_of, evaluate
from benchmarks.streams.files import from_file
from benchmarks.streams.generated import board, reversed_board
from benchmarks.streams.learner import Learner, Task
from benchmarks.streams.measures import of_classifier, of_regressor
from benchmarks.streams.page import write_page
from benchmarks.streams.stream import Arrays, Stream

MEASURED = {"n": 100, "features": 2, "classes": 2, "windows": [50.0, 60.0], "kib": 1.0, "versions": {"river": "1"}}
Made = dict[tuple[str, str], dict[str, Any]]


class Spy:
    """Writes down what it is asked, and knows for certain the label that it learned last."""

    made = 0

    def __init__(self) -> None:
        Spy.made += 1
        self.heard: list[tuple[str, float]] = []
        self.known: dict[int, float] = {}

    def predict_proba_one(self, x: dict[int, float]) -> dict[int, float]:
        self.heard.append(("predict", x[0]))
        return self.known

    def learn_one(self, x: dict[int, float], y: int) -> None:
        self.heard.append(("learn", x[0]))
        self.known.clear()
        self.known[y] = 1.0


def counted(rows: int, seed: int) -> Arrays:
    return np.arange(float(rows))[:, None], np.arange(rows) % 2


@pytest.fixture
def toys(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """One stream and one learner that cost nothing."""
    monkeypatch.setattr(registry, "STREAMS", {"toy": Stream("toy", "drift", "made up", counted)})
    monkeypatch.setattr("benchmarks.streams.tables.STREAMS", registry.STREAMS)
    monkeypatch.setattr(registry, "LEARNERS", {"spy": Learner("spy", "made up", lambda task: Spy(), needs=())})
    Spy.made = 0
    yield


def test_measures_of_probabilities_are_those_computed_by_hand() -> None:
    # the first has no answer, the last adds up to 4
    answers = [{}, {1: 0.75, 2: 0.25}, {1: 0.2, 2: 0.8}, {1: 1.0, 2: 3.0}, {1: 1.0}]
    found = of_classifier(answers, np.array([1, 1, 2, 2, 2]))
    assert found["accuracy"] == pytest.approx(60.0)
    assert found["kappa_temporal"] == pytest.approx(100.0 * (0.6 - 0.6) / 0.4)
    assert found["log_loss"] == pytest.approx(-(log(1e-6) + log(0.75) + log(0.8) + log(0.75) + log(1e-6)) / 5)
    assert (found["last_accuracy"], found["windows"]) == (0.0, [0.0, 100.0, 100.0, 100.0, 0.0])
    better = of_classifier([*answers[:4], {2: 1.0}], np.array([1, 1, 2, 2, 2]))
    assert better["kappa_temporal"] == pytest.approx(100.0 * (0.8 - 0.6) / 0.4)


def test_probabilities_that_are_no_numbers_are_certain_errors() -> None:
    nan = float("nan")
    assert of_classifier([{1: nan, 2: nan}, {}], np.array([1, 2]))["log_loss"] == pytest.approx(-log(1e-6))


def test_errors_of_a_regression_are_those_computed_by_hand() -> None:
    assert of_regressor([1.0, 2.0], np.array([4.0, -2.0])) == {"rmse": pytest.approx(12.5**0.5), "mae": 3.5}


def test_curves_have_a_hundred_windows_and_the_end_is_the_last_fifth() -> None:
    right = np.repeat([1, 0], [900, 100])
    found = of_classifier([{1: 1.0}] * 1000, right)
    assert found["windows"] == [100.0] * 90 + [0.0] * 10
    assert found["last_accuracy"] == pytest.approx(50.0)


def test_repeating_the_last_label_has_kappa_temporal_0() -> None:
    pytest.importorskip("river")
    y = np.random.default_rng(0).integers(0, 3, 500)
    make = registry.LEARNERS["last-label"].classifier
    assert make is not None
    assert evaluate(make, (np.zeros((500, 1)), y), 1, regression=False, rehearse=False)["kappa_temporal"] == 0.0


def test_every_row_is_predicted_before_it_is_learned() -> None:
    spy = Spy()
    answers, _ = answers_of(spy, counted(450, 0), regression=False)
    assert spy.heard == [(what, float(row)) for row in range(450) for what in ("predict", "learn")]
    # what was learned last was the other label; the dict that the spy keeps changing is not what is judged
    assert of_classifier(answers, counted(450, 0)[1])["accuracy"] == 0.0


def test_what_is_recorded_is_not_measured_again(toys: None, tmp_path: Path) -> None:
    path = tmp_path / "new" / "streams.jsonl"
    words = ["--rows", "50", "--json", str(path)]
    assert command.main(words) == 0
    assert command.main(words) == 0
    assert Spy.made == 1
    (line,) = path.read_text("utf-8").splitlines()
    record = json.loads(line)
    assert (record["stream"], record["learner"], record["rows"], record["seed"]) == ("toy", "spy", 50, 1)
    assert {"kernelstream", "python", "numpy"} <= set(record["versions"])
    for changed in (["--seed", "2"], ["--rows", "60"], ["--again"]):
        command.main([*words, *changed])
    assert Spy.made == 4


def test_records_of_another_version_and_half_lines_are_measured_again(toys: None, tmp_path: Path) -> None:
    path = tmp_path / "streams.jsonl"
    words = ["--rows", "50", "--json", str(path)]
    command.main(words)
    record = json.loads(path.read_text("utf-8"))
    record["versions"]["river"] = "0.0"
    path.write_text(json.dumps(record) + "\n" + '{"stream": "to', "utf-8")
    command.main(words)
    assert Spy.made == 2
    assert json.loads(path.read_text("utf-8").splitlines()[-1])["n"] == 50


def test_a_learner_that_fails_does_not_end_the_run(
    toys: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(task: Task) -> Any:
        raise ZeroDivisionError("no trees")

    monkeypatch.setitem(registry.LEARNERS, "broken", Learner("broken", "made up", broken, needs=()))
    path = tmp_path / "streams.jsonl"
    assert command.main(["--learners", "broken,spy", "--rows", "50", "--json", str(path)]) == 1
    assert "broken failed on toy: ZeroDivisionError: no trees" in capsys.readouterr().out
    assert len(path.read_text("utf-8").splitlines()) == 1


def test_without_data_there_are_notes_and_no_errors(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["--streams", "sea,electricity", "--rows", "50", "--json", str(tmp_path / "streams.jsonl")]
    monkeypatch.delenv("KERNELSTREAM_DATA", raising=False)
    assert command.main(words) == 0
    monkeypatch.setenv("KERNELSTREAM_DATA", str(tmp_path))
    assert command.main(words) == 0
    told = " ".join(capsys.readouterr().out.split())
    for name in ("streams/sea.bz2", "electricity.bz2"):
        assert f"it needs {name}, but KERNELSTREAM_DATA is not set." in told
        assert f"it needs {name}, but the folder" in told


def test_rows_of_a_file_keep_their_order_unless_shuffled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KERNELSTREAM_DATA", str(tmp_path))
    (tmp_path / "a.bz2").write_bytes(bz2.compress("".join(f"{i % 3} 1:{i}\n" for i in range(20)).encode()))
    X, y = from_file("a", "drift", "", "a.bz2", 2, start=5).take(4, 0)
    assert X.tolist() == [[5, 0], [6, 0], [7, 0], [8, 0]] and y.tolist() == [2, 0, 1, 2]
    shuffled = from_file("a", "stationary", "", "a.bz2", 2, shuffled=True)
    X, y = shuffled.take(100, 1)
    assert sorted(X[:, 0]) == list(range(20)) and (y == X[:, 0] % 3).all()
    assert not np.array_equal(X, shuffled.take(100, 2)[0])


def test_the_reversed_board_turns_half_way() -> None:
    (X, y), (same, turned) = board(100, 3), reversed_board(100, 3)
    assert np.array_equal(X, same)
    assert np.array_equal(y * np.repeat([1, -1], 50), turned)


def made(gap: float = 2.0, cost: float = 20.0, loss: float = 0.3, error: float = 0.9) -> Made:
    """Results in which ours is better than ARF and SRP by so much everywhere."""
    found: Made = {}
    for name in CLASSIFIED:
        ours = {"accuracy": 80.0 + gap, "log_loss": loss, "us_per_row": 100.0, **MEASURED}
        found[name, "kernelstream"] = ours
        found[name, "ARF"] = {"accuracy": 80.0, "log_loss": 0.4, "us_per_row": 100.0 * cost, **MEASURED}
        found[name, "SRP"] = {"accuracy": 80.0, "log_loss": 0.5, "us_per_row": 9000.0, **MEASURED}
    for name in REGRESSIONS:
        found[name, "kernelstream"] = {"rmse": error, "mae": 1.0, "us_per_row": 100.0, **MEASURED}
        found[name, "ARF"] = {"rmse": 1.0, "mae": 1.0, "us_per_row": 1000.0, **MEASURED}
    return found


def verdicts(results: Made) -> list[bool | None]:
    return [bar.passed for bar in bars(results)]


def lost(results: Made, count: int, accuracy: float) -> Made:
    for name in JUDGED[:count]:
        results[name, "kernelstream"]["accuracy"] = accuracy
    return results


def test_twelve_streams_are_judged() -> None:
    assert len(JUDGED) == 12


def test_bars_hold_or_fail_one_by_one() -> None:
    assert verdicts(made()) == [True] * 6
    assert verdicts(made(gap=0.0))[:3] == [False, True, False]
    assert verdicts(lost(made(), 2, 79.5))[:3] == [True, True, True]
    assert verdicts(lost(made(), 3, 79.5))[:3] == [False, True, True]
    assert verdicts(lost(made(), 4, 79.5))[:3] == [False, True, False]
    assert verdicts(lost(made(), 1, 78.9))[:3] == [True, False, True]
    assert verdicts(made(cost=14.9)) == [True, True, True, False, True, True]
    assert verdicts(made(loss=0.45)) == [True, True, True, True, False, True]
    assert verdicts(made(error=1.0)) == [True, True, True, True, True, False]


def test_a_bar_is_open_while_missing_streams_can_change_it() -> None:
    assert verdicts({}) == [None] * 6
    some = {pair: record for pair, record in made().items() if pair[0] not in (*JUDGED[-2:], *REGRESSIONS)}
    assert verdicts(some) == [True, None, True, None, None, None]
    assert verdicts(lost(some, 1, 79.5))[:3] == [None, None, True]
    assert verdicts(lost(some, 3, 78.0))[:3] == [False, False, None]


def test_the_page_shows_losses_and_draws(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    results = lost(made(), 1, 70.0)
    written = write_page(tmp_path, results, bars(results), "100 rows")
    assert {path.name for path in written} == {"streams.md", "streams-ranks.png", "streams-accuracy.png"}
    page = (tmp_path / "streams.md").read_text("utf-8")
    assert f"{JUDGED[0]} -10.0" in page and "**miss**" in page
    assert all(path.stat().st_size > 1000 for path in written)


def test_unknown_names_are_refused_with_those_known(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        command.main(["--learners", "arff"])
    assert "unknown learner arff. Available: kernelstream, " in " ".join(capsys.readouterr().err.split())
