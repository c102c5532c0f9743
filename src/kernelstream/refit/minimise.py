"""L-BFGS with a preconditioner, counted in evaluations, because each of them is a pass over the data."""

from collections import deque
from collections.abc import Callable, Iterator

import numpy as np

MEMORY = 8

Solve = Callable[[np.ndarray], np.ndarray]


def minimise(
    objective: Callable[[np.ndarray], tuple[float, np.ndarray]],
    start: np.ndarray,
    solve: Solve,
    evaluations: int,
    judge: Callable[[np.ndarray], float] | None = None,
    enough: float = 1e-4,
    first: Callable[[], tuple[float, np.ndarray]] | None = None,
) -> np.ndarray:
    """Descend from `start` until a step gains less than the fraction `enough`, by the judge's loss or else by the
    objective: see `descend`."""
    here, before = start, np.inf
    for here, value in descend(objective, start, solve, evaluations, first):
        judged = judge(here) if judge else value
        if before - judged < enough * judged:
            break
        before = judged
    return here


def descend(
    objective: Callable[[np.ndarray], tuple[float, np.ndarray]],
    start: np.ndarray,
    solve: Solve,
    evaluations: int,
    first: Callable[[], tuple[float, np.ndarray]] | None = None,
    longest: Callable[[np.ndarray], float] = lambda way: 1.0,
) -> Iterator[tuple[np.ndarray, float]]:
    """Points with ever smaller values of the objective, from `start` on; the latest was evaluated last.

    `solve` applies the inverse of an upper bound of the curvature, which may change between two points. `first` returns
    the objective at `start`, if that has been begun already; `longest` is the share of a step that is tried at first.

    The objective never rises: a step that would raise it is shortened.
    """
    here, (value, slope) = start, first() if first else objective(start)
    yield here, value
    pairs: deque[tuple[np.ndarray, np.ndarray]] = deque(maxlen=MEMORY)
    way = _direction(slope, pairs, solve)
    length = longest(way)
    for _ in range(evaluations - 1):
        there = here - length * way
        new_value, new_slope = objective(there)
        fall = length * float(np.sum(way * slope))
        if not new_value <= value - 1e-4 * fall:
            # the minimum of the parabola through both values
            excess = new_value - value + fall
            shorter = 0.5 * fall / excess if np.isfinite(excess) and excess > 0.0 else 0.1
            length *= min(max(shorter, 0.1), 0.5)
            if length < 1e-4:
                return
            continue
        pairs.append((there - here, new_slope - slope))
        here, value, slope = there, new_value, new_slope
        yield here, value
        way = _direction(slope, pairs, solve)
        length = longest(way)


def _direction(slope: np.ndarray, pairs: deque[tuple[np.ndarray, np.ndarray]], solve: Solve) -> np.ndarray:
    """The two loops of L-BFGS (Nocedal 1980) with the preconditioner between them; each column separately."""
    q, shares = slope, []
    known = [(s, y, _products(s, y)) for s, y in pairs]
    for s, y, sy in reversed(known):
        share = _ratio(_products(s, q), sy)
        shares.append(share)
        q = q - share * y
    way = solve(q)
    if known:
        _, y, sy = known[-1]
        way = way * np.where(sy > 0.0, _ratio(sy, _products(y, solve(y))), 1.0)
    for (s, y, sy), share in zip(known, reversed(shares), strict=True):
        way = way + (share - _ratio(_products(y, way), sy)) * s
    return way


def _products(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """The dot products of the columns."""
    return np.einsum("ij,ij->j", a, b)


def _ratio(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """a / b, and 0 where b is not above 0: a column without positive curvature is not informative."""
    return np.where(b > 0.0, a / np.where(b > 0.0, b, 1.0), 0.0)
