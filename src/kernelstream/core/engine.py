"""The one loop that every algorithm of the library runs through.

An example (x, y) passes seven stages: evaluate, decay, admit, step, maintain, bound, output. What happens at each
is decided by the type of the recipe `r`; nothing here knows any algorithm by name.
"""

import math
from typing import Any

from .changes import insert, rescale
from .expansion import evaluate, squared
from .numba.lowering import compiled, inlined
from .numba.math import cast
from .numba.views import unowned
from .precision import LARGEST
from .rows import copy_row, length, sqnorm, take
from .state import Run, State
from .types import Array, Parts, Row
from .verdicts import SKIP

LEARNED, PAUSED, FULL, BAD = 1, 2, 0, -1


@inlined
def learn(h: Any, x: Row, y: Array, weight: float) -> int:
    """Learn one example and return LEARNED; or, with nothing changed, BAD (a value is not finite, or a score or the
    loss is too large), FULL (memory must grow) or PAUSED (the output is due)."""
    r, st = h.recipe, h.state
    ex, work, run, batch = st.expansion, st.work, st.run, st.batch
    xx = sqnorm(x)
    if not math.isfinite(xx):
        return BAD
    kxx = r.kernel.diagonal(x, xx, st.scratch)
    evaluate(r, st, x, xx, ex.n[0])
    loss = r.loss.gradient(work.f, y, work.g)
    if not (abs(loss) <= LARGEST and kxx <= LARGEST and math.isfinite(cast(kxx, ex.sv)) and moderate(work.f)):
        return BAD
    if r.output.due(st.output):
        return PAUSED
    if not room(r, st):
        return FULL
    r.output.observed(st.output, r, st, x, y, weight)
    run.seen[0] += 1
    run.lossy[0] += loss > 0.0
    run.loss[0] += weight * loss
    run.large[0] += loss >= 1.0
    run.weighted[0] += weight != 1.0
    verdict, share = r.admission.admit(st.admission, r, st, loss, kxx)
    if verdict != SKIP and weight > 0.0 and squared(work.g) > 0.0:
        stage(st, x, xx, kxx, weight * share / r.batch, loss, verdict)
    batch.seen[0] += 1
    if batch.seen[0] >= r.batch:
        h.update(h.updated, loss, squared(work.g) * kxx)
    return LEARNED


@inlined
def moderate(f: Array) -> bool:
    for c in range(f.shape[0]):
        if not abs(f[c]) <= LARGEST:  # nor is NaN
            return False
    return True


@inlined
def stage(st: State, x: Row, xx: float, kxx: float, share: float, loss: float, verdict: int) -> None:
    """Keep an admitted example until its mini-batch is complete."""
    batch, g = st.batch, st.work.g
    p = batch.staged[0]
    copy_row(x, batch.x[p])
    batch.xx[p] = xx
    batch.loss[p] = loss
    batch.curve[p] = squared(g) * kxx
    batch.verdict[p] = verdict
    for c in range(g.shape[0]):
        batch.b[c, p] = share * g[c]
    batch.staged[0] = p + 1


def update(h: Any, loss: float, curve: float) -> None:
    """Entry point, called by the loop: one step, f_t becomes f_{t+1}."""
    r, st = h.recipe, h.state
    run, batch = st.run, st.batch
    run.t[0] += 1
    run.delta[0] = 0.0
    run.added[0] = 0
    t = run.t[0]
    r.output.update(st.output, r, st)
    run.active[0] += batch.staged[0] > 0
    run.eta[0] = r.step.rate(t, loss, curve)
    rescale(r, st, r.step.decay(t, st))
    r.maintenance.prepare(st.maintenance, r, st, batch.staged[0])
    for p in range(batch.staged[0]):
        commit(r, st, p)
    batch.staged[0] = 0
    batch.seen[0] = 0
    r.maintenance.maintain(st.maintenance, r, st)
    r.bound.enforce(st.bound, r, st)
    note_size(run, st.expansion.n[0])


@inlined
def commit(r: Parts, st: State, p: int) -> None:
    """f ← f − η b κ(x, ·) for a staged example."""
    ex, work, batch = st.expansion, st.work, st.batch
    x, xx = batch.x[p], batch.xx[p]
    if r.batch > 1:
        # work.row is that of the batch's last example, computed before anything was added
        r.kernel.row(ex.sv, ex.sq, x, xx, ex.n[0], work.row, st.scratch)
    kxx = r.kernel.diagonal(x, xx, st.scratch)
    eta = r.step.rate(st.run.t[0], batch.loss[p], batch.curve[p])
    for c in range(work.a.shape[0]):
        work.a[c] = -eta * batch.b[c, p]
    if eta > 0.0:
        st.run.travel[0] += squared(work.a) * kxx / eta
    if not r.inverse.absorb(st.inverse, r, st, work.a, kxx, batch.verdict[p]):
        insert(r, st, x, xx, kxx, work.a)


@inlined
def note_size(run: Run, n: int) -> None:
    """Record n over time in at most HISTORY points: when full, every other one is dropped and the stride doubles."""
    history, kept = run.history, run.kept
    t = run.t[0]
    if t % kept[1] != 0:
        return
    if kept[0] == history.shape[1]:
        for i in range(history.shape[1] // 2):
            history[0, i] = history[0, 2 * i + 1]
            history[1, i] = history[1, 2 * i + 1]
        kept[0] = history.shape[1] // 2
        kept[1] *= 2
        if t % kept[1] != 0:
            return
    history[0, kept[0]] = t
    history[1, kept[0]] = n
    kept[0] += 1


@inlined
def room(r: Parts, st: State) -> bool:
    """Whether there is memory for one more example, whatever is decided about it."""
    n, m = st.expansion.n[0], r.batch
    return n + m <= st.expansion.sq.shape[0] and r.output.room(st.output, r.maintenance.removals(n, m))


def learn_many(h: Any, X: Any, Y: Array, weight: Array, start: int) -> int:
    """Entry point: learn the rows from `start` on.

    Returns the next row to learn, or −1 − i for a bad row i. If rows are left, the output is due, memory must grow, or
    another thread wants to read.
    """
    r, st = h.recipe, h.state
    X, Y, weight = unowned(X), unowned(Y), unowned(weight)
    r.look_ahead.forget(st.look_ahead)
    for i in range(start, length(X)):
        if st.work.stop[0] != 0:
            return i
        r.look_ahead.foresee(st.look_ahead, r, st, X, i)
        outcome = learn(h, take(X, i), Y[i], weight[i])
        if outcome != LEARNED:
            return -1 - i if outcome == BAD else i
    return length(X)


def predict_many(h: Any, X: Any, out: Array, workspace: Any) -> int:
    """Entry point: out[i] = f(X[i]) for the output's f, whose weights are left in `workspace.weights`.

    Returns how many weights there are, or −1 − i for a row i that is not finite. Writes into its arguments only:
    threads may share a model.
    """
    r, ex, block, beyond = h.recipe, h.state.expansion, workspace.block, workspace.retired
    n = r.output.weights(h.state.output, ex, workspace.weights)
    sv, sq, coef, m, factor = r.output.retired(h.state.output, ex)
    X, step = unowned(X), block.xx.shape[0]
    i = singly = 0  # rows before `singly` do not go through a matrix product
    while i < length(X):
        if step > 0 and i >= singly:
            singly = i + step
            ready = r.look_ahead.together(X, i, r.kernel, block, ex.sv, ex.sq, n)
            if ready and (m == 0 or r.look_ahead.together(X, i, r.kernel, beyond, sv, sq, m)):
                for k in range(step):
                    total(workspace.weights, block.K[k], n, 1.0, False, out[i + k])
                    total(coef, beyond.K[k], m, factor, True, out[i + k])
                i += step
                continue
        x = take(X, i)
        xx = sqnorm(x)
        if not math.isfinite(xx):
            return -1 - i
        r.kernel.row(ex.sv, ex.sq, x, xx, n, workspace.row, workspace.scratch)
        total(workspace.weights, workspace.row, n, 1.0, False, out[i])
        r.kernel.row(sv, sq, x, xx, m, workspace.row, workspace.scratch)
        total(coef, workspace.row, m, factor, True, out[i])
        i += 1
    return n


@compiled
def total(weights: Array, row: Array, n: int, factor: float, more: bool, out: Array) -> None:
    """out[c] = factor · Σ_j weights[c, j] row[j]; added to `out` if `more`."""
    for c in range(out.shape[0]):
        value = 0.0
        for j in range(n):
            value += weights[c, j] * row[j]
        out[c] = value * factor + (out[c] if more else 0.0)
