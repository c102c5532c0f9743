"""Merging of models that have adapted to streams of their own, such as those of several sites."""

import copy
from collections.abc import Sequence

import numpy as np

from ..core.cells import Cells
from ..core.parallel import one_blas_thread
from ..model import Function
from ..model.compression import compress
from ..tracking import AdaptiveModel, RunningScale, Tracker
from ..tracking.drift import DriftDetector

# of a mixture: what is learned along the stream, and may be averaged
_AVERAGED = ("gates", "weights", "losses", "errors", "trust", "moments", "sums")


def merge_adaptive(given: Sequence[AdaptiveModel], weights: np.ndarray) -> tuple[AdaptiveModel, float]:
    """One model that continues all of them, and the error of the projection of its first kernel model.

    Units are pooled. Every kernel model becomes the mean of those of its kind, in the units and with the width of that
    of the longest stream, projected on its budget. The scores of cells are averaged by how much each has learned of
    them, and weights of the mixture by the weights of the models. A stream still in its warm-up is learned.
    """
    _check(given)
    begun = [i for i, model in enumerate(given) if model.first is None]
    lead = max(begun or range(len(given)), key=lambda i: given[i].rows)
    new, error = copy.deepcopy(given[lead]), 0.0
    if begun:
        shares = weights[begun] / max(weights[begun].sum(), 1e-300)
        trackers = [_tracker(given[i]) for i in begun]
        error = _merge_trackers(_tracker(new), new, [given[i] for i in begun], trackers, shares)
        new.rows = sum(given[i].rows for i in begun)
    for i, model in enumerate(given):
        if model.first is not None and not (i == lead and not begun):
            new.learn_many(*model.first)
    return new, error


def _check(given: Sequence[AdaptiveModel]) -> None:
    first = given[0]
    for number, model in enumerate(given[1:], 1):
        for what in ("base", "n_features", "n_outputs", "dtype", "scale"):
            if getattr(first, what) != getattr(model, what):
                raise ValueError(
                    f"merge: model {number} has {what} {getattr(model, what)!r}, but model 0 has "
                    f"{getattr(first, what)!r}. Learn all streams with the same parameters, features and classes."
                )


def _tracker(model: AdaptiveModel) -> Tracker:
    assert model.stream is not None
    return model.stream.tracker


def _merge_trackers(
    new: Tracker, owner: AdaptiveModel, models: list[AdaptiveModel], trackers: list[Tracker], shares: np.ndarray
) -> float:
    assert owner.stream is not None
    scales = [model.stream.units for model in models if model.stream is not None]
    known = [units for units in scales if units is not None]
    if known:
        owner.stream.units = _pooled(known, owner.stream.units)
    errors = []
    for e, kernel_model in enumerate(new.models):
        parts = [
            _in_units_of(new, owner.stream.units, tracker, units, e)
            for tracker, units in zip(trackers, scales, strict=True)
        ]
        vectors = np.concatenate([part.support_vectors for part in parts])
        coefficients = np.concatenate([share * part.coefficients for share, part in zip(shares, parts, strict=True)])
        if len(vectors):
            with one_blas_thread:
                limit = kernel_model.recipe.budget.at(1)
                kept, fitted, error = compress(kernel_model.recipe.kernel, vectors, coefficients, limit)
            kernel_model.adopt(Function(vectors[kept].astype(kernel_model.dtype), fitted))
            errors.append(error)
    _merge_cells(new, trackers, shares)
    for name in _AVERAGED:
        if hasattr(new.state.mixture, name):
            parts_of = [share * getattr(each.state.mixture, name) for share, each in zip(shares, trackers, strict=True)]
            getattr(new.state.mixture, name)[...] = np.sum(parts_of, axis=0)
    new.rows, new.detector, new.drift = sum(each.rows for each in trackers), DriftDetector(), []
    new.state.current.known[0] = 0
    return errors[0] if errors else 0.0


def _in_units_of(
    new: Tracker, units: RunningScale | None, old: Tracker, before: RunningScale | None, e: int
) -> Function:
    """The function of model e, as scores of the new one: in its units of features and of targets."""
    vectors, coefficients = old.models[e].function
    rows = vectors.astype(np.float64)
    if units is not None and before is not None:
        factor = before.factors * old.state.importance[e]
        raw = np.where(factor > 0.0, rows / np.where(factor > 0.0, factor, 1.0) + before.centre, units.centre)
        rows = (raw - units.centre) * units.factors * new.state.importance[e]
    else:
        rows = rows * (new.state.importance[e] / old.state.importance[e])
    ratio = old.task.factor(old.state.mixture, e) / new.task.factor(new.state.mixture, e)
    return Function(rows, coefficients * (ratio * old.units[1] / new.units[1]))


def _pooled(known: list[RunningScale], own: RunningScale | None) -> RunningScale:
    """The statistics of all rows, with the factors of `own`: they are looked at again soon."""
    assert own is not None
    found = copy.deepcopy(own)
    total = sum(units.weight for units in known)
    if total > 0.0:
        found.mean = np.sum([units.weight * units.mean for units in known], axis=0) / total
        spread = [units.squares + units.weight * (units.mean - found.mean) ** 2 for units in known]
        found.squares, found.weight, found.centre = np.sum(spread, axis=0), total, found.mean
    found.low, found.high = np.min([u.low for u in known], axis=0), np.max([u.high for u in known], axis=0)
    found.halfway = np.any([u.halfway for u in known], axis=0)
    found.rising, found.falling = np.all([u.rising for u in known], axis=0), np.all([u.falling for u in known], axis=0)
    found.rows = sum(u.rows for u in known)
    found.next = found.rows
    return found


def _merge_cells(new: Tracker, trackers: list[Tracker], shares: np.ndarray) -> None:
    cells: list[Cells] = [tracker.state.cells for tracker in trackers]
    own: Cells = new.state.cells
    evidence = [share * (each.slopes - 1.0) for share, each in zip(shares, cells, strict=True)]
    total = np.sum(evidence, axis=0)
    scores = np.zeros(own.scores.shape)
    for seen, tracker in zip(evidence, trackers, strict=True):
        scores += seen[:, :, None] * tracker.task.table_scores(tracker.state, new.state)
    own.scores[...] = np.where(total[:, :, None] > 0.0, scores / np.where(total > 0.0, total, 1.0)[:, :, None], 0.0)
    own.slopes[...] = np.max([each.slopes for each in cells], axis=0)
    own.whole[...] = np.min([each.whole for each in cells], axis=0)
    own.effect[...] = np.sum([share * each.effect for share, each in zip(shares, cells, strict=True)], axis=0)
    own.level[...] = np.sum([share * each.level for share, each in zip(shares, cells, strict=True)], axis=0)
    own.rows[0] = sum(int(each.rows[0]) for each in cells)
    own.look[0] = own.rows[0]
