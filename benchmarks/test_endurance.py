"""What the long runs and the kills would notice. Nothing here is compiled or takes long."""

import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np
import pytest

from benchmarks import endurance, kills
from benchmarks.nasty_rows import BLOCK, NastyRows, plain_chunks


def test_nasty_rows_are_what_they_say() -> None:
    stream = NastyRows(pool=5)
    for kind in stream.kinds:
        X, y = kind()
        assert X.shape == (BLOCK, 2) and X.dtype == np.float32 and np.isfinite(X).all()
        assert set(y) == {-1.0, 1.0}
    assert len(np.unique(stream.duplicates()[0], axis=0)) == 1
    assert (np.ptp(stream.constant()[0], axis=1) == 0).all()
    assert len(np.unique(stream.large()[0], axis=0)) == 5
    assert np.abs(stream.large()[0]).max() > 1e5 and np.abs(stream.small()[0]).max() < 1e-4
    assert (np.diff(stream.sorted()[1]) >= 0).all()


def test_a_stream_is_its_seed_whatever_the_chunks() -> None:
    one, other = ([*NastyRows().chunks(7500, size)] for size in (3000, 1000))
    assert [len(X) for X, _ in one] == [3000, 3000, 1500]
    for k in range(2):
        np.testing.assert_array_equal(
            np.concatenate([part[k] for part in one]), np.concatenate([part[k] for part in other])
        )
    assert [len(y) for _, y in plain_chunks(250, 100)] == [100, 100, 50]


class Parts(NamedTuple):
    expansion: tuple = (np.zeros(3),)
    maintenance: tuple = (np.full(2, np.inf),)  # marks pairs that cannot merge
    work: tuple = (np.full(2, np.nan),)  # carries nothing from one call to the next


class Learner(SimpleNamespace):
    """A model as far as the checks look at it."""

    state = Parts()
    nbytes = 10

    def __init__(self) -> None:
        super().__init__(n_support=3, rows=0, score=0.0)

    @classmethod
    def from_recipe(cls, *arguments: Any, **options: Any) -> "Learner":
        return cls()

    def copy(self) -> "Learner":
        return Learner()

    def learn_many(self, X: np.ndarray, y: np.ndarray) -> "Learner":
        self.rows += len(X)
        return self

    def scores_many(self, X: np.ndarray) -> np.ndarray:
        return np.full((len(X), 1), self.score)


def fault(learner: Any) -> str | None:
    return endurance.fault(learner, np.zeros((2, 2)), 5)


def test_what_is_wrong_with_a_model_is_found() -> None:
    learner = Learner()
    assert fault(learner) is None
    learner.state = Parts(expansion=(np.array([1.0, np.inf]),))
    assert fault(learner) == "a number in state.expansion is not finite"
    learner.state = Parts(maintenance=(np.array([np.nan]),))
    assert fault(learner) == "a number in state.maintenance is not finite"
    learner.state = Parts()
    learner.n_support = 6
    assert fault(learner) == "6 support vectors, and at most 5 are allowed"
    learner.score = np.nan
    assert fault(learner) == "a score is not finite"


@pytest.mark.parametrize(("leak", "wrong"), [(0, None), (2, "resident memory has grown from 100.4 to 103.6 MB")])
def test_memory_that_grows_is_found(monkeypatch: pytest.MonkeyPatch, leak: int, wrong: str | None) -> None:
    learned = [0]

    class Leaking(Learner):
        def learn_many(self, X: np.ndarray, y: np.ndarray) -> Learner:
            learned[0] += len(X)
            return self

    monkeypatch.setattr(endurance, "Model", Leaking)
    monkeypatch.setattr(endurance, "resident", lambda: 100_000_010 + leak * learned[0])
    rows = 2_000_000
    endured = endurance.Endured(endurance.SCALE_RUN["bsgd"].recipe, most=5)
    found = endurance.endure(endured, plain_chunks(rows, 100_000), rows, 0.03, lambda what: None)
    assert (found["wrong"], found["passed"]) == (wrong, wrong is None)
    assert found["rows"] == (1_800_000 if leak else rows)


def test_rows_that_are_refused_end_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    class Refusing(Learner):
        def learn_many(self, X: np.ndarray, y: np.ndarray) -> Learner:
            self.rows += len(X)
            if self.rows > 200:
                raise ValueError("too large.")
            return self

    monkeypatch.setattr(endurance, "Model", Refusing)
    endured = endurance.Endured(endurance.SCALE_RUN["bsgd"].recipe, most=5)
    found = endurance.endure(endured, plain_chunks(500, 100), 500, 10.0, lambda what: None)
    assert (found["rows"], found["wrong"]) == (200, "rows 200 to 300 are refused: too large.")
    assert found["passed"] is False


TRAIN = """
import os, sys, time
path = sys.argv[sys.argv.index("--resume" if "--resume" in sys.argv else "-o") + 1]
begin = int(open(path).read()) if "--resume" in sys.argv else 0
if begin > 90:
    sys.exit("as requested")
for row in range(begin, 6):
    time.sleep(0.1)
    with open(path + ".new", "w") as file:
        file.write(str(row + 1))
    os.replace(path + ".new", path)
"""


def test_a_run_is_killed_after_its_checkpoints_and_resumed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(kills, "COMMAND", [sys.executable, "-c", TRAIN])
    job = kills.Job(tmp_path / "data.csv", tmp_path / "m.ks", {})
    assert job.kill_after(0.0) and not job.model.exists()
    assert job.kill_after(0.0, checkpoints=2)
    assert job.model.read_text() in ("2", "3", "4", "5")
    assert not job.kill_after(60.0) and job.model.read_text() == "6"
    job.model.write_text("91")
    with pytest.raises(SystemExit, match="status 1:\nas requested"):
        job.finish()
