"""Checkpoints of distributed training: a folder with a file for every step that is done.

`train` is a deterministic function of the results of its steps. So a run that starts again takes the results that the
folder has, computes the rest, and ends with the same model, bit for bit, whatever the steps are.
"""

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

RUN = "run.ks"
LONGEST = 60  # characters of a setting in an error


class CheckpointedBackend:
    """A backend that keeps the results of steps in a folder, and takes from there those that are done.

    The first step, the survey, is always computed: its results describe the data, and a folder of other data is
    refused.
    """

    def __init__(self, backend: Backend, folder: str | os.PathLike[str], estimator: Any, rounds: int):
        self.backend, self.n_partitions, self.done = backend, backend.n_partitions, 0
        self.run = ""
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
        return self.map_on(self.backend, task, *arguments)

    def map_reduce(self, task: Callable[..., Any], join: Callable[[Sequence[Any]], Any], *arguments: Any) -> Any:
        return self.map_reduce_on(self.backend, task, join, *arguments)

    def map_on(self, backend: Backend, task: Callable[..., Any], *arguments: Any) -> list[Any]:
        """A step on this backend or on what it has kept."""
        results: list[Any] = self._step(task.__name__, lambda: backend.map(task, *arguments))
        return results

    def map_reduce_on(
        self, backend: Backend, task: Callable[..., Any], join: Callable[[Sequence[Any]], Any], *arguments: Any
    ) -> Any:
        # named after the join: tasks that read rows again or find them kept have the same results
        return self._step(join.__name__, lambda: backend.map_reduce(task, join, *arguments))

    def keep(self, nbytes: int, task: Callable[..., Any], *arguments: Any) -> "_Kept | None":
        kept = self.backend.keep(nbytes, task, *arguments)  # not a step: it is computed again from the data
        return None if kept is None else _Kept(self, kept)

    def _step(self, name: str, compute: Callable[[], Any]) -> Any:
        number, self.done = self.done, self.done + 1
        if number == 0:
            return self._described(compute())
        file = f"{number:04d}-{name}.ks"
        step = f"{file} of {self.run}"  # a file that was renamed, or copied from another run, is not taken
        found = self._read(file, step)
        if found is None:
            found = compute()
            replace_file(self.folder / file, to_bytes(step, found))
        return found

    def _described(self, survey: Any) -> Any:
        """The result of the survey, if the data is that of the folder; of a new folder it is, from now on."""
        data = {"the number of rows": survey.rows, "the digest of a sample of the rows": digest(survey)}
        run = {"settings": self.settings, "data": data, "seed": self.seed}
        self.run = digest(run)
        if self.found is not None:
            self._compare(data, self.found["data"])
            return survey
        self.folder.mkdir(parents=True, exist_ok=True)
        if any(self.folder.glob("[0-9]*.ks")):
            raise ValueError(
                f"The checkpoint {self.folder} has steps, but {RUN}, which says of what, is missing. Delete the "
                "folder, or give another one."
            )
        replace_file(self.folder / RUN, to_bytes("run", run))
        return survey

    def _compare(self, now: dict[str, Any], then: dict[str, Any]) -> None:
        for name in [*now, *then]:
            if now.get(name) != then.get(name):
                shown = [repr(each.get(name)) for each in (now, then)]
                if max(map(len, shown)) > LONGEST:
                    raise self._refused(f"{name} has changed")
                raise self._refused(f"{name} is {shown[0]}, and was {shown[1]} there")

    def _refused(self, why: str) -> ValueError:
        return ValueError(
            f"The checkpoint {self.folder} is of another run: {why}. Start this run as that one, or give another "
            "folder."
        )

    def _read(self, file: str, step: str) -> Any:
        path = self.folder / file
        return from_bytes(path.read_bytes(), step, str(path)) if path.exists() else None


class _Kept:
    """What the backend of a run has kept, with steps of the same run."""

    def __init__(self, run: CheckpointedBackend, backend: Backend):
        self.run, self.backend, self.n_partitions = run, backend, backend.n_partitions

    def map(self, task: Callable[..., Any], *arguments: Any) -> list[Any]:
        return self.run.map_on(self.backend, task, *arguments)

    def map_reduce(self, task: Callable[..., Any], join: Callable[[Sequence[Any]], Any], *arguments: Any) -> Any:
        return self.run.map_reduce_on(self.backend, task, join, *arguments)

    def keep(self, nbytes: int, task: Callable[..., Any], *arguments: Any) -> "_Kept | None":
        kept = self.backend.keep(nbytes, task, *arguments)
        return None if kept is None else _Kept(self.run, kept)


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
