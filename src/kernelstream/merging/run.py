"""Clock and record of a run: sums where models are merged, parts where a model goes out to several places."""

from collections.abc import Sequence

from ..core.state import Run, State

_SUMS = ("t", "seen", "active", "lossy", "loss", "maintained", "delta_sum", "error_sum")


def add_runs(state: State, runs: Sequence[Run]) -> None:
    """Let a state go on where several runs ended. The sizes over time are those from now on."""
    own = state.run
    for name in _SUMS:
        getattr(own, name)[0] = sum(getattr(run, name)[0] for run in runs)
    own.history[...], own.kept[:] = 0, (0, 1)
    state.batch.seen[0] = state.batch.staged[0] = 0  # half a mini-batch belongs to the function it was scored by


def divide_run(run: Run, parts: int, index: int) -> None:
    """Keep one of so many equal parts; they add up to the whole."""
    for name in _SUMS:
        whole = getattr(run, name)[0]
        if whole.dtype.kind == "f":
            part = whole / parts
        else:
            part = whole // parts + (index < whole % parts)
        getattr(run, name)[0] = part
