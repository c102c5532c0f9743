"""The Forgetron, basic and self-tuned, binary and multi-class (Dekel, Shalev-Shwartz & Singer, SIAM J. Comput. 2008).

On a mistake: (1) f' = f + y k(x, .); and if f' has B + 1 support vectors, (2) shrink, f'' = phi f', (3) drop the oldest
support vector r. With sigma = |a_r| and mu = y_r f'(x_r) before the shrinking, lambda = sigma phi is what is removed.

Why Psi. For a competitor g the removal changes ||f - g||^2 by

    ||f'' - lambda y_r k(x_r, .) - g||^2 - ||f'' - g||^2 = lambda^2 k_rr - 2 lambda phi mu + 2 lambda y_r g(x_r),

and the perceptron step at r had gained 2 y_r g(x_r); together 2 (1 - lambda) y_r g(x_r) >= 2 (1 - lambda) - 2 l_r(g).
So beside the competitor's loss a removal costs Psi(lambda, phi mu) = lambda^2 k_rr + 2 lambda (1 - phi mu).

Several classes. A mistake adds u = e_y - e_s, s the best wrong class, and all shrinking is common to the classes, so
a_r = sigma u_r with a number sigma > 0. Let <f, g> = w sum_c <f_c, g_c> with w = 1/2. Then a step has the squared norm
w ||u||^2 k(x, x) = k(x, x), as in the binary case, and <f, u_r k(x_r, .)> = (f_y - f_s)(x_r) / 2 is what y_r f(x_r)
was. The analysis holds line by line in this inner product, with the competitor's loss max(0, 1 - (g_y - g_s)/2); so
the constants 15/32 and U stand. Hence

    sigma = ||a_r|| / sqrt(2),  mu = (f'_y - f'_s)(x_r) / 2 = a_r . f'(x_r) / (2 sigma),  ||f||^2 = 1/2 sum_c ||f_c||^2,

and for two classes f_1 = -f_0 is exactly the binary f. Without the 1/2 (w = 1, margin 1) a mistake would gain 2 - 2 = 0
in the analysis: nothing would be left to pay for shrinking and removal. And sigma = ||a_r||, mu = a_r . f'(x_r)/||a_r||
put in the binary Psi is the cost for w = 1 and margin sqrt(2), where a mistake gains 2 sqrt(2) - 2 = 0.83 instead of 1.

Read as: the shrinking takes place only with the removal (shrink="full"); shrink="always" shrinks at every mistake of
the basic variant, which is what a bound of 1/sqrt(B + 1) on the removed coefficient needs for the first B removals.
"""

import math

import numpy as np

from .budget_parts import append, best_wrong, class_step, empty, snapshot, squared_norm, value, without


def psi(lam, mu, krr):
    """Psi(lambda, mu) = lambda^2 k_rr + 2 lambda - 2 lambda mu, the cost of a removal (Dekel et al. 2008; k_rr = 1)."""
    return lam**2 * krr + 2 * lam - 2 * lam * mu


def largest_shrink(sigma, mu, krr, room):
    """The largest phi in (0, 1] with Psi(sigma phi, phi mu) <= room, by bisection (Dekel et al. 2008, self-tuned).

    As room > 0, phi -> Psi(sigma phi, phi mu) starts at 0 and is a quadratic A phi^2 + 2 sigma phi: if it is above room
    at 1 it crosses room exactly once on (0, 1).
    """
    if psi(sigma, mu, krr) <= room:
        return 1.0
    low, high = 0.0, 1.0
    for _ in range(200):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if psi(sigma * middle, middle * mu, krr) <= room else (low, middle)
    return low


def basic_radius(budget):
    """U = 1/4 sqrt((B + 1) / ln(B + 1)) (Dekel et al. 2008)."""
    return 0.25 * math.sqrt((budget + 1) / math.log(budget + 1))


def basic_shrink(norm, budget):
    """phi = min{(B + 1)^(-1/(2(B + 1))), U/||f'||} (Dekel et al. 2008, basic variant)."""
    return min((budget + 1) ** (-1 / (2 * (budget + 1))), basic_radius(budget) / norm)


class Tuner:
    """M mistakes and Q, the cost of all removals up to now; Q <= 15/32 M always (Dekel et al. 2008, self-tuned)."""

    def __init__(self):
        self.mistakes, self.cost = 0, 0.0

    def shrink(self, sigma, mu, krr):
        """phi, the largest with Q + Psi(sigma phi, phi mu) <= 15/32 M; Q grows by that Psi."""
        phi = largest_shrink(sigma, mu, krr, 15 / 32 * self.mistakes - self.cost)
        self.cost += psi(sigma * phi, phi * mu, krr)
        return phi


def shrink_factor(support, coef, kernel, budget, variant, tuner, weight, mu):
    """phi of either variant for f', whose oldest support vector has margin mu; weight 1 (binary) or 1/2 (classes)."""
    if variant == "basic":
        return basic_shrink(math.sqrt(weight * squared_norm(support, coef, kernel)), budget)
    oldest = support[0]
    sigma = float(np.linalg.norm(coef[0])) * math.sqrt(weight)
    return tuner.shrink(sigma, mu, kernel(oldest, oldest))


def note(record, tuner, phi):
    """Append (M, Q, phi) to `record`, if there is one."""
    if record is not None:
        record.append((tuner.mistakes, tuner.cost, phi))


def run_binary(X, Y, kernel, budget, variant="self-tuned", shrink="full", record=None, draws=None):
    """The Forgetron for y = -1/+1 (Dekel, Shalev-Shwartz & Singer, SIAM J. Comput. 2008); variant "basic" also.

    Mistake (y f(x) <= 0): M += 1, f' = f + y k(x, .). If n > B: mu = y_r f'(x_r) of the oldest r; f'' = phi f'; drop r.
    Nothing is drawn. `record` gets (M, Q, phi) at every mistake.
    """
    support, coef = empty(X, 1)
    tuner, steps = Tuner(), []
    for x, y in zip(np.asarray(X, float), Y, strict=True):
        if y * value(support, coef, kernel, x)[0] <= 0:
            tuner.mistakes += 1
            support, coef = append(support, coef, x, y)
            over, phi = len(support) > budget, 1.0
            if over or (variant == "basic" and shrink == "always"):
                mu = np.sign(coef[0, 0]) * value(support, coef, kernel, support[0])[0]
                phi = shrink_factor(support, coef, kernel, budget, variant, tuner, 1.0, mu)
            coef = phi * coef
            support, coef = without(support, coef, 0) if over else (support, coef)
            note(record, tuner, phi)
        steps.append(snapshot(support, coef))
    return steps


def class_margin(a, z):
    """mu = (z_y - z_s)/2 for a coefficient a = sigma (e_y - e_s) and outputs z: u . z / 2, u = a sqrt(2)/||a||."""
    return float(a @ z) / (math.sqrt(2) * float(np.linalg.norm(a)))


def run_multiclass(X, Y, kernel, budget, classes, variant="self-tuned", shrink="full", record=None, draws=None):
    """The Forgetron for classes 0..c-1, in the inner product 1/2 sum_c <f_c, g_c> (see above).

    Mistake (f_y <= max of the others): M += 1, f' = f + (e_y - e_s) k(x, .). If n > B: sigma = ||a_r||/sqrt(2), mu =
    (f'_y - f'_s)(x_r)/2 of the oldest r; f'' = phi f'; drop r (Dekel et al. 2008 for phi). Nothing is drawn.
    """
    support, coef = empty(X, classes)
    tuner, steps = Tuner(), []
    for x, y in zip(np.asarray(X, float), Y, strict=True):
        z = value(support, coef, kernel, x)
        wrong = best_wrong(y, z)
        if z[y] <= z[wrong]:
            tuner.mistakes += 1
            support, coef = append(support, coef, x, class_step(y, wrong, classes))
            over, phi = len(support) > budget, 1.0
            if over or (variant == "basic" and shrink == "always"):
                mu = class_margin(coef[0], value(support, coef, kernel, support[0]))
                phi = shrink_factor(support, coef, kernel, budget, variant, tuner, 0.5, mu)
            coef = phi * coef
            support, coef = without(support, coef, 0) if over else (support, coef)
            note(record, tuner, phi)
        steps.append(snapshot(support, coef))
    return steps
