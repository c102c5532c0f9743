"""The counters of a run, split among several models and summed again."""

from collections.abc import Sequence

from ..core.state import Run, State

_SUMS = (
    "t", "seen", "active", "lossy", "loss", "large", "weighted", "travel", "maintained", "delta_sum", "error_sum",
    "square_sum",
)  # fmt: skip


def split_counters(run: Run, parts: int, index: int) -> None:
    """Keep one of `parts` equal parts of each counter; they add up to the whole."""
    for name in _SUMS:
        whole = getattr(run, name)[0]
        if whole.dtype.kind == "f":
            part = whole / parts
        else:
            part = whole // parts + (index < whole % parts)
        getattr(run, name)[0] = part
    run.intact[0] = 0.0


def sum_counters(state: State, runs: Sequence[Run]) -> None:
    """Continue a state with the counters of several runs. The recorded history of sizes starts anew."""
    own = state.run
    for name in _SUMS:
        getattr(own, name)[0] = sum(getattr(run, name)[0] for run in runs)
    own.error_most[0] = max(run.error_most[0] for run in runs)
    own.intact[0] = 0.0
    own.history[...], own.kept[:] = 0, (0, 1)
    state.batch.seen[0] = state.batch.staged[0] = 0  # an unfinished mini-batch was scored by another function
