"""The benchmark of `fit`, told nothing: which rows are judged, how they are scaled, its records, tables and bars."""

import bz2
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from benchmarks.untuned import __main__ as command
from benchmarks.untuned import learners, sets
from benchmarks.untuned.bars import bars
from benchmarks.untuned.learners import Fitted, Learner
from benchmarks.untuned.running import Figure, Figures, every, figures
from benchmarks.untuned.sets import CAP, SETS, Rows, judged_half, judged_rows, split
from benchmarks.untuned.tables import scores, seconds


def write_rows(path: Path, X: np.ndarray, y: np.ndarray) -> None:
    lines = (f"{t:g} " + " ".join(f"{j + 1}:{v:.9g}" for j, v in enumerate(x)) for x, t in zip(X, y, strict=True))
    path.write_bytes(bz2.compress("\n".join(lines).encode() + b"\n"))


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Made-up files under the names of real sets."""
    monkeypatch.setenv("KERNELSTREAM_DATA", str(tmp_path))
    rng = np.random.default_rng(0)
    X = rng.normal(3.0, 5.0, size=(900, 3))
    write_rows(tmp_path / "space_ga.bz2", X, 100.0 + 7.0 * np.sin(X[:, 0] / 3.0))
    write_rows(tmp_path / "skin_nonskin.bz2", X, np.where(X[:, 0] > 3.0, 2, 1))
    write_rows(tmp_path / "covtype.bz2", X, np.digitize(X[:, 0], [0.0, 5.0]) + 1)
    # every row is named by its first feature; the test rows have one feature more
    write_rows(tmp_path / "dna.bz2", np.column_stack([np.arange(60.0)] * 2), np.arange(60) % 3)
    write_rows(tmp_path / "dna.t.bz2", np.column_stack([np.arange(60.0, 101.0)] * 3), np.arange(60, 101) % 3)
    judged_rows.cache_clear()
    yield tmp_path
    judged_rows.cache_clear()


class Spy:
    """Fits nothing, and scores what it is told to."""

    made = 0

    def score(self, X: np.ndarray, y: np.ndarray) -> float:
        return 0.5


@pytest.fixture
def spies(monkeypatch: pytest.MonkeyPatch) -> None:
    def fit(rows: Rows, regression: bool, seed: int, budget: int) -> Fitted:
        Spy.made += 1
        return Spy(), {"seed": seed, "budget": budget}

    def broken(rows: Rows, regression: bool, seed: int, budget: int) -> Fitted:
        raise ZeroDivisionError("no trees")

    made = [Learner(name, "made up", fit, ours=name != "HGB", versions=()) for name in ("default", "tuned", "HGB")]
    monkeypatch.setattr(learners, "LEARNERS", {each.name: each for each in made} | {"SVC": Learner("SVC", "", broken)})
    monkeypatch.setattr(learners, "beginning", lambda rows, regression: rows)
    Spy.made = 0


def run(folder: Path, *words: str) -> int:
    return command.main(["--records", str(folder / "untuned.jsonl"), *words])


def test_there_are_seventeen_sets_of_which_five_are_regressions() -> None:
    assert len(SETS) == 17 and sum(each.regression for each in SETS.values()) == 5


def test_rows_used_for_design_are_never_judged(folder: Path) -> None:
    X, y = judged_rows(SETS["dna"])
    design = np.random.default_rng(12345).permutation(101)[:50]  # over both files, in their order
    names = X[:, 0].toarray().ravel().astype(int)
    assert sorted([*names, *design]) == list(range(101)) and X.shape == (51, 3)
    np.testing.assert_array_equal(y, names % 3)
    for shuffle in (1, 2, 3):
        rows = split(SETS["dna"], shuffle)
        assert (len(rows.y_train), len(rows.y_test)) == (34, 17)
    assert len(judged_half(100_001)) == 50_001


def test_no_more_rows_than_the_cap(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert CAP == 20_000
    monkeypatch.setattr(sets, "CAP", 100)
    rows = split(SETS["skin"], 1)
    assert (len(rows.y_train), len(rows.y_test)) == (100, 100)
    assert not np.array_equal(rows.X_train, split(SETS["skin"], 2).X_train)
    np.testing.assert_array_equal(rows.X_train, split(SETS["skin"], 1).X_train)
    # no row is both learned and tested
    assert len(np.unique(np.vstack([rows.X_train, rows.X_test])[:, 0])) == 200


def test_rows_are_scaled_by_those_that_are_learned(folder: Path) -> None:
    rows = split(SETS["space_ga"], 1)
    for values in (rows.X_train, rows.y_train):
        np.testing.assert_allclose(values.mean(axis=0), 0.0, atol=1e-9)
        np.testing.assert_allclose(values.std(axis=0), 1.0)
    assert (np.abs(rows.X_test.mean(axis=0)) > 1e-6).all()


def test_a_class_is_told_from_all_others(folder: Path) -> None:
    rows = split(SETS["covtype"], 1)
    assert set(rows.y_train) == {0, 1} and 0.2 < rows.y_train.mean() < 0.5


def test_the_real_learners_learn(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    names = "default,tuned,hgb,svc"
    words = ["--sets", "skin,space_ga", "--shuffles", "1", "--learners", names, "--json", str(folder / "found.json")]
    assert run(folder, *words) == 0
    found = [json.loads(line) for line in (folder / "untuned.jsonl").read_text("utf-8").splitlines()]
    assert len(found) == 8 and all(record["score"] > 85.0 and record["seconds"] > 0.0 for record in found)
    (machine,) = (record for record in found if (record["learner"], record["stream"]) == ("SVC", "skin"))
    assert machine["C"] in learners.GRID_C and round(machine["gamma"], 6) in learners.GRID_GAMMA
    assert machine["seconds"] >= machine["search"] + machine["last_fit"]
    told = " ".join(capsys.readouterr().out.split())
    assert "tuned-500" in told and "open" in told and "pass" not in told and "miss" not in told
    written = json.loads((folder / "found.json").read_text("utf-8"))["results"]
    assert len([line for line in written if line["part"] == "fit"]) == 8


def test_what_is_recorded_is_not_measured_again(folder: Path, spies: None) -> None:
    words = ["--sets", "skin", "--learners", "tuned,hgb", "--shuffles", "2"]
    assert run(folder, *words) == 0
    first = Spy.made
    assert run(folder, *words) == 0 and Spy.made == first
    run(folder, *words, "--budgets", "500,2000")  # only the new budget: two shuffles, each with its rehearsal
    assert Spy.made == first + 4
    run(folder, *words, "--again")
    assert Spy.made == 2 * first + 4
    assert run(folder, "--sets", "skin", "--learners", "tuned", "--shuffles", "3") == 0
    assert Spy.made == 2 * first + 6


def test_a_learner_that_fails_does_not_end_the_run(
    folder: Path, spies: None, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(folder, "--sets", "skin", "--learners", "svc,hgb", "--shuffles", "1") == 1
    assert "SVC failed on skin: ZeroDivisionError: no trees" in capsys.readouterr().out
    assert len((folder / "untuned.jsonl").read_text("utf-8").splitlines()) == 1


def test_what_is_absent_is_said(folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    monkeypatch.setattr("benchmarks.untuned.learners.find_spec", lambda name: None)
    assert run(folder, "--sets", "a9a", "--learners", "lightgbm") == 0
    monkeypatch.delenv("KERNELSTREAM_DATA")
    assert run(folder, "--sets", "a9a", "--learners", "lightgbm") == 0
    told = " ".join(capsys.readouterr().out.split())
    assert "LightGBM is left out: lightgbm is not installed." in told
    assert "it needs a9a.bz2 and a9a.t.bz2, but the folder" in told and "KERNELSTREAM_DATA is not set." in told


@pytest.mark.parametrize("wrong", [["--sets", "a9b"], ["--learners", "x"], ["--budgets", "many"], ["--shuffles", "0"]])
def test_wrong_words_are_refused(wrong: list[str]) -> None:
    with pytest.raises(SystemExit):
        command.main(wrong)


def made(
    gain: float = 3.0, trees: float = -1.0, machine: float = -0.5, cost: float = 20.0, more: float = 0.1
) -> Figures:
    """Figures in which the others are so much better or worse than 80 everywhere."""
    found: Figures = {}
    for name in SETS:
        for label, score, time in (
            ("tuned-500", 80.0, 5.0), ("default-500", 80.0 - gain, 1.0), ("HGB", 80.0 + trees, 1.0),
            ("SVC", 80.0 + machine, 5.0 * cost), ("tuned-2000", 80.0 + more, 9.0),
        ):  # fmt: skip
            found[name, label] = Figure((score,) * 3, (time,) * 3, (time / 2.0,) * 3, 15_000)
    return found


def verdicts(found: Figures, shuffles: int = 3, larger: int | None = 2000) -> list[bool | None]:
    return [bar.passed for bar in bars(found, 500, larger, shuffles)]


def changed(found: Figures, count: int, label: str, score: float) -> Figures:
    """The same with another score of one learner on the first sets."""
    some = {(name, label): found[name, label]._replace(scores=(score,) * 3) for name in list(SETS)[:count]}
    return found | some


def test_bars_hold_or_fail_one_by_one() -> None:
    assert verdicts(made()) == [True] * 8 and len(verdicts(made(), larger=None)) == 7
    assert verdicts(made(gain=0.4))[:3] == [False, False, True]
    assert verdicts(made(gain=1.0))[:3] == [True, False, True]
    assert verdicts(changed(made(), 1, "default-500", 80.31))[:3] == [True, True, False]
    assert verdicts(changed(made(), 8, "HGB", 85.0))[3:5] == [True, True]
    assert verdicts(changed(made(), 9, "HGB", 80.0))[3:5] == [False, True]  # equal is not ahead
    assert verdicts(changed(made(), 1, "HGB", 85.1))[3:5] == [True, False]
    assert verdicts(changed(made(), 2, "SVC", 90.0))[5] is True
    assert verdicts(changed(made(), 3, "SVC", 81.1))[5] is False
    assert verdicts(made(cost=9.9))[6] is False
    assert verdicts(made(more=-0.19))[7] is True and verdicts(made(more=-0.21))[7] is False


def test_time_counts_on_sets_with_many_rows_only() -> None:
    small = {pair: figure._replace(rows=10_000) for pair, figure in made(cost=1.0).items() if pair[0] != "a9a"}
    assert verdicts({**made(cost=30.0), **small})[6] is True


def test_a_bar_is_open_while_missing_sets_or_shuffles_can_change_it() -> None:
    assert verdicts({}) == [None] * 8 and verdicts(made(), shuffles=2) == [None] * 8
    some = {pair: figure for pair, figure in made().items() if pair[0] not in ("bike", "fried")}
    assert verdicts(some) == [None, None, None, True, None, True, None, None]
    assert verdicts(changed(some, 1, "default-500", 90.0))[:3] == [None, None, False]


def test_figures_need_every_shuffle_and_ours_every_budget() -> None:
    record = {"stream": "a9a", "learner": "HGB", "score": 1.0, "seconds": 2.0, "n": 5}
    assert figures([record, {**record, "score": 3.0}], 2)["a9a", "HGB"].score == 2.0
    assert figures([record], 2) == {}
    wanted = every(["a9a"], ["tuned", "HGB"], [500, 2000], 2)
    assert [each.label for each in wanted] == ["tuned-500", "tuned-2000", "HGB"] * 2


def test_tables_show_scores_differences_and_seconds() -> None:
    columns, rows = scores(made(), 500)
    assert len(rows) == 17 and len(columns) == 1 + 5 + 4
    assert rows[0] == ["a9a", "80.00", "77.00", "79.00", "79.50", "80.10", "+3.00", "+1.00", "+0.50", "-0.10"]
    assert seconds(made())[1][0] == ["a9a", "15,000", "5.00", "1.00", "1.00", "100.00", "9.00"]
