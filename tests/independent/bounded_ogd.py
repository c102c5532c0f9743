"""Random removal that keeps the mean: BOGD and BOGD++ (Zhao et al., ICML 2012), OLRU and OLRD (He & Kwok, 2014).

A full expansion drops support vector r with probability q_r and multiplies every other a_i by 1/(1 - q_i), so that the
mean over the draw is the function before: E[a_i 1{r != i}/(1 - q_i)] = a_i wherever q_i < 1.

A rule is a function (coef (n, c), diagonal [k(x_i, x_i)]) -> probabilities q, and |a_i| is the norm ||a_i|| throughout.

Read as: t is the number of the example, 1, 2, ..., whether or not it has a loss. The discard comes before the addition:
the new support vector is neither a candidate nor re-scaled. Uniform q draws one `below(n)`, any other rule one
`uniform()`, and only where something is discarded; OLRU draws one `uniform()` for every example, also without a loss.
"""

import math

import numpy as np

from .budget_parts import append, draw_index, empty, hinge_for, on_ball, snapshot, value


def sizes(coef, diagonal):
    """w_i = ||a_i|| sqrt(k(x_i, x_i)), the norm of the i-th term of f."""
    return np.linalg.norm(coef, axis=1) * np.sqrt(np.asarray(diagonal, float))


def uniform_rule(coef, diagonal):
    """q_i = 1/n: He & Kwok (Neural Networks 2014), eq. (19); BOGD of Zhao et al. (ICML 2012)."""
    return np.full(len(coef), 1 / len(coef))


def printed_norm_rule(coef, diagonal):
    """q_i = 1 - (n - 1) w_i / sum_j w_j, as BOGD++ prints it (Zhao et al., ICML 2012); negative if w_i is large."""
    w = sizes(coef, diagonal)
    return 1 - (len(w) - 1) * w / w.sum()


def norm_rule(coef, diagonal):
    """BOGD++ with a repaired q: q_i = max(0, 1 - (n - 1) w_i / sum w), divided by the sum of these.

    He & Kwok (Neural Networks 2014, section 4) note that the printed q may be negative. The same q serves for the draw
    and for 1/(1 - q_i). As clipping only raises the sum above 1, the division only lowers q, and q_i < 1 wherever
    w_i > 0: the mean is kept exactly. Read as: uniform if all w_i = 0.
    """
    if not sizes(coef, diagonal).any():
        return uniform_rule(coef, diagonal)
    q = np.maximum(0.0, printed_norm_rule(coef, diagonal))
    return q / q.sum()


def error_bound(q, coef, diagonal):
    """sum_i q_i w_i^2 / (1 - q_i)^2, He & Kwok (Neural Networks 2014), eq. (18); a term with w_i = 0 is 0."""
    w = sizes(coef, diagonal)
    return float(sum(qi * wi**2 / (1 - qi) ** 2 for qi, wi in zip(q, w, strict=True) if wi > 0))


def _bisect(too_low, low, high):
    """The point where `too_low` turns from true to false, by 64 halvings."""
    for _ in range(64):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if too_low(middle) else (low, middle)
    return 0.5 * (low + high)


def _share(weight, level):
    """q in [0, 1) with weight (1 + q)/(1 - q)^3 = level, and 0 if weight >= level."""
    if weight >= level:
        return 0.0
    return _bisect(lambda q: weight * (1 + q) < level * (1 - q) ** 3, 0.0, 1.0)


def least_bound_rule(coef, diagonal):
    """The q that minimises eq. (18) of He & Kwok (Neural Networks 2014) over sum q = 1, q >= 0.

    q/(1 - q)^2 is convex with derivative (1 + q)/(1 - q)^3, so q_i = 0 where w_i^2 >= level, and elsewhere
    w_i^2 (1 + q_i)/(1 - q_i)^3 = level, for the level at which the q_i sum to 1.
    Read as: if some w_i = 0, these share the draw equally (the bound is then 0).
    """
    weights = sizes(coef, diagonal) ** 2
    n = len(weights)
    if n == 1 or not weights.all():
        free = (weights == 0) if n > 1 else np.ones(1, bool)
        return free / free.sum()
    highest = weights.max() * (1 + 1 / n) / (1 - 1 / n) ** 3
    level = _bisect(lambda v: sum(_share(w, v) for w in weights) < 1, weights.min(), highest)
    q = np.array([_share(w, level) for w in weights])
    return q / q.sum()


def discard(coef, q, r):
    """a_i / (1 - q_i) for i != r, and 0 at r: He & Kwok (Neural Networks 2014), eq. (17) and lines 11-12."""
    kept = np.zeros_like(coef)
    for i in range(len(coef)):
        if i != r:
            kept[i] = coef[i] / (1 - q[i])
    return kept


def discard_outcomes(coef, q):
    """All outcomes of the draw: (probability, coefficients on the same support, row r zero), for every q_r > 0."""
    return [(q[r], discard(coef, q, r)) for r in range(len(coef)) if q[r] > 0]


def expected_after_discard(coef, q):
    """E[f after the discard | f]: its coefficients on the support of f, by enumeration. Equal to coef if all q_i < 1.

    He & Kwok (Neural Networks 2014), eq. (11): E[e_t] = 0.
    """
    return sum(p * outcome for p, outcome in discard_outcomes(coef, q))


def expected_squared_error(coef, K, q):
    """E||e||^2 over the draw, e = f after the discard - f, by enumeration; eq. (18) is its upper bound."""
    return float(sum(p * np.sum((out - coef) * (K @ (out - coef))) for p, out in discard_outcomes(coef, q)))


def choose(support, coef, kernel, rule, draws):
    """(q, r): q by the rule, r drawn from it; rule None is the uniform q, drawn by one `below(n)`."""
    diagonal = np.array([kernel(x, x) for x in support])
    if rule is None:
        return uniform_rule(coef, diagonal), draws.below(len(coef))
    q = np.asarray(rule(coef, diagonal), float)
    return q, draw_index(q, draws)


def drop(support, coef, q, r):
    """Discard r, re-scale the others, and shorten both arrays."""
    return np.delete(support, r, axis=0), np.delete(discard(coef, q, r), r, axis=0)


def clip_norms(coef, largest):
    """a_i <- a_i min{1, largest/||a_i||} for each i."""
    norms = np.linalg.norm(coef, axis=1, keepdims=True)
    return np.where(norms > largest, coef * largest / np.where(norms > 0, norms, 1.0), coef)


def run_bogd(X, Y, kernel, budget, eta, lam, gamma, outputs=1, rule=None, derivative=None, clip_new=True, draws=None):
    """BOGD (rule None) and BOGD++ (rule `norm_rule`) of Zhao, Wang, Wu, Jin & Hoi (ICML 2012), hinge loss.

    f <- (1 - eta lam) f at every example. With a loss: if n = B discard one by q and divide the others by 1 - q_i; add
    -eta g at x; then |a_i| <- min(|a_i|, gamma eta).
    Read as: f(x), and with it the loss, is taken before the decay (q does not depend on it). The clip meets all
    coefficients after a step, the new one included (clip_new=False leaves that one alone); it is void for the new one
    with one output and gamma >= 1, not with classes and gamma < sqrt(2), where ||g|| = sqrt(2).
    """
    derivative = derivative or hinge_for(outputs)
    support, coef = empty(X, outputs)
    steps = []
    for x, y in zip(np.asarray(X, float), Y, strict=True):
        g = derivative(y, value(support, coef, kernel, x))
        coef = (1 - eta * lam) * coef
        if g.any():
            if len(support) >= budget:
                support, coef = drop(support, coef, *choose(support, coef, kernel, rule, draws))
            support, coef = append(support, coef, x, -eta * g)
            clipped = clip_norms(coef, gamma * eta)
            coef = clipped if clip_new else np.vstack([clipped[:-1], coef[-1:]])
        steps.append(snapshot(support, coef))
    return steps


def growing_budget(c):
    """t -> B_t = 1 + c sqrt(t) rounded, He & Kwok (Neural Networks 2014), eq. (24).

    Read as: Python's round, that is, halves go to the even number (c = 1/2, t = 9: 2.5 gives 2).
    """
    return lambda t: round(1 + c * math.sqrt(t))


def step_size(t, eta, schedule):
    """eta ("constant") or eta t^(-1/2) ("root"), He & Kwok (Neural Networks 2014), eq. (6)."""
    return eta if schedule == "constant" else eta / math.sqrt(t)


def run_olrd(X, Y, kernel, budget, eta, radius, schedule="constant", outputs=1, rule=None, derivative=None, draws=None):
    """OLRD, Algorithm 3 of He & Kwok (Neural Networks 2014), with line 15's projection on the ball ||f|| <= U.

    g = 0: nothing. n < B_t: add -eta_t g at x. Else discard one by q (rule None: eq. (19)), divide the others by
    1 - q_i (17), add -eta_t g. Then f <- f min{1, U/||f||} (4). `budget` is B, or a function t -> B_t (24); `radius` is
    U, or None for no ball.
    Read as: q = 1/n for the n = B_t support vectors present.
    """
    derivative = derivative or hinge_for(outputs)
    allowed = budget if callable(budget) else (lambda t: budget)
    support, coef = empty(X, outputs)
    steps = []
    for t, (x, y) in enumerate(zip(np.asarray(X, float), Y, strict=True), start=1):
        g = derivative(y, value(support, coef, kernel, x))
        if g.any():
            if len(support) >= allowed(t):
                support, coef = drop(support, coef, *choose(support, coef, kernel, rule, draws))
            support, coef = append(support, coef, x, -step_size(t, eta, schedule) * g)
        coef = on_ball(support, coef, kernel, radius)
        steps.append(snapshot(support, coef))
    return steps


def admission(t, c, gamma, horizon=None):
    """p_t = min(1, c T^-gamma) if the horizon T is given, else min(1, c t^-gamma): He & Kwok (2014), eq. (13).

    Read as: cut at 1, which the print leaves out.
    """
    return min(1.0, c * (horizon or t) ** -gamma)


def run_olru(X, Y, kernel, eta, radius, c, gamma, horizon=None, outputs=1, derivative=None, draws=None):
    """OLRU, Algorithm 2 of He & Kwok (Neural Networks 2014), with line 12's ball ||f|| <= U.

    With probability p_t (13), and if g != 0, add -eta_t g / p_t at x; then f <- f min{1, U/||f||}. With a horizon T
    eta_t = eta and p_t = c T^-gamma; without, eta_t = eta t^-(1+gamma)/2 and p_t = c t^-gamma.
    Read as: theta_t is drawn for every example (line 5 precedes the test of g): admitted if uniform() < p_t.
    """
    derivative = derivative or hinge_for(outputs)
    support, coef = empty(X, outputs)
    steps = []
    for t, (x, y) in enumerate(zip(np.asarray(X, float), Y, strict=True), start=1):
        g = derivative(y, value(support, coef, kernel, x))
        p = admission(t, c, gamma, horizon)
        if draws.uniform() < p and g.any():
            step = eta if horizon else eta * t ** (-(1 + gamma) / 2)
            support, coef = append(support, coef, x, -step * g / p)
        coef = on_ball(support, coef, kernel, radius)
        steps.append(snapshot(support, coef))
    return steps
