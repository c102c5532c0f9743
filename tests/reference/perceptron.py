"""The kernel perceptron, the randomized budget perceptron, RBP, and the budget perceptron.

F. Rosenblatt, "The perceptron", Psychological Review 65, 1958; with kernels Y. Freund, R. E. Schapire, "Large
margin classification using the perceptron algorithm", Machine Learning 37, 1999.
G. Cavallanti, N. Cesa-Bianchi, C. Gentile, "Tracking the best hyperplane with a simple budget Perceptron",
Machine Learning 69, 2007.
K. Crammer, J. Kandola, Y. Singer, "Online Classification on a Budget", NIPS 2003; this form of it as in A. Bordes,
S. Ertekin, J. Weston, L. Bottou, "Fast Kernel Classifiers with Online and Active Learning", JMLR 6, 2005.

On an example (x, y) let

    binary, y = -1 or +1     margin = y f(x),               v = y
    multi-class              margin = f_y(x) - f_r(x),      v = e_y - e_r,    r = the best wrong class,
                                                                              the lowest index of equals

A mistake is margin <= 0; all else is no update.  At a mistake that k = 0, 1, 2, ... others precede

    perceptron    f <- f + v k(x, .)
    RBP           f <- (1 - lam_k) f,  lam_k = lam / (lam + k)          the shifting decay, only if lam is given
                  if n >= B remove i ~ U{0 .. n-1}
                  f <- f + v k(x, .)

The new example always enters with weight 1.

The budget perceptron: if margin <= beta

    if n >= B remove argmax_i y_i (f(x_i) - a_i k(x_i, x_i)), the margin of x_i without its own term; with several
    classes that of f - a_i k(x_i, .) at x_i for the class y_i.  The oldest of equals, as everywhere.
    f <- f + v k(x, .)
"""

import numpy as np

from .common import Draws, Kernel, Step, batches, distance, oldest_of_equals, start


def direction(y, z: np.ndarray) -> tuple[float, np.ndarray]:
    """(margin, v), the perceptron's update direction; one output means binary."""
    if len(z) == 1:
        return float(y * z[0]), np.array([float(y)])
    r = None
    for i in range(len(z)):
        if i != y and (r is None or z[i] > z[r]):
            r = i
    v = np.zeros(len(z))
    v[y] = +1.0
    v[r] = -1.0
    return float(z[y] - z[r]), v


def run(X, Y, *, kernel: Kernel, outputs: int = 1, seed: int = 0) -> list[Step]:
    """The kernel perceptron; nothing is random."""
    f = start(X, kernel, outputs)
    steps = []
    for t, (x,), (y,) in batches(X, Y, 1):
        margin, v = direction(y, f.value(x))
        if margin <= 0.0:
            f.append(x, v, t)
        steps.append(f.snapshot())
    return steps


def rbp(X, Y, *, kernel: Kernel, budget: int, lam: float | None = None, outputs: int = 1, seed: int = 0) -> list[Step]:
    """delta is the norm of what was removed, after the decay."""
    f = start(X, kernel, outputs)
    draws = Draws(seed)
    mistakes = 0
    steps = []
    for t, (x,), (y,) in batches(X, Y, 1):
        margin, v = direction(y, f.value(x))
        delta = 0.0
        if margin <= 0.0:
            if lam is not None:
                f.scale(1.0 - lam / (lam + mistakes))
            mistakes += 1
            if len(f) >= budget:
                before = f.copy()
                f.remove(draws.below(len(f)))
                delta = distance(before, f)
            f.append(x, v, t)
        steps.append(f.snapshot(delta))
    return steps


def budgeted(X, Y, *, kernel: Kernel, budget: int, beta: float = 0.0, outputs: int = 1, seed: int = 0) -> list[Step]:
    """The budget perceptron; nothing is random. delta is the norm of what was removed."""
    f = start(X, kernel, outputs)
    label = {}  # of the SV that was added at update t, its age
    steps = []
    for t, (x,), (y,) in batches(X, Y, 1):
        margin, v = direction(y, f.value(x))
        delta = 0.0
        if margin <= beta:
            if len(f) >= budget:
                margins = []
                for i in range(len(f)):
                    others = f.copy()
                    others.remove(i)
                    margins.append(direction(label[f.age[i]], others.value(f.x[i]))[0])
                before = f.copy()
                f.remove(oldest_of_equals([-m for m in margins], f.age))
                delta = distance(before, f)
            f.append(x, v, t)
            label[t] = y
        steps.append(f.snapshot(delta))
    return steps
