"""Projectron and Projectron++, binary and multi-class (Orabona, Keshet & Caputo, JMLR 2009).

Binary. On a mistake let P k(x, .) be the projection of k(x, .) on the span of the support vectors and delta the norm
of its residual: delta <= eta adds y P k(x, .) to f, else x becomes a support vector. Projectron++ also steps at a
margin error, 0 < y f(x) < 1 with l = 1 - y f(x) > delta/eta: f += y tau P k(x, .).

Several classes. The step is D = (e_y - e_s) k(x, .), s the best wrong class, an element of the c-fold product of the
RKHS (the joint feature map Phi(x, y) - Phi(x, s)). With the inner product <f, g> = w sum_c <f_c, g_c> it takes the
place of y k(x, .) in every formula: margin m = <f, D> = w (f_y - f_s)(x), loss 1 - m, residual ||D - PD||, ||PD||^2.
Two choices of w:

    w = 1    the usual margin f_y - f_s and the loss of Crammer & Singer, max(0, 1 + f_s - f_y); ||D||^2 = 2 k(x, x);
    w = 1/2  ||D||^2 = k(x, x) as in the binary case: for two classes f_1 = -f_0 is exactly the binary f.

A run with w = 1/2 and kernel k is a run with w = 1 and kernel k/2 (eta_on="joint"). Writing ||PD||^2 = k'K^-1 k beside
the loss 1 + f_s - f_y would mix the two: a step could then raise the margin by 2 l, and the progress that the bound
rests on, 2 tau (l - ||D - PD||/eta_D) - 2 tau^2 k'K^-1 k, is not positive at tau = l / k'K^-1 k.

The span. "all": for each class all support vectors. "own": for class c only those with a non-zero coefficient for c, as
if the support set held pairs (x_i, c); Wang, Crammer & Vucetic (ICML 2010, section 4.2) say that the multi-class method
of Orabona et al. projects only on vectors of the same class, which loses more.

Read as: eta bounds the error of the projection of one k(x, .) (eta_on="single"): a step has one projection for y and
one for s, both must be within eta, and ||D - PD|| is measured against sqrt(w ||u||^2) eta = sqrt(2 w) eta where
Projectron++ needs a ratio. With eta_on="joint" eta bounds ||D - PD|| itself; the same for w = 1/2 and span "all".
There is one decision for both classes: either both are projected or x is added with +1 at y and -1 at s.
"""

import math

import numpy as np

from .budget_parts import append, best_wrong, class_step, empty, gram, snapshot, value


def project(support, kernel, x):
    """(d, p, delta) for k(x, .) on the span of `support`: d = K^-1 k, p = k'd = ||P k(x, .)||^2, delta^2 = k(x, x) - p.

    Orabona, Keshet & Caputo (JMLR 2009); an empty support gives p = 0.
    """
    if len(support) == 0:
        return np.zeros(0), 0.0, math.sqrt(kernel(x, x))
    k = gram(kernel, support, [x])[:, 0]
    d = np.linalg.solve(gram(kernel, support, support), k)
    p = float(k @ d)
    return d, p, math.sqrt(max(0.0, kernel(x, x) - p))


def margin_step(loss, ratio, p):
    """tau = min{l/p, 2 (l - delta/eta)/p, 1}, p = ||PD||^2, ratio = delta/eta; 0 if l <= delta/eta.

    Orabona, Keshet & Caputo (JMLR 2009), Projectron++.
    """
    if loss <= ratio or p <= 0:
        return 0.0
    return min(loss / p, 2 * (loss - ratio) / p, 1.0)


def ratio_of(delta, eta):
    """delta/eta; with eta = 0 it is 0 for delta = 0 and infinite else."""
    if eta > 0:
        return delta / eta
    return 0.0 if delta == 0 else math.inf


def run_binary(X, Y, kernel, eta, plus=False, draws=None):
    """Projectron, or Projectron++ with plus=True, for y = -1/+1 (Orabona, Keshet & Caputo, JMLR 2009).

    Mistake (y f(x) <= 0): delta <= eta: a += y K^-1 k, else add y at x. Projectron++, 0 < y f(x) < 1:
    a += y tau K^-1 k.
    """
    support, coef = empty(X, 1)
    steps = []
    for x, y in zip(np.asarray(X, float), Y, strict=True):
        margin = y * value(support, coef, kernel, x)[0]
        d, p, delta = project(support, kernel, x)
        if margin <= 0 and delta > eta:
            support, coef = append(support, coef, x, y)
        elif margin <= 0:
            coef = coef + y * d[:, None]
        elif plus and margin < 1:
            coef = coef + y * margin_step(1 - margin, ratio_of(delta, eta), p) * d[:, None]
        steps.append(snapshot(support, coef))
    return steps


def class_span(coef, c, span):
    """Indices of the support vectors on which class c is projected: all, or those with a non-zero coefficient for c."""
    return np.arange(len(coef)) if span == "all" else np.flatnonzero(coef[:, c])


def project_step(support, coef, kernel, x, u, span):
    """PD for D = u k(x, .), class by class (Orabona, Keshet & Caputo, JMLR 2009, for the projection of one class).

    Returns (change of the coefficients, sum u_c^2 p_c, [delta_c], sum u_c^2 delta_c^2), where
    [delta_c] are the errors of the single projections of k(x, .), one for each class with u_c != 0.
    """
    change, inside, outside, single = np.zeros_like(coef), 0.0, 0.0, []
    for c in np.flatnonzero(u):
        rows = class_span(coef, c, span)
        d, p, delta = project(support[rows], kernel, x)
        change[rows, c] = u[c] * d
        inside, outside = inside + u[c] ** 2 * p, outside + u[c] ** 2 * delta**2
        single.append(delta)
    return change, inside, single, outside


def run_multiclass(X, Y, kernel, classes, eta, plus=False, span="all", weight=1.0, eta_on="single", draws=None):
    """Projectron(++) for classes 0..c-1 (Orabona, Keshet & Caputo, JMLR 2009, extension to several classes).

    u = e_y - e_s, D = u k(x, .), in the inner product weight * sum_c <f_c, g_c>. Mistake (f_y <= f_s): f += PD if the
    projection errs by at most eta, else f += D (x becomes a support vector). Projectron++, 0 < margin < 1:
    f += tau PD, tau = min{l/||PD||^2, 2 (l - ||D - PD||/eta_D)/||PD||^2, 1}, if l > ||D - PD||/eta_D, where eta_D is
    the bound on ||D - PD||: sqrt(weight ||u||^2) eta ("single") or eta ("joint"). Nothing is drawn.
    """
    support, coef = empty(X, classes)
    steps = []
    for x, y in zip(np.asarray(X, float), Y, strict=True):
        z = value(support, coef, kernel, x)
        wrong = best_wrong(y, z)
        u = class_step(y, wrong, classes)
        change, inside, single, outside = project_step(support, coef, kernel, x, u, span)
        margin, residual = weight * (z[y] - z[wrong]), math.sqrt(weight * outside)
        within = max(single) <= eta if eta_on == "single" else residual <= eta
        eta_step = math.sqrt(weight * float(u @ u)) * eta if eta_on == "single" else eta
        if margin <= 0 and not within:
            support, coef = append(support, coef, x, u)
        elif margin <= 0:
            coef = coef + change
        elif plus and margin < 1:
            coef = coef + margin_step(1 - margin, ratio_of(residual, eta_step), weight * inside) * change
        steps.append(snapshot(support, coef))
    return steps
