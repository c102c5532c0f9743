"""Model merging without estimators: models are checked, their functions averaged and projected onto the budget."""

from collections.abc import Sequence

import numpy as np

from ..core.parallel import one_blas_thread
from ..model import Function, Model
from ..model.compression import compress
from ..model.counters import sum_counters


def merge_models(
    models: Sequence[Model], factors: np.ndarray, budget: int | None, outputs_of: Sequence[np.ndarray] | None = None
) -> tuple[Model, float]:
    """The merged model, and its distance from the mean.

    Coefficients are multiplied with `factors`, (models, outputs) or (models, 1), before they are added up;
    `outputs_of` gives, for each model, the indices of its outputs among those of the result.
    """
    check_compatible(models, same_outputs=outputs_of is None)
    outputs = models[0].n_outputs if outputs_of is None else 1 + max(int(own.max()) for own in outputs_of)
    indices = [np.arange(outputs)] * len(models) if outputs_of is None else outputs_of
    parts = [
        _scaled(model.function, np.broadcast_to(factor, outputs), own, outputs)
        for model, factor, own in zip(models, factors, indices, strict=True)
    ]
    merged = models[0].copy()
    merged.add_outputs(outputs)
    sum_counters(merged.state, [model.state.run for model in models])
    if merged.recipe.kernel.fixed:
        total: np.ndarray = sum((part.coefficients for part in parts), np.zeros(()))
        return merged.adopt(Function(parts[0].support_vectors, total)), 0.0
    limit, mean = _limit(merged, budget), _sum(parts)
    with one_blas_thread:
        kept, coef, error = compress(merged.recipe.kernel, *mean, limit)
    return merged.adopt(Function(mean.support_vectors[kept], coef)), error


def check_compatible(models: Sequence[Model], same_outputs: bool = True) -> None:
    """A ValueError if the mean of their functions is not defined."""
    first = models[0]
    for number, model in enumerate(models[1:], 1):
        for what, ours, theirs, way in (
            ("kernel", first.recipe.kernel, model.recipe.kernel, "Give gamma a number, the same for all."),
            ("loss", first.recipe.loss, model.recipe.loss, "Use one loss for all."),
            ("features", first.n_features, model.n_features, "Call `add_features` on the narrower ones first."),
            ("dtype", first.dtype.name, model.dtype.name, "Use one dtype for all."),
            ("outputs", first.n_outputs, model.n_outputs, "Give all classes to the first partial_fit."),
        ):
            if ours != theirs and (same_outputs or what != "outputs"):
                raise ValueError(f"merge: model {number} has {what} {theirs!r}, but model 0 has {ours!r}. {way}")
        if first.recipe.kernel.fixed and not np.array_equal(
            first.function.support_vectors, model.function.support_vectors
        ):
            raise ValueError(
                f"merge: models 0 and {number} have drawn different {first.recipe.kernel!r} features. Use the same "
                "random_state for all, or start from copies of one initialized model."
            )


def _limit(model: Model, budget: int | None) -> int:
    """The maximum number of support vectors of the merged model."""
    allowed = model.recipe.budget.at(int(model.state.run.t[0])) if model.recipe.budget.limited else 1 << 62
    if budget is not None and budget > allowed:
        raise ValueError(f"merge: budget is {budget}, but the recipe allows {allowed} support vectors.")
    return allowed if budget is None else int(budget)


def _scaled(function: Function, factor: np.ndarray, own: np.ndarray, outputs: int) -> Function:
    """A function times its factors, with its outputs at the indices `own` among all."""
    coef = np.zeros((len(function.coefficients), outputs))
    coef[:, own] = function.coefficients * factor[own]
    return Function(function.support_vectors, coef)


def _sum(parts: Sequence[Function]) -> Function:
    """The sum of functions. Support vectors that several share, as copies of one model do, appear once."""
    sv = np.concatenate([part.support_vectors for part in parts])
    _, first, owner = np.unique(sv, axis=0, return_index=True, return_inverse=True)
    order = np.argsort(first)  # in order of first occurrence
    rank = np.empty(len(first), np.intp)
    rank[order] = np.arange(len(first))
    coef = np.zeros((len(first), parts[0].coefficients.shape[1]))
    np.add.at(coef, rank[owner.ravel()], np.concatenate([part.coefficients for part in parts]))
    return Function(sv[first[order]], coef)
