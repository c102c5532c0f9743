"""The rows of the search that are learned and those that are held out: one fold, or three of few rows."""

from typing import NamedTuple

import numpy as np

SMALL = 4_000  # rows in all: with fewer there are three folds instead of one


class Fold(NamedTuple):
    """Rows that are learned and rows that are held out, by their indices; the first of the former are centres."""

    learned: np.ndarray
    held: np.ndarray
    centres: np.ndarray


def folds_of(rows: int, centres: int, total: int) -> list[Fold]:
    """Of the rows of a search, out of `total`.

    >>> [(len(fold.learned), len(fold.held), len(fold.centres)) for fold in folds_of(10_000, 400, 10_000)]
    [(8000, 2000, 400)]
    >>> len(folds_of(300, 400, 300)), len(folds_of(300, 400, 5_000))
    (3, 1)
    """
    single = total >= SMALL
    parts = np.array_split(np.arange(rows), 5 if single else 3)
    found = []
    for held in parts[: 1 if single else 3]:
        learned = np.setdiff1d(np.arange(rows), held)
        found.append(Fold(learned, held, learned[: min(centres, len(learned) // 4)]))
    return found
