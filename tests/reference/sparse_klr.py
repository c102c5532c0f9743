"""Sparse online kernel logistic regression, by margin and by an auxiliary function.

L. Zhang, R. Jin, C. Chen, J. Bu, X. He, "Efficient Online Learning for Large-Scale Sparse Kernel Logistic
Regression", AAAI 2012.

Binary.  Update t, with z = y f(x) and s(z) = 1 / (1 + exp(-z)):

    u ~ U[0, 1);   if u < P:  f <- f + eta c y k(x, .);   then the ball of radius R

    Margin       P = (2 - eta) / (2 - eta + eta s(z)),        c = 1 - s(z)                  0 < eta < 2
    Auxiliary    P = ln(1 + exp(-z)) / a(z),                  c = -a'(z) = 1 / (1 + gamma exp(z))
                 a(z) = ln(gamma + exp(-z)),  gamma > 1

The step is not divided by P: both are biased by design.
"""

import math

import numpy as np

from .common import Draws, Kernel, Step, batches, start


def sigmoid(z: float) -> float:
    """1 / (1 + exp(-z)) without overflow"""
    return math.exp(-float(np.logaddexp(0.0, -z)))


def margin_rule(z: float, eta: float) -> tuple[float, float]:
    """(P, c)"""
    return (2.0 - eta) / (2.0 - eta + eta * sigmoid(z)), sigmoid(-z)


def auxiliary_rule(z: float, gamma: float) -> tuple[float, float]:
    """(P, c)"""
    a = float(np.logaddexp(math.log(gamma), -z))
    return float(np.logaddexp(0.0, -z)) / a, sigmoid(-z - math.log(gamma))


def _run(X, Y, kernel: Kernel, rule, eta: float, R: float | None, seed: int) -> list[Step]:
    f = start(X, kernel, 1)
    draws = Draws(seed)
    steps = []
    for t, (x,), (y,) in batches(X, Y, 1):
        P, c = rule(float(y * f.value(x)[0]))
        if draws.uniform() < P:  # one per example
            f.append(x, np.array([eta * c * y]), t)
        f.ball(R)
        steps.append(f.snapshot())
    return steps


def margin(X, Y, *, kernel: Kernel, eta: float, R: float | None = None, outputs: int = 1, seed: int = 0) -> list[Step]:
    """R = None for no ball."""
    if not 0.0 < eta < 2.0:
        raise ValueError(f"eta must be in (0, 2), got {eta}")
    return _run(X, Y, kernel, lambda z: margin_rule(z, eta), eta, R, seed)


def auxiliary(
    X,
    Y,
    *,
    kernel: Kernel,
    eta: float,
    gamma: float,
    R: float | None = None,
    outputs: int = 1,
    seed: int = 0,
) -> list[Step]:
    """R = None for no ball."""
    if not gamma > 1.0:
        raise ValueError(f"gamma must be above 1, got {gamma}")
    return _run(X, Y, kernel, lambda z: auxiliary_rule(z, gamma), eta, R, seed)
