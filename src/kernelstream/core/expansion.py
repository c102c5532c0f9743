"""The sparse function and the few ways it may change.

Everything that alters f goes through `insert`, `drop`, `spread`, `set_coefficient`, `replace` and `rescale`, which
tell the inverse Gram matrix, the norm and the output. `r` is the recipe, `st` the state.
"""

import numpy as np

from .numba.lowering import compiled, compiled_nnan, inlined
from .precision import tolerance
from .rows import SparseRow, few_features
from .state import Expansion, State
from .types import Array, Parts, Row

_NEVER = np.int64(2**62)
SMALL, LARGE = 1e-4, 1e4  # the global scale stays between: sums of coefficients keep twelve digits


@inlined
def evaluate(r: Parts, st: State, x: Row, xx: float, n: int) -> None:
    """The row of kernel values of x, and f(x)."""
    ex, work = st.expansion, st.work
    r.look_ahead.serve(st.look_ahead, r, st, x, xx, n)
    score(ex, work.row, n, work.f)


@compiled
def score(ex: Expansion, row: Array, n: int, out: Array) -> None:
    """out = scale · Σ_j coef_j row_j: the function's value where `row` was computed."""
    coef, scale = ex.coef, ex.scale[0]
    for c in range(coef.shape[0]):
        total = 0.0
        for j in range(n):
            total += coef[c, j] * row[j]
        out[c] = total * scale


@inlined
def load(ex: Expansion, j: int, out: Array) -> None:
    """Copy SV j into a contiguous vector."""
    sv = ex.sv
    for k in range(out.shape[0]):
        out[k] = sv[k, j]


@compiled
def column(r: Parts, st: State, j: int) -> None:
    """Kernel values of SV j against all SVs, in work.column; SV j itself is left in work.point."""
    ex, work = st.expansion, st.work
    load(ex, j, work.point)
    count = few_features(work.point, st.scratch)
    if count >= 0:
        sparse = SparseRow(st.scratch.indices[:count], st.scratch.values[:count])
        r.kernel.row(ex.sv, ex.sq, sparse, ex.sq[j], ex.n[0], work.column, st.scratch)
    else:
        r.kernel.row(ex.sv, ex.sq, work.point, ex.sq[j], ex.n[0], work.column, st.scratch)


@inlined
def squared(a: Array) -> float:
    """‖a‖²."""
    total = 0.0
    for c in range(a.shape[0]):
        total += a[c] * a[c]
    return total


@inlined
def coefficient(ex: Expansion, j: int, out: Array) -> None:
    """The actual coefficient of SV j, scale included."""
    for c in range(out.shape[0]):
        out[c] = ex.coef[c, j] * ex.scale[0]


@compiled
def squares(ex: Expansion, out: Array) -> int:
    """out[j] = ‖a_j‖² / scale² and the count of SVs."""
    n, coef = ex.n[0], ex.coef
    for j in range(n):
        out[j] = coef[0, j] * coef[0, j]
    for c in range(1, coef.shape[0]):
        for j in range(n):
            out[j] += coef[c, j] * coef[c, j]
    return n


@compiled_nnan
def oldest_smallest(w: Array, ex: Expansion, n: int) -> int:
    """The oldest of the smallest. What differs by rounding only is equal: with hinge loss and 1/(λt) steps all |a_j|
    are, and without the tolerance the choice would be noise."""
    age = ex.age
    least = w[0]
    for j in range(1, n):
        least = w[j] if w[j] < least else least
    least *= 1.0 + tolerance(ex.sv)
    oldest = age[0] if w[0] <= least else _NEVER
    for j in range(1, n):
        candidate = age[j] if w[j] <= least else _NEVER
        oldest = candidate if candidate < oldest else oldest
    first = n
    for j in range(n):  # to the end, because a loop that may stop does not vectorise
        slot = j if w[j] <= least and age[j] == oldest else n
        first = slot if slot < first else first
    return first if first < n else 0


@inlined
def write_slot(ex: Expansion, x: Row, xx: float, kxx: float, a: Array, j: int) -> None:
    """Write a support vector with actual coefficient `a` into slot j."""
    sv, coef, scale = ex.sv, ex.coef, ex.scale[0]
    for k in range(x.shape[0]):
        sv[k, j] = x[k]
    ex.sq[j] = xx
    ex.diag[j] = kxx
    for c in range(a.shape[0]):
        coef[c, j] = a[c] / scale


@compiled
def insert(r: Parts, st: State, x: Row, xx: float, kxx: float, a: Array) -> None:
    """f ← f + a κ(x, ·), as a new support vector; work.row holds the kernel values of x."""
    ex = st.expansion
    j = ex.n[0]
    r.norm.adding(st.norm, r, st, a, kxx)
    write_slot(ex, x, xx, kxx, a, j)
    ex.age[j] = st.run.t[0]
    ex.n[0] = j + 1
    st.run.added[0] += 1
    r.inverse.inserted(st.inverse, r, st, j)
    r.output.inserted(st.output, r, st, j)
    r.look_ahead.inserted(st.look_ahead, r, st, j)


@compiled
def spread(r: Parts, st: State, v: Array, a: Array) -> None:
    """f ← f + a Σ_j v_j κ(x_j, ·)."""
    ex = st.expansion
    coef, n, scale = ex.coef, ex.n[0], ex.scale[0]
    for c in range(a.shape[0]):
        q = a[c] / scale
        for j in range(n):
            coef[c, j] += q * v[j]
        r.output.spread(st.output, ex, c, q, v)


@inlined
def set_coefficient(r: Parts, st: State, c: int, j: int, value: float) -> None:
    """a_jc ← value, in units of the scale."""
    ex = st.expansion
    change = value - ex.coef[c, j]
    r.norm.changing(st.norm, r, st, c, j, change * ex.scale[0])
    ex.coef[c, j] = value
    r.output.changed(st.output, c, j, change)


@compiled
def drop(r: Parts, st: State, j: int) -> None:
    """Forget SV j; the last one takes its slot. What f loses by it is the caller's business."""
    ex = st.expansion
    last = ex.n[0] - 1
    r.inverse.dropping(st.inverse, r, st, j)
    r.output.dropping(st.output, r, st, j)
    r.look_ahead.dropping(st.look_ahead, r, st, j)
    if j != last:
        sv, coef, row = ex.sv, ex.coef, st.work.row
        for k in range(sv.shape[0]):
            sv[k, j] = sv[k, last]
        for c in range(coef.shape[0]):
            coef[c, j] = coef[c, last]
        ex.sq[j] = ex.sq[last]
        ex.diag[j] = ex.diag[last]
        ex.age[j] = ex.age[last]
        row[j] = row[last]
    ex.n[0] = last


@compiled
def replace(r: Parts, st: State, j: int, x: Row, xx: float, a: Array) -> None:
    """Put the point x with coefficient `a` where SV j was; it keeps j's age."""
    ex = st.expansion
    r.output.retiring(st.output, r, st, j)
    write_slot(ex, x, xx, r.kernel.diagonal(x, xx, st.scratch), a, j)
    r.inverse.replaced(st.inverse, r, st, j)
    r.output.inserted(st.output, r, st, j)
    r.look_ahead.replaced(st.look_ahead, r, st, j)


@compiled
def rescale(r: Parts, st: State, q: float) -> None:
    """f ← q f, in O(1)."""
    ex = st.expansion
    if q == 1.0:
        return
    if q <= 0.0:
        # a first step of 1/(λt) forgets all: an empty f keeps its scale of 1
        while ex.n[0] > 0:
            drop(r, st, ex.n[0] - 1)
        r.norm.scaled(st.norm, 0.0)
        return
    ex.scale[0] *= q
    r.norm.scaled(st.norm, q)
    if not SMALL < ex.scale[0] < LARGE:
        r.output.settling(st.output, ex)
        coef, scale = ex.coef, ex.scale[0]
        for c in range(coef.shape[0]):
            for j in range(ex.n[0]):
                coef[c, j] *= scale
        ex.scale[0] = 1.0


@inlined
def record(st: State, loss2: float) -> None:
    """Note one act of budget maintenance: ‖f_before − f_after‖² = loss2."""
    run = st.run
    delta = loss2**0.5 if not loss2 < 0.0 else 0.0  # NaN, where the norm is not tracked, stays NaN
    run.maintained[0] += 1
    run.delta[0] += delta
    run.delta_sum[0] += delta
    if run.eta[0] > 0.0:
        run.error_sum[0] += delta / run.eta[0]
