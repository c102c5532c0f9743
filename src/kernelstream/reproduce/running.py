"""Trials in parallel, with progress; finished trials are not repeated."""

import multiprocessing
import os
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from contextlib import contextmanager
from typing import Any, NamedTuple

from .experiment import Cell
from .trial import Trial
from .trial_records import TrialRecords, chosen


class ReproduceProgress(NamedTuple):
    """After a trial: how many are finished, of how many in all (those of the grid, and the repeats of its best)."""

    done: int
    total: int
    cell: Cell


def run(cells: Iterable[Cell], records: Callable[[Cell], TrialRecords], workers: int) -> Iterator[ReproduceProgress]:
    """Run the unfinished trials of these cells, in the order of the cells.

    Parameters
    ----------
    cells : iterable of Cell
        What to run.
    records : function
        The records of a cell.
    workers : int
        Processes at a time.
    """
    wanted = [cell for cell in cells if cell.lacking is None]
    total = sum(_count(cell) for cell in wanted)
    todo = _Todo(wanted, records)
    done = total - sum(1 for _ in _missing(wanted, records))
    with _pool(workers) as pool:
        under_way: dict[Future[dict[str, Any]], tuple[Cell, Trial]] = {}
        while True:
            while len(under_way) < workers and (following := todo.next()):
                under_way[pool.submit(_outcome, following[1])] = following
            if not under_way:
                return
            finished, _ = wait(under_way, return_when=FIRST_COMPLETED)
            for future in finished:
                cell, trial = under_way.pop(future)
                records(cell).add(trial, future.result())
                todo.finished(trial)
                done += 1
                yield ReproduceProgress(min(done, total), total, cell)


def _outcome(trial: Trial) -> dict[str, Any]:
    """The result of a trial. A failure is a result too: one bad candidate must not end the search."""
    try:
        return trial.run()
    except (ValueError, MemoryError, FloatingPointError) as error:
        return {"failure": f"{type(error).__name__}: {error}"}


class _Todo:
    """Trials that can be started: first those that tune, then the final ones."""

    def __init__(self, cells: list[Cell], records: Callable[[Cell], TrialRecords]):
        self._records = records
        self._cells = deque(enumerate(cells))
        self._ready: deque[tuple[Cell, Trial]] = deque()
        self._waiting: dict[int, set[str]] = {}  # by index of a cell: keys of the tuning trials that it waits for
        self._kept = dict(enumerate(cells))
        self._begun: set[tuple[str, str]] = set()

    def next(self) -> tuple[Cell, Trial] | None:
        while not self._ready and self._cells:
            self._open(*self._cells.popleft())
        return self._ready.popleft() if self._ready else None

    def finished(self, trial: Trial) -> None:
        for key in [key for key, trials in self._waiting.items() if trial.key in trials]:
            cell, trials = self._kept[key], self._waiting[key]
            trials.discard(trial.key)
            if not trials:
                del self._waiting[key]
                self._add_finals(cell)

    def _open(self, index: int, cell: Cell) -> None:
        if chosen(cell, self._records(cell)) is not None:
            self._add_finals(cell)
            return
        tuning_trials = [trial for candidate in cell.candidates() for trial in cell.tuning_trials(candidate)]
        missing = [trial for trial in tuning_trials if trial not in self._records(cell)]
        self._waiting[index] = {trial.key for trial in missing}
        self._add(cell, missing)

    def _add_finals(self, cell: Cell) -> None:
        best = chosen(cell, self._records(cell))
        assert best is not None
        self._add(cell, [trial for trial in cell.final_trials(best) if trial not in self._records(cell)])

    def _add(self, cell: Cell, trials: list[Trial]) -> None:
        for trial in trials:
            # two cells of an experiment may need the same trial, such as a method without a budget
            if (cell.experiment, trial.key) not in self._begun:
                self._begun.add((cell.experiment, trial.key))
                self._ready.append((cell, trial))


def _count(cell: Cell) -> int:
    candidates = cell.candidates()
    return cell.repeats + (len(candidates) * cell.folds if len(candidates) > 1 else 0)


def _missing(cells: list[Cell], records: Callable[[Cell], TrialRecords]) -> Iterator[None]:
    for cell in cells:
        kept, candidates = records(cell), cell.candidates()
        if len(candidates) > 1:
            for candidate in candidates:
                yield from (None for trial in cell.tuning_trials(candidate) if trial not in kept)
        best = chosen(cell, kept)
        yield from (None for trial in cell.final_trials(best or {}) if best is None or trial not in kept)


def _leave_with_parent() -> None:
    """End this process when its parent ends, also when the parent is killed."""
    parent = multiprocessing.parent_process()
    assert parent is not None

    def follow() -> None:
        parent.join()
        os._exit(1)

    threading.Thread(target=follow, daemon=True).start()


@contextmanager
def _pool(workers: int) -> Iterator[ProcessPoolExecutor]:
    # spawned on every platform: threads of BLAS or numba do not survive a fork
    before = os.environ.get("OMP_NUM_THREADS")
    os.environ["OMP_NUM_THREADS"] = "1"  # the processes already use all cores
    try:
        context = multiprocessing.get_context("spawn")
        with ProcessPoolExecutor(workers, context, initializer=_leave_with_parent) as pool:
            yield pool
    finally:
        if before is None:
            del os.environ["OMP_NUM_THREADS"]
        else:
            os.environ["OMP_NUM_THREADS"] = before
