"""The arithmetic of a mixture of models, for one row: probabilities of each, weights that follow the best.

NumPy would spend more time on the calls than on the numbers, because a mixture has few experts and few classes.
"""

import math
from typing import Any

from .numba.cache import direct, shared
from .types import Array


def probabilities(scores: Array, heat: Array, doubt: float, logits: Array, p: Array) -> None:
    """Entry point: p[e] = softmax(exp(heat[e]) · logits[e]), and a little for every class. A single score is that of
    the second class."""
    experts, classes = p.shape
    for e in range(experts):
        factor, top = math.exp(heat[e]), -math.inf
        for c in range(classes):
            if scores.shape[1] == 1:
                logits[e, c] = scores[e, 0] if c == 1 else 0.0
            else:
                logits[e, c] = scores[e, c]
            top = max(top, factor * logits[e, c])
        total = 0.0
        for c in range(classes):
            p[e, c] = math.exp(factor * logits[e, c] - top)
            total += p[e, c]
        for c in range(classes):
            p[e, c] = (1.0 - doubt) * p[e, c] / total + doubt / classes


def fixed_share(weights: Array, likelihoods: Array, share: float) -> None:
    """Entry point: weights times likelihoods, normalised, a share of them spread evenly. See `tracking.FixedShare`."""
    total = 0.0
    for e in range(weights.shape[0]):
        total += weights[e] * likelihoods[e]
    if total > 0.0:
        for e in range(weights.shape[0]):
            weights[e] = weights[e] * likelihoods[e] * ((1.0 - share) / total) + share / weights.shape[0]


def cool(p: Array, logits: Array, index: int, heat: Array, step: float, limit: float) -> None:
    """Entry point: a step of gradient descent on the log-loss of class `index`, in the logarithms of temperatures."""
    for e in range(heat.shape[0]):
        slope = -logits[e, index]
        for c in range(p.shape[1]):
            slope += p[e, c] * logits[e, c]
        change = step * min(max(math.exp(heat[e]) * slope, -1.0), 1.0)
        heat[e] = min(max(heat[e] - change, -limit), limit)


_CALLS: dict[Any, Any] = {}


def _compiled(function: Any, *arguments: Any) -> Any:
    """The function compiled for arguments of these types, always the same."""
    call = _CALLS.get(function)
    if call is None:
        call = _CALLS[function] = direct(shared(function), *arguments)
    return call(*arguments)


def mix(scores: Array, heat: Array, doubt: float, logits: Array, p: Array) -> None:
    """`probabilities`, from Python. Here and below, arrays are float64, C-contiguous and writable: nobody checks."""
    _compiled(probabilities, scores, heat, float(doubt), logits, p)


def follow(weights: Array, likelihoods: Array, share: float) -> None:
    """`fixed_share`, from Python."""
    _compiled(fixed_share, weights, likelihoods, float(share))


def calibrate(p: Array, logits: Array, index: int, heat: Array, step: float, limit: float) -> None:
    """`cool`, from Python."""
    _compiled(cool, p, logits, int(index), heat, float(step), float(limit))
