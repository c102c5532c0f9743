"""Models: checked, averaged, projected."""

from collections.abc import Sequence

import numpy as np

from ..core.parallel import one_blas_thread
from ..model import Function, Model
from ..model.compression import compress
from .run import add_runs


def merge_models(
    models: Sequence[Model], factors: np.ndarray, budget: int | None, places: Sequence[np.ndarray] | None = None
) -> tuple[Model, float]:
    """The merged model, and its distance from the mean.

    `factors`, (models, outputs) or (models, 1), are what coefficients are multiplied with before they are added up;
    `places` says which outputs of the result those of each model are.
    """
    check(models, same_outputs=places is None)
    outputs = models[0].n_outputs if places is None else 1 + max(int(place.max()) for place in places)
    placed = [np.arange(outputs)] * len(models) if places is None else places
    parts = [
        _placed(model.function, np.broadcast_to(factor, outputs), place, outputs)
        for model, factor, place in zip(models, factors, placed, strict=True)
    ]
    merged = models[0].copy()
    merged.add_outputs(outputs)
    add_runs(merged.state, [model.state.run for model in models])
    if merged.recipe.kernel.fixed:
        total: np.ndarray = sum((part.coefficients for part in parts), np.zeros(()))
        return merged.adopt(Function(parts[0].support_vectors, total)), 0.0
    limit, mean = _limit(merged, budget), _sum(parts)
    with one_blas_thread:
        kept, coef, error = compress(merged.recipe.kernel, *mean, limit)
    return merged.adopt(Function(mean.support_vectors[kept], coef)), error


def check(models: Sequence[Model], same_outputs: bool = True) -> None:
    """A ValueError in a sentence if there is no mean of their functions."""
    first = models[0]
    for number, model in enumerate(models[1:], 1):
        for what, ours, theirs, way in (
            ("kernel", first.recipe.kernel, model.recipe.kernel, "Give gamma a number, the same for all."),
            ("loss", first.recipe.loss, model.recipe.loss, "Let all learn with one loss."),
            ("features", first.n_features, model.n_features, "`add_features` to the narrower ones first."),
            ("dtype", first.dtype.name, model.dtype.name, "Let all learn in one precision."),
            ("outputs", first.n_outputs, model.n_outputs, "Name all classes when learning begins."),
        ):
            if ours != theirs and (same_outputs or what != "outputs"):
                raise ValueError(f"merge: model {number} has {what} {theirs!r}, and model 0 {ours!r}. {way}")
        if first.recipe.kernel.fixed and not np.array_equal(
            first.function.support_vectors, model.function.support_vectors
        ):
            raise ValueError(
                f"merge: models 0 and {number} have drawn different {first.recipe.kernel!r} features. Begin all with "
                "the same random_state, or copy one that has begun."
            )


def _limit(model: Model, budget: int | None) -> int:
    """Support vectors that the merged model may have."""
    allowed = model.recipe.budget.at(int(model.state.run.t[0])) if model.recipe.budget.limited else 1 << 62
    if budget is not None and budget > allowed:
        raise ValueError(f"merge: budget is {budget}, but the recipe allows {allowed} support vectors.")
    return allowed if budget is None else int(budget)


def _placed(function: Function, factor: np.ndarray, place: np.ndarray, outputs: int) -> Function:
    """A function times its factors, its outputs where they belong among all."""
    coef = np.zeros((len(function.coefficients), outputs))
    coef[:, place] = function.coefficients * factor[place]
    return Function(function.support_vectors, coef)


def _sum(parts: Sequence[Function]) -> Function:
    """A support vector that several have, because they began as copies of one model, is one in the sum."""
    sv = np.concatenate([part.support_vectors for part in parts])
    _, first, owner = np.unique(sv, axis=0, return_index=True, return_inverse=True)
    order = np.argsort(first)  # as they first come
    rank = np.empty(len(first), np.intp)
    rank[order] = np.arange(len(first))
    coef = np.zeros((len(first), parts[0].coefficients.shape[1]))
    np.add.at(coef, rank[owner.ravel()], np.concatenate([part.coefficients for part in parts]))
    return Function(sv[first[order]], coef)
