"""A small experiment, and trials that need no engine."""

from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import pytest

from kernelstream.reproduce import Trial, running
from kernelstream.reproduce.experiment import ExperimentSize, _read

TEXT = {
    "paper": "polk",
    "name": "small",
    "title": "A small table",
    "measure": "accuracy",
    "version": "bpegasos",
    "hindsight": "the fields were four at first.",
    "all": {"repeats": 2, "folds": 2, "tuning": 500},
    "methods": {
        "merging": {"recipe": "bsgd", "maintenance": "merge", "budget": "B", "grid": {"width": [1.0, 4.0]}},
        "removal": {"recipe": "bsgd", "maintenance": "smallest", "budget": "B", "width": 4.0},
    },
    "data": {"checkerboard": {"rows": 1000}, "gisette": {"lacking": "gisette is not here"}},
    "special": [{"method": "removal", "at": 500, "lam": 0.5}],
    "notes": [{"method": "removal", "text": "It forgets."}],
    "published": [
        {
            "columns": ["data", "budget", "merging", "removal"],
            "rows": [
                ["checkerboard", 100, 99.5, 83.9],
                ["checkerboard", 500, 99.8, 90.9],
                ["gisette", 100, 90.0, 80.0],
            ],
        }
    ],
}


@pytest.fixture
def small():
    return _read(TEXT, ExperimentSize("full"))


@pytest.fixture
def played(monkeypatch):
    """Trials that are played, not run: wider kernels do worse, and every trial is noted."""
    ran = []

    def outcome(trial):
        ran.append(trial)
        right = 100.0 - trial.recipe["width"] - 0.1 * trial.seed
        return {"accuracy": right, "svs": trial.recipe["budget"], "seconds": 1.0, "bytes": 1000, "examples": 1000}

    @contextmanager
    def pool(workers):
        with ThreadPoolExecutor(1) as threads:
            yield threads

    monkeypatch.setattr(Trial, "run", outcome)
    monkeypatch.setattr(running, "_pool", pool)
    return ran
