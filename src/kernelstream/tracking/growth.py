"""The state of a tracker with more features or classes."""

from typing import Any

import numpy as np

from ..core.cells import Cells
from ..core.panel import PanelState, new_panel
from ..core.task import Task

NEW_CLASS = -2.0  # score of a class that has not been seen yet, where the others have 0 on average


def grown(task: Task, old: PanelState, features: int, outputs: int, dtype: Any) -> PanelState:
    """A copy with this many features and outputs, which has learned what the old one has."""
    new = new_panel(task, features, outputs, dtype)
    new.importance[:, : old.importance.shape[1]], new.powers[:] = old.importance, old.powers
    _grow_cells(old.cells, new.cells)
    _grow_mixture(old.mixture, new.mixture)
    return new


def _grow_cells(old: Cells, new: Cells) -> None:
    before, classes = len(old.mean), old.scores.shape[2]
    new.rows[...], new.look[...] = old.rows, old.look
    for name in ("mean", "squares", "exponent", "whole", "effect"):
        getattr(new, name)[:before] = getattr(old, name)
    new.level[:before, :classes] = old.level
    new.crossed[: len(old.crossed)] = old.crossed
    new.crossed[len(old.crossed) :] = np.arange(len(old.crossed), len(new.crossed))  # all features, while there are few
    scores, slopes = old.scores, old.slopes
    while scores.shape[1] > new.scores.shape[1]:
        # two neighbouring cells become one: the hash functions keep the order of cells
        scores = scores.reshape(len(scores), -1, 2, classes).sum(axis=2)
        slopes = slopes.reshape(len(slopes), -1, 2).sum(axis=2) - 1.0
    new.scores[:, :, :classes], new.slopes[...] = scores, slopes
    new.scores[:, 0, classes:] = NEW_CLASS


def _grow_mixture(old: Any, new: Any) -> None:
    for before, after in zip(old, new, strict=True):
        if isinstance(before, tuple):
            _grow_mixture(before, after)
        elif before.shape == after.shape:  # the others are buffers of a row
            after[...] = before
