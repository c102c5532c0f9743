"""The six ways in which f changes: `insert`, `drop`, `spread`, `set_coefficient`, `replace` and `rescale`.

Everything that alters f goes through them. They notify the inverse Gram matrix, the norm, the maintenance,
the output and the look-ahead. `record` notes how far budget maintenance has moved f.
"""

from .numba.lowering import compiled, inlined
from .state import Expansion, State
from .types import Array, Parts, Row

SMALL, LARGE = 1e-4, 1e4  # the global scale stays between: sums of coefficients keep twelve digits
TINY = 1e-100


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
    ex.age[j] = st.run.t[0] * r.batch + st.run.added[0]  # in order of arrival within a mini-batch, too
    ex.n[0] = j + 1
    st.run.added[0] += 1
    r.inverse.inserted(st.inverse, r, st, j)
    r.maintenance.inserted(st.maintenance, r, st, j)
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
    """Remove SV j; the last one takes its slot. The caller accounts for what f loses."""
    ex = st.expansion
    last = ex.n[0] - 1
    r.inverse.dropping(st.inverse, r, st, j)
    r.maintenance.dropping(st.maintenance, r, st, j)
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
    r.maintenance.replaced(st.maintenance, r, st, j)
    r.output.inserted(st.output, r, st, j)
    r.look_ahead.replaced(st.look_ahead, r, st, j)


@compiled
def rescale(r: Parts, st: State, q: float) -> None:
    """f ← q f, in O(1)."""
    ex = st.expansion
    if q == 1.0:
        return
    # the first step of 1/(λt) has a decay of 0, and a tiny ball may ask for one: the support vectors stay, because the
    # output may have no room for their coefficients, and f becomes nothing beside the next step
    q = max(q, TINY)
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
    """Record one step of budget maintenance with ‖f_before − f_after‖² = loss2."""
    run = st.run
    delta = loss2**0.5 if not loss2 < 0.0 else 0.0  # NaN, if the norm is not tracked, stays NaN
    run.maintained[0] += 1
    run.delta[0] += delta
    run.delta_sum[0] += delta
    if run.eta[0] > 0.0:
        run.error_sum[0] += delta / run.eta[0]
        run.square_sum[0] += delta * delta / run.eta[0]
        error = run.delta[0] / run.eta[0]
        if not error <= run.error_most[0] and run.error_most[0] == run.error_most[0]:
            run.error_most[0] = error  # NaN stays
