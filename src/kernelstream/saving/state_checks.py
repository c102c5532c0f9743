"""Whether the arrays of a file can be a model's: compiled code trusts counters and numbers without checking them."""

from typing import Any

import numpy as np

from ..core.inverse.class_parts import ClassInverseState
from ..core.job_phases import COPY, FACTORISE, FINISH, IDLE
from ..core.state import Batch, Derived, Expansion, Run, State
from ..output.running_refit import RunningState

# counters, and the array whose last axis each counts
_COUNTS = {"n": "sv", "waiting": "s", "staged": "xx", "seen": "xx", "kept": "history", "filled": "weight"}
# statistics that are NaN where the recipe does not measure them
_UNMEASURED = {f"run.{name}" for name in ("delta", "delta_sum", "error_sum", "error_most", "square_sum")}
_DECISIVE = ("expansion.", "inverse.", "norm.", "batch.", "run.", "function.")
_MOST = 2**53  # examples in a stream


def check_numbers(array: np.ndarray, name: str) -> None:
    """Refuse numbers that are not finite in what makes up the function."""
    decisive = name.startswith(_DECISIVE) and name not in _UNMEASURED
    if decisive and array.dtype.kind == "f" and not np.isfinite(array).all():
        raise ValueError(f"the array {name!r} has values that are not finite")


def check_state(state: Any, path: str = "") -> None:
    """Refuse counters beyond their arrays, and parts that contradict each other. `state` may be a part, at `path`."""
    _check_counts(state)
    if isinstance(state, State):
        _check_expansion(state.expansion)
        _check_batch(state.batch)
        if isinstance(state.inverse, ClassInverseState):
            _check_members(state.inverse, int(state.expansion.n[0]))
        if isinstance(state.output, RunningState):
            _check_running(state.output)
    run = state.run if isinstance(state, State) else state if path == "run" else None
    if run is not None:
        _check_run(run)


def _check_counts(node: Any) -> None:
    if isinstance(node, tuple) and not isinstance(node, Derived):
        for count, counted in _COUNTS.items():
            if hasattr(node, count) and hasattr(node, counted):
                room = getattr(node, counted).shape[-1]
                for number in getattr(node, count)[..., 0].flat:
                    if not 0 <= number <= room:
                        raise ValueError(f"{count} is {number}, but the capacity is {room}")
        for part in node:
            _check_counts(part)


def _check_run(run: Run) -> None:
    for name, array in run._asdict().items():
        if array.dtype.kind == "i" and array.size and not 0 <= array.min() <= array.max() <= _MOST:
            raise ValueError(f"the array 'run.{name}' has values outside 0 … 2^53")
    if run.kept[1] < 1:
        raise ValueError(f"the sizes over time are {run.kept[1]} updates apart")


def _check_batch(batch: Batch) -> None:
    """A mini-batch that is complete does not wait: the next example would be written beyond it."""
    staged, seen, size = int(batch.staged[0]), int(batch.seen[0]), batch.xx.shape[-1]
    if not staged <= seen < size:
        raise ValueError(f"{staged} of {seen} examples wait for the end of a mini-batch of {size}")


def _check_expansion(ex: Expansion) -> None:
    n = int(ex.n[0])
    if not ex.scale[0] > 0.0:
        raise ValueError("the scale of the coefficients is not above 0")
    if not ex.sq[:n].any():
        return  # a fixed basis, or zeros
    squares = np.einsum("ij,ij->j", ex.sv[:, :n], ex.sv[:, :n], dtype=np.float64)
    if not np.allclose(ex.sq[:n], squares, rtol=1e-4):
        raise ValueError("the squared lengths of the support vectors are not theirs")


def _check_members(inverse: ClassInverseState, n: int) -> None:
    """Whether the support vectors of every class are some of n."""
    slots, sizes = inverse.slots, inverse.sizes
    used = np.arange(slots.shape[1]) < sizes
    if sizes.min() < 0 or sizes.max() > n or slots[used].min(initial=0) < 0 or slots[used].max(initial=-1) >= n:
        raise ValueError(f"a class has support vectors that are none of the model's {n}")


def _check_running(own: RunningState) -> None:
    """Whether a running refit can go on: its buffers are not full, and its job is one that it could have begun."""
    for fit in (own.even, own.odd):
        if not 0 <= fit.gathered[0] < len(fit.K):
            raise ValueError(f"{fit.gathered[0]} examples wait for a refit, but there is room for {len(fit.K) - 1}")
        if not (fit.weight[0] > 0.0 and fit.unit[0] > 0.0):
            raise ValueError("the weights of a refit are not above 0")
        if not all(np.isfinite(array).all() for array in fit):
            raise ValueError("the statistics of a refit are not finite")
    current, training = int(own.current[0]), int(own.training[0])
    if not (0 <= current <= 2 and 0 <= training <= 2 and (current != training or current == 0)):
        raise ValueError(f"fits {current} and {training} of a refit do not exist side by side")
    sizes = [0, int(own.even.n[0]), int(own.odd.n[0])]
    phase, position = int(own.job.phase[0]), int(own.job.position[0])
    latest = training or current
    old = sizes[3 - latest] if latest else 0
    carries = IDLE < phase < COPY
    limit = {FACTORISE: old, IDLE: 1, COPY: 1, FINISH: 1}.get(phase, sizes[latest])
    possible = 0 <= phase <= FINISH and 0 <= position < max(limit, 1)
    if not possible or (phase and not sizes[latest]) or (carries and not (training and current and old)):
        raise ValueError(
            f"phase {phase} at {position} is not one of a refit with {sizes[1]} and {sizes[2]} support vectors"
        )
    if own.skipped[0] < 0 or own.since[0] < 0 or own.renew[0] < 0:
        raise ValueError("counters of a refit are below 0")
