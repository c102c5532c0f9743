"""The complete state of a learner, as NamedTuples of arrays: allocated once, copied to grow, counted in bytes.

Single numbers are arrays of length 1, so that compiled code changes them in place and Python reads them at once.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from .strategy import Dims
from .types import Own

HISTORY = 512  # points kept of the number of SVs over time


class Expansion(NamedTuple):
    """f(·) = scale · Σ_{j<n} coef[:, j] κ(sv[:, j], ·), the SVs on the last axis, so that loops over them vectorise."""

    sv: np.ndarray  # (d, capacity)
    sq: np.ndarray  # ‖x_j‖²
    diag: np.ndarray  # κ(x_j, x_j)
    coef: np.ndarray  # (c, capacity), float64
    age: np.ndarray  # lower for one that came earlier
    n: np.ndarray
    scale: np.ndarray  # one factor for all, so that a decay costs O(1)


class Scratch(NamedTuple):
    """Buffers that a kernel may use while it computes a row. Predictions have their own: threads may share a model."""

    wide: np.ndarray  # (capacity,) float64
    x: np.ndarray  # (d,)
    z: np.ndarray  # (d,)
    indices: np.ndarray  # indices of the non-zero features of a dense row with few of them,
    values: np.ndarray  # and their values


class Work(NamedTuple):
    """Buffers for the current example."""

    row: np.ndarray  # κ(x_j, x) for all SVs; reordered with them
    column: np.ndarray  # kernel values of some SV, or of a point between two
    weight: np.ndarray  # (capacity,) float64
    point: np.ndarray  # (d,) the point whose kernel values are in `column`
    f: np.ndarray  # f(x)
    g: np.ndarray  # ∂ℓ/∂f(x)
    a: np.ndarray  # a coefficient being added or removed
    stop: np.ndarray  # not 0 if another thread asks the loop to stop for a moment


class Batch(NamedTuple):
    """Examples that wait for the end of their mini-batch."""

    x: np.ndarray  # (m, d)
    xx: np.ndarray
    b: np.ndarray  # (c, m) share of the mean gradient
    loss: np.ndarray
    curve: np.ndarray  # ‖g‖² κ(x, x)
    verdict: np.ndarray  # ADD or FOLD
    seen: np.ndarray
    staged: np.ndarray


class Run(NamedTuple):
    """Time, random state, and statistics of the run."""

    t: np.ndarray  # updates
    seen: np.ndarray  # examples
    rng: np.ndarray
    eta: np.ndarray  # the last step's length
    active: np.ndarray  # updates that had a gradient
    added: np.ndarray  # support vectors added by the current update
    lossy: np.ndarray  # examples with a loss
    loss: np.ndarray  # their sum of losses
    large: np.ndarray  # examples with a loss of 1 or more: with a hinge loss, the mistakes
    weighted: np.ndarray  # examples with a weight other than 1
    passes: np.ndarray  # over the same rows, if a fit has made several
    travel: np.ndarray  # Σ ‖s_t‖²/η_t, s_t what was added to f
    maintained: np.ndarray  # steps of budget maintenance,
    delta: np.ndarray  # the last ‖Δ_t‖ = ‖f_before − f_after‖,
    delta_sum: np.ndarray  # Σ ‖Δ_t‖,
    error_sum: np.ndarray  # Σ ‖Δ_t‖/η_t, the gradient errors of BPegasos Theorem 1,
    error_most: np.ndarray  # the largest of these,
    square_sum: np.ndarray  # and Σ ‖Δ_t‖²/η_t
    intact: np.ndarray  # 1 as long as f is the result of this run alone
    history: np.ndarray  # (2, HISTORY): t and n, every `stride` updates
    kept: np.ndarray  # the number of points in it, and their stride


class State(NamedTuple):
    """All of a learner: f, buffers, statistics, and the own state of every strategy."""

    expansion: Expansion
    scratch: Scratch
    work: Work
    batch: Batch
    run: Run
    inverse: Own
    norm: Own
    admission: Own
    maintenance: Own
    bound: Own
    output: Own
    look_ahead: Own


# parts that carry nothing from one call to the next, and are not saved
PASSING = ("scratch", "work", "look_ahead")


def one(value: Any = 0, dtype: Any = np.float64) -> np.ndarray:
    return np.full(1, value, dtype)


def scratch(dims: Dims) -> Scratch:
    cap, d, dtype = dims.capacity, dims.features, dims.dtype
    return Scratch(
        np.zeros(cap), np.zeros(d, dtype), np.zeros(d, dtype), np.zeros(d // 4, np.int32), np.zeros(d // 4, dtype)
    )


def allocate(recipe: Any, dims: Dims) -> State:
    """A fresh state: f = 0."""
    cap, d, c, dtype, m = dims.capacity, dims.features, dims.outputs, dims.dtype, dims.batch
    integer = np.int64
    return State(
        Expansion(
            sv=np.zeros((d, cap), dtype), sq=np.zeros(cap), diag=np.zeros(cap), coef=np.zeros((c, cap)),
            age=np.zeros(cap, integer), n=one(0, integer), scale=one(1.0),
        ),
        scratch(dims),
        Work(
            row=np.zeros(cap, dtype), column=np.zeros(cap, dtype), weight=np.zeros(cap), point=np.zeros(d, dtype),
            f=np.zeros(c), g=np.zeros(c), a=np.zeros(c), stop=one(0, integer),
        ),
        Batch(
            x=np.zeros((m, d), dtype), xx=np.zeros(m), b=np.zeros((c, m)), loss=np.zeros(m),
            curve=np.zeros(m), verdict=np.zeros(m, integer), seen=one(0, integer), staged=one(0, integer),
        ),
        Run(
            t=one(0, integer), seen=one(0, integer), rng=one(dims.seed, np.uint64), eta=one(),
            active=one(0, integer), added=one(0, integer), lossy=one(0, integer), loss=one(),
            large=one(0, integer), weighted=one(0, integer), passes=one(1, integer), travel=one(),
            maintained=one(0, integer), delta=one(), delta_sum=one(), error_sum=one(), error_most=one(),
            square_sum=one(), intact=one(1.0),
            history=np.zeros((2, HISTORY), integer), kept=np.array([0, 1], integer),
        ),
        recipe.inverse.init(dims),
        recipe.norm.init(dims),
        recipe.admission.init(dims),
        recipe.maintenance.init(dims),
        recipe.bound.init(dims),
        recipe.output.init(dims),
        recipe.look_ahead.init(dims),
    )  # fmt: skip


class Derived(NamedTuple):
    """A node that can be recomputed: neither pickled nor counted as a model's memory."""

    value: tuple = ()


def copy_into(old: Any, new: Any) -> None:
    """Copy every array of `old` into the leading part of its larger counterpart in `new`."""
    if isinstance(old, np.ndarray):
        new[tuple(slice(0, k) for k in old.shape)] = old
    elif not isinstance(old, Derived):
        for a, b in zip(old, new, strict=True):
            copy_into(a, b)


def arrays(node: Any) -> Iterator[np.ndarray]:
    """Every array of a state that makes up the model."""
    if isinstance(node, np.ndarray):
        yield node
    elif not isinstance(node, Derived):
        for part in node:
            yield from arrays(part)


def nbytes(node: Any) -> int:
    return sum(a.nbytes for a in arrays(node))


def without_derived(node: Any) -> Any:
    """The state as it is saved."""
    if isinstance(node, np.ndarray):
        return node
    if isinstance(node, Derived) or not node:
        return type(node)()
    return type(node)(*[without_derived(part) for part in node])
