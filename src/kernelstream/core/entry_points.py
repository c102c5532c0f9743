"""What each entry point of the engine is compiled for: the parts of a composition that it uses, and no others.

Learning is compiled for the composition and the kind of rows. The update of f, most of the code, is compiled by itself,
without loss and admission and for rows of one kind, since examples are staged as dense copies; the loop calls it by
address. Prediction needs kernel and output only. So another loss, or sparse rows, compiles only the front of the loop.
"""

from typing import Any, NamedTuple

from .engine import learn_many, predict_many, update
from .look_ahead import WIDE, Blocks, RowByRow
from .numba.addresses import by_address
from .numba.cache import boxed, fingerprint, handle, specialise
from .state import State


class UpdateParts(NamedTuple):
    """The parts of a composition that an update consists of."""

    kernel: Any
    step: Any
    maintenance: Any
    budget: Any
    bound: Any
    output: Any
    inverse: Any
    norm: Any
    look_ahead: Any
    batch: int


class PredictParts(NamedTuple):
    """The parts that a prediction consists of."""

    kernel: Any
    output: Any
    look_ahead: Any  # whether many rows are computed together, whatever learning does


class PredictNodes(NamedTuple):
    """The nodes of the state that a prediction reads."""

    expansion: Any
    output: Any


class Handle(NamedTuple):
    """The first argument of an entry point."""

    state: Any
    recipe: Any


class LearnHandle(NamedTuple):
    """That of `learn_many`, which calls `update(updated, …)`."""

    state: Any
    updated: Any
    update: Any
    recipe: Any


def learning(recipe: Any) -> Any:
    """The compiled `learn_many`; its first argument is a `learn_handle`."""
    return specialise(learn_many, *fingerprint(recipe))


def learn_handle(recipe: Any, state: State) -> Any:
    """Compiles the update, or reads it from disk."""
    node, parts = boxed(state), UpdateParts(*[getattr(recipe, name) for name in UpdateParts._fields])
    updated = handle(Handle(node, parts))
    code = by_address(specialise(update, *fingerprint(parts)), updated, 0.0, 0.0)
    return handle(LearnHandle(node, updated, code, recipe))


def _predicting(recipe: Any, features: int) -> PredictParts:
    together = recipe.kernel.blocks and features >= WIDE
    return PredictParts(recipe.kernel, recipe.output, Blocks() if together else RowByRow())


def prediction(recipe: Any, features: int) -> Any:
    """The compiled `predict_many`; its first argument is a `predict_handle`."""
    return specialise(predict_many, *fingerprint(_predicting(recipe, features)))


def predict_handle(recipe: Any, state: State) -> Any:
    """For the function that predicts, in this state."""
    ex, output = state.expansion, state.output
    return handle(Handle(boxed(PredictNodes(ex, output)), _predicting(recipe, ex.sv.shape[0])))
