"""The Forgetron, a kernel perceptron on a budget.

O. Dekel, S. Shalev-Shwartz, Y. Singer, "The Forgetron: A Kernel-Based Perceptron on a Budget", SIAM Journal on
Computing 37, 2008.

On a mistake (as in the perceptron), with v the perceptron's direction:

    M += 1;  f' = f + v k(x, .)
    if n > B:  r = the oldest SV, sigma = ||a_r||, mu = <a_r, f'(x_r)> / ||a_r||
               Psi(phi) = (sigma phi)^2 k_rr + 2 sigma phi (1 - phi mu)
               self-tuned   phi = the largest in (0, 1] with Q + Psi(phi) <= (15/32) M
               basic        phi = min{(B+1)^(-1 / (2(B+1))), U / ||f'||},  U = 1/4 sqrt((B+1) / ln(B+1))
               f <- phi f';  Q += Psi(phi);  remove r

The largest phi: with c = (15/32) M - Q > 0 and A = sigma^2 k_rr - 2 sigma mu the condition is
A phi^2 + 2 sigma phi - c <= 0.  The left side is -c < 0 at phi = 0.  If it is <= 0 at 1 then phi = 1; else it has
one zero in (0, 1), whether A is positive or negative, phi = c / (sigma + sqrt(sigma^2 + A c)).

For one output sigma = |a_r| and mu = y_r f'(x_r).  In the multi-class case ||v||^2 = 2: sigma and mu are divided
by ``unit``.  unit = 1 takes the class vector as it is; unit = sqrt(2) is the binary algorithm on the normalised
feature map v k(x, .) / sqrt(2), so that two classes give exactly the binary trajectory (with the
coefficients +a and -a).
"""

import math
from typing import NamedTuple

import numpy as np

from .bsgd import oldest
from .common import Kernel, Step, batches, distance, start
from .perceptron import direction

SHARE = 15.0 / 32.0


class Trace(NamedTuple):
    """The state after one update with what the analysis speaks of."""

    step: Step
    mistakes: int  # M
    Q: float
    phi: float  # 1.0 if nothing was shrunk


def psi(phi: float, sigma: float, mu: float, k_rr: float) -> float:
    """The damage of removing an SV of weight sigma after shrinking by phi."""
    return (sigma * phi) ** 2 * k_rr + 2.0 * sigma * phi * (1.0 - phi * mu)


def self_tuned(sigma: float, mu: float, k_rr: float, c: float) -> float:
    """The largest phi in (0, 1] with psi(phi) <= c, for c > 0."""
    A = sigma**2 * k_rr - 2.0 * sigma * mu
    if A + 2.0 * sigma <= c:
        return 1.0
    return 2.0 * c / (2.0 * sigma + math.sqrt(max(0.0, 4.0 * sigma**2 + 4.0 * A * c)))


def basic(norm: float, budget: int) -> float:
    """min{(B+1)^(-1 / (2(B+1))), U / ||f'||}"""
    phi = (budget + 1.0) ** (-1.0 / (2.0 * (budget + 1.0)))
    U = 0.25 * math.sqrt((budget + 1.0) / math.log(budget + 1.0))
    return min(phi, U / norm) if norm > 0.0 else phi


def trace(
    X,
    Y,
    *,
    kernel: Kernel,
    budget: int,
    variant: str = "self-tuned",
    unit: float = 1.0,
    outputs: int = 1,
    seed: int = 0,
) -> list[Trace]:
    """delta is the RKHS norm of shrinking and removal together."""
    if variant not in ("self-tuned", "basic"):
        raise ValueError(variant)
    f = start(X, kernel, outputs)
    mistakes, Q = 0, 0.0
    record = []
    for t, (x,), (y,) in batches(X, Y, 1):
        margin, v = direction(y, f.value(x))
        delta, phi = 0.0, 1.0
        if margin <= 0.0:
            mistakes += 1
            f.append(x, v, t)
            if len(f) > budget:
                before = f.copy()
                r = oldest(f)
                size = float(np.linalg.norm(f.a[r]))
                sigma = size / unit
                mu = float(f.a[r] @ f.value(f.x[r])) / size / unit
                k_rr = f.self_kernel(r)
                if variant == "self-tuned":
                    phi = self_tuned(sigma, mu, k_rr, SHARE * mistakes - Q)
                else:
                    phi = basic(math.sqrt(f.norm2()) / unit, budget)
                Q += psi(phi, sigma, mu, k_rr)
                f.scale(phi)
                f.remove(r)
                delta = distance(before, f)
        record.append(Trace(f.snapshot(delta), mistakes, Q, phi))
    return record


def run(
    X,
    Y,
    *,
    kernel: Kernel,
    budget: int,
    variant: str = "self-tuned",
    unit: float = 1.0,
    outputs: int = 1,
    seed: int = 0,
) -> list[Step]:
    """The steps of trace; nothing is random."""
    record = trace(X, Y, kernel=kernel, budget=budget, variant=variant, unit=unit, outputs=outputs, seed=seed)
    return [entry.step for entry in record]
