"""Results of trials as lines of JSON, from which an interrupted run resumes, and the best candidate of a grid."""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from statistics import mean
from typing import Any

from .experiment import Cell
from .trial import Trial

HIGHER = {"accuracy"}  # measures of which more is better


class TrialRecords:
    """Results of the finished trials of one experiment, by key.

    Parameters
    ----------
    path : path
        The file, one line of JSON for each trial.
    """

    def __init__(self, path: Path):
        self.path = path
        self._found: dict[str, dict[str, Any]] = {}
        if path.exists():
            for line in path.read_text("utf-8").splitlines():
                try:
                    record = json.loads(line)
                except json.JSONDecodeError:
                    continue  # the last line of a killed run
                self._found[record["key"]] = record["outcome"]

    def __len__(self) -> int:
        return len(self._found)

    def __contains__(self, trial: Trial) -> bool:
        return trial.key in self._found

    def of(self, trial: Trial) -> dict[str, Any] | None:
        return self._found.get(trial.key)

    def all_of(self, trials: Iterable[Trial]) -> list[dict[str, Any]] | None:
        """Outcomes of all these trials; None if one is not finished."""
        found = [self._found.get(trial.key) for trial in trials]
        return None if any(outcome is None for outcome in found) else [outcome for outcome in found if outcome]

    def add(self, trial: Trial, outcome: dict[str, Any]) -> None:
        self._found[trial.key] = outcome
        self.path.parent.mkdir(parents=True, exist_ok=True)
        record = {"key": trial.key, "trial": _described(trial), "outcome": outcome}
        with self.path.open("a", encoding="utf-8") as file:
            # a killed run may have left half a line: a new one begins after it
            file.write(("\n" if _cut_short(self.path) else "") + json.dumps(record) + "\n")


def _cut_short(path: Path) -> bool:
    with path.open("rb") as file:
        if file.seek(0, 2) == 0:
            return False
        file.seek(-1, 2)
        return file.read(1) != b"\n"


def _described(trial: Trial) -> dict[str, Any]:
    return {name: value for name, value in vars(trial).items() if value not in (None, (), 0)} | {"seed": trial.seed}


def chosen(cell: Cell, records: TrialRecords) -> Mapping[str, Any] | None:
    """The candidate with the best score on held-out rows, the first of equals; None until all candidates were tried.

    With `near`, the smallest model whose score is that close to the best.
    """
    candidates = cell.candidates()
    if len(candidates) == 1:
        return candidates[0]
    scores, sizes = [], []
    for candidate in candidates:
        outcomes = records.all_of(cell.tuning_trials(candidate))
        if outcomes is None:
            return None
        scores.append(_score(cell, outcomes))
        sizes.append(mean(outcome.get("svs", 0) for outcome in outcomes) if cell.near else 0.0)
    enough = max(scores) - cell.near
    return candidates[max(range(len(scores)), key=lambda i: (scores[i] >= enough, -sizes[i], scores[i]))]


def _score(cell: Cell, outcomes: list[dict[str, Any]]) -> float:
    """Larger is better; a failed candidate is never chosen."""
    values = [outcome.get(cell.measure) for outcome in outcomes]
    known = [value for value in values if value is not None and value == value]
    if len(known) < len(values):
        return float("-inf")
    return mean(known) if cell.measure in HIGHER else -mean(known)
