"""Which of the candidates in a grid is run in earnest."""

from collections.abc import Mapping
from statistics import mean
from typing import Any

from .plan import Cell
from .records import Records

HIGHER = {"accuracy"}  # is better


def chosen(cell: Cell, records: Records) -> Mapping[str, Any] | None:
    """The candidate that did best on rows held back, the first of equals; None while that is not known yet.

    Where the experiment says so, the smallest model of those that are `near` the best.
    """
    candidates = cell.candidates()
    if len(candidates) == 1:
        return candidates[0]
    scores, sizes = [], []
    for candidate in candidates:
        outcomes = records.all_of(cell.rehearsals(candidate))
        if outcomes is None:
            return None
        scores.append(_score(cell, outcomes))
        sizes.append(mean(outcome.get("svs", 0) for outcome in outcomes) if cell.near else 0.0)
    enough = max(scores) - cell.near
    return candidates[max(range(len(scores)), key=lambda i: (scores[i] >= enough, -sizes[i], scores[i]))]


def _score(cell: Cell, outcomes: list[dict[str, Any]]) -> float:
    """Larger is better; a candidate that failed is never chosen."""
    values = [outcome.get(cell.measure) for outcome in outcomes]
    known = [value for value in values if value is not None and value == value]
    if len(known) < len(values):
        return float("-inf")
    return mean(known) if cell.measure in HIGHER else -mean(known)
