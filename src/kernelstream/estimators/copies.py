"""Rows that are there again and again, as after oversampling or joining tables: copies of a row that a model has
learned must not judge it, or it would be chosen to learn rows by heart."""

import numpy as np

MANY = 0.1  # share of copies from which they matter: rows of small integers are equal now and then
MOST = 40_000  # rows that are looked at
_CONFLICTS = 0.01  # share of the rows with copies, from which they are rows that were measured again


def without_copies(X: np.ndarray, Y: np.ndarray, seed: int) -> np.ndarray:
    """The indices of the rows, ascending, without those that repeat the features and targets of another. All of them if
    few rows are copies, or if rows with the same features have different targets: then they are no copies, but rows
    that are equal now and then, and how often each target occurs says something. Of very many rows, some.

    >>> X = np.repeat(np.arange(4.0), 3)[:, None]
    >>> without_copies(X, X, 0).tolist(), len(without_copies(X, np.arange(12.0)[:, None], 0))
    ([0, 3, 6, 9], 12)
    """
    rows = np.arange(len(X))
    if len(X) > MOST:
        rows = np.sort(np.random.default_rng(seed).choice(len(X), MOST, replace=False))
    first, conflicts, copies = dict[bytes, int](), set[bytes](), set[bytes]()
    kept = []
    for row in rows.tolist():
        features = X[row].tobytes()
        other = first.setdefault(features, row)
        if other == row:
            kept.append(row)
        elif (Y[other] == Y[row]).all():
            copies.add(features)
        else:
            conflicts.add(features)
    few = len(kept) > (1.0 - MANY) * len(rows)
    if few or len(conflicts) > _CONFLICTS * len(copies | conflicts):
        return np.arange(len(X))
    return np.array(kept)
