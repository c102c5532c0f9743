"""A seeded hash of the number of every row, by which rows are shuffled."""

import numpy as np

LOWEST = -(2**63)  #: below every key but one


def shuffle_keys(rows: np.ndarray, seed: int, epoch: int = 0) -> np.ndarray:
    """An int64 for each row number that looks random and is different for all of them.

    Rows in the order of their keys are shuffled. Each step of the hash (SplitMix64, Steele et al. 2014) can be
    inverted, so that no two rows have the same key.

    >>> shuffle_keys(np.arange(6), seed=0).argsort().tolist()
    [1, 2, 0, 5, 4, 3]
    """
    start = _mixed(np.array([(epoch << 32) + seed], np.uint64))
    return _mixed(_mixed(rows.astype(np.uint64)) ^ start).view(np.int64)


def _mixed(x: np.ndarray) -> np.ndarray:
    x = x + np.uint64(0x9E3779B97F4A7C15)
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    found: np.ndarray = x ^ (x >> np.uint64(31))
    return found
