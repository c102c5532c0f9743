"""What came of every trial, kept as lines of JSON: a run that was stopped goes on where it was."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from .trial import Trial


class Records:
    """The trials of one experiment that are done, by their key."""

    def __init__(self, path: Path):
        self.path = path
        self._found: dict[str, dict[str, Any]] = {}
        if path.exists():
            for line in path.read_text("utf-8").splitlines():
                try:
                    record = json.loads(line)
                except json.JSONDecodeError:
                    continue  # the last line of a run that was killed
                self._found[record["key"]] = record["outcome"]

    def __len__(self) -> int:
        return len(self._found)

    def __contains__(self, trial: Trial) -> bool:
        return trial.key in self._found

    def of(self, trial: Trial) -> dict[str, Any] | None:
        return self._found.get(trial.key)

    def all_of(self, trials: Iterable[Trial]) -> list[dict[str, Any]] | None:
        """Outcomes of all of them; None if one is not done."""
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
