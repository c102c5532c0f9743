"""The sparse function f = scale · Σ_j a_j κ(x_j, ·): its values, its coefficients, and kernel rows of its own points.

Nothing here changes f: `changes.py` does.
"""

from .numba.lowering import compiled, inlined
from .rows import SparseRow, few_features
from .state import Expansion, State
from .types import Array, Parts, Row


@inlined
def evaluate(r: Parts, st: State, x: Row, xx: float, n: int) -> None:
    """work.row = kernel values of x, work.f = f(x)."""
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
    """out[j] = ‖a_j‖² / scale²; returns the number of SVs."""
    n, coef = ex.n[0], ex.coef
    for j in range(n):
        out[j] = coef[0, j] * coef[0, j]
    for c in range(1, coef.shape[0]):
        for j in range(n):
            out[j] += coef[c, j] * coef[c, j]
    return n
