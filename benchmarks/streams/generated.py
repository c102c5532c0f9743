"""Streams from River's generators, and checkerboards. The seed gives the stream as well as the learner."""

from typing import Any

import numpy as np

from benchmarks.streams.stream import Arrays, Stream
from kernelstream.datasets import checkerboard

WIDTH = 1_000  # rows over which Agrawal's functions change places


def arrays(stream: Any, rows: int) -> Arrays:
    """The first rows of a River stream, features in the order of the first row."""
    examples = list(stream.take(rows))
    names = list(examples[0][0])
    X = np.array([[x[name] for name in names] for x, _ in examples], np.float64)
    return X, np.array([int(y) for _, y in examples])


def rbf(rows: int, seed: int) -> Arrays:
    from river.datasets.synth import RandomRBFDrift

    moving = RandomRBFDrift(
        seed, seed, n_classes=5, n_features=10, n_centroids=50, change_speed=0.001, n_drift_centroids=50
    )
    return arrays(moving, rows)


def hyperplane(rows: int, seed: int) -> Arrays:
    from river.datasets.synth import Hyperplane

    return arrays(Hyperplane(seed, n_features=10, n_drift_features=10, mag_change=0.001), rows)


def led(rows: int, seed: int) -> Arrays:
    from river.datasets.synth import LEDDrift

    return arrays(LEDDrift(seed, noise_percentage=0.1, irrelevant_features=True, n_drift_features=7), rows)


def agrawal(rows: int, seed: int) -> Arrays:
    from river.datasets.synth import Agrawal, ConceptDriftStream

    before, after = Agrawal(0, seed), Agrawal(4, seed + 1)
    return arrays(ConceptDriftStream(before, after, position=rows // 2, width=WIDTH, seed=seed), rows)


def board(rows: int, seed: int) -> Arrays:
    return checkerboard(rows, seed=seed)


def reversed_board(rows: int, seed: int) -> Arrays:
    """A checkerboard whose labels are flipped half way."""
    X, y = checkerboard(rows, seed=seed)
    y[rows // 2 :] *= -1
    return X, y


DRIFTING = (
    Stream("rbf", "drift", "50 moving centres, 5 classes, 10 features (River's RandomRBFDrift)", rbf),
    Stream("hyperplane", "drift", "rotating hyperplane, 10 features, 5 % noise (River's Hyperplane)", hyperplane),
    Stream("led", "drift", "digits of 7 segments, 17 useless features, 10 % noise (River's LEDDrift)", led),
    Stream("agrawal", "drift", "function 0, then 4 (River's Agrawal)", agrawal),
    Stream("reversed-board", "drift", "4 × 4 checkerboard, labels flipped half way", reversed_board, judged=False),
)

STATIONARY = (Stream("checkerboard", "stationary", "4 × 4 checkerboard", board),)
