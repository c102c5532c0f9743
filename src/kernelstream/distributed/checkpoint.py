"""Checkpoints of distributed training: a folder with a file for every step that is done.

`train` is a deterministic function of the results of its steps. So a run that starts again takes the results that the
folder has, computes the rest, and ends with the same model, bit for bit, whatever the steps are.
"""

import copy
import itertools
import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.utils import check_random_state

from ..saving.atomic_write import replace_file
from ..saving.parameter_json import encode
from .backend import Backend
from .step_files import digest, from_bytes, to_bytes
from .survey import Survey

RUN = "run.ks"
LONGEST = 60  # characters of a setting in an error


class CheckpointedBackend:
    """A backend that keeps the results of steps in a folder, and takes from there those that are done.

    The first step, the survey, is always computed: its results describe the data, and a folder of other data is
    refused.
    """

    def __init__(self, backend: Backend, folder: str | os.PathLike[str], estimator: Any, rounds: int):
        self.backend, self.n_partitions, self.numbers = backend, backend.n_partitions, itertools.count()
        self.folder = Path(folder)
        if self.folder.exists() and not self.folder.is_dir():
            raise ValueError(f"checkpoint is {self.folder}, which is not a folder. Give the path of a folder.")
        self.settings = _settings(estimator, backend, rounds)
        self.found = self._read(RUN, "run")
        seed = estimator.random_state
        if not isinstance(seed, (int, np.integer)):  # drawn once, and then that of the folder
            seed = self.found["seed"] if self.found else check_random_state(seed).randint(2**31 - 1)
        self.seed = int(seed)
        if self.found:
            self._compare(self.settings, self.found["settings"])

    def map(self, task: Callable[..., Any], *arguments: Any) -> list[Any]:
        results: list[Any] = self._step(task.__name__, lambda: self.backend.map(task, *arguments))
        return results

    def map_reduce(self, task: Callable[..., Any], join: Callable[[Sequence[Any]], Any], *arguments: Any) -> Any:
        return self._step(task.__name__, lambda: self.backend.map_reduce(task, join, *arguments))

    def keep(self, nbytes: int, task: Callable[..., Any], *arguments: Any) -> "CheckpointedBackend | None":
        """What is kept is no result: it is made again, from partitions that the survey has found unchanged."""
        kept = self.backend.keep(nbytes, task, *arguments)
        if kept is None:
            return None
        own = copy.copy(self)
        own.backend = kept
        return own

    def _step(self, name: str, compute: Callable[[], Any]) -> Any:
        number = next(self.numbers)
        if number == 0:
            return self._described(compute())
        step = f"{number:04d}-{name}"
        found = self._read(f"{step}.ks", step)
        if found is None:
            found = compute()
            replace_file(self.folder / f"{step}.ks", to_bytes(step, found))
        return found

    def _described(self, survey: Survey) -> Survey:
        """The result of the survey, if the data is that of the folder; of a new folder it is, from now on."""
        data = {f"partition {i}": [rows, ""] for i, rows in sorted(survey.partitions.items())}
        if survey.sample is not None:
            owner = survey.sample.place[:, 0]
            for i in np.unique(owner).tolist():
                data[f"partition {i}"][1] = digest(survey.sample.take(np.flatnonzero(owner == i)))
        if self.found is None:
            self.folder.mkdir(parents=True, exist_ok=True)
            if any(self.folder.glob("[0-9]*.ks")):
                raise ValueError(
                    f"The checkpoint {self.folder} has steps, but {RUN}, which says of what, is missing. Delete the "
                    "folder, or give another one."
                )
            run = {"settings": self.settings, "data": data, "seed": self.seed}
            replace_file(self.folder / RUN, to_bytes("run", run))
        else:
            now, then = (
                {name: f"of {rows:,} rows" for name, (rows, _) in d.items()} for d in (data, self.found["data"])
            )
            self._compare(now, then)
            changed = [name for name in data if list(data[name]) != list(self.found["data"][name])]
            if changed:
                raise self._refused(f"rows of {changed[0]} have changed")
        return survey

    def _compare(self, now: dict[str, Any], then: dict[str, Any]) -> None:
        for name in [*now, *then]:
            if now.get(name) != then.get(name):
                shown = [repr(each.get(name)) for each in (now, then)]
                if max(map(len, shown)) > LONGEST:
                    raise self._refused(f"{name} is another one")
                raise self._refused(f"{name} is {shown[0]}, and was {shown[1]} there")

    def _refused(self, why: str) -> ValueError:
        return ValueError(
            f"The checkpoint {self.folder} is of another run: {why}. Start this run as that one, or give another "
            "folder."
        )

    def _read(self, file: str, step: str) -> Any:
        path = self.folder / file
        return from_bytes(path.read_bytes(), step, str(path)) if path.exists() else None


def _settings(estimator: Any, backend: Backend, rounds: int) -> dict[str, Any]:
    """What the result depends on, besides the data. Bits may differ between versions."""
    from .. import __version__

    try:
        parameters = {name: encode(value) for name, value in estimator.get_params(deep=False).items()}
    except ValueError as error:
        raise ValueError(
            f"Without checkpoint= this estimator can be trained, but its steps cannot be saved: {error}"
        ) from None
    if not isinstance(estimator.random_state, (int, np.integer)):
        parameters["random_state"] = None
    return {
        "kernelstream": __version__,
        "estimator": type(estimator).__name__,
        "rounds": rounds,
        "the number of partitions": backend.n_partitions,
        "fan_in": getattr(backend, "fan_in", None),
        **parameters,
    }
