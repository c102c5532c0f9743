"""What a model is made of: a recipe, its state, and the compiled code that works on it."""

import threading
from collections.abc import Callable
from typing import Any, NamedTuple, Self, TypeVar

import numpy as np

from ..core.entry_points import learn_handle, learning, predict_handle, prediction
from ..core.inputs import as_rows
from ..core.precision import DEFAULT
from ..core.state import State, allocate, copy_into, nbytes, without_derived
from ..core.strategy import Dims
from ..recipe import Composition, capacity
from .one_row import OneRow
from .pickling import apart, whole
from .record import Record, read_record
from .turns import Turns

T = TypeVar("T")

_FIRST_CAPACITY = 64


class OneByOne(NamedTuple):
    """A buffer for one row, and the compiled call that learns it."""

    row: OneRow
    learn: Callable[[], int]


class Binding(NamedTuple):
    """A state with the compiled code that reads it: replaced as a whole, so that a thread that predicts while the model
    grows goes on with the arrays that belong together."""

    recipe: Composition
    dims: Dims
    state: State
    handle: Any
    predict: Any
    mine: threading.local  # the buffers of each thread that scores single rows


class ModelBase:
    """A recipe with its state, and the properties that can be read from it.

    Threads: see `turns.py`. Methods that change the state are inside `with self._turns`, those that read it go through
    `self._read`.

    `dims` and `state` are there for code that saves, merges or inspects models. Changing an array of the state changes
    the model.
    """

    recipe: Composition
    dims: Dims
    state: State
    _bound: Binding
    _learn: Any
    _learn_handle: Any  # the first example compiles
    _one: OneByOne | None  # learns single examples; the first of them compiles
    nbytes: int  #: memory of the model in bytes, without tables that models share

    def __init__(self, recipe: Composition, n_features: int, n_outputs: int, dtype: Any = DEFAULT, seed: int = 0):
        self.recipe, self._turns = recipe, Turns()
        size = recipe.budget.at(1) if recipe.budget.limited else max(_FIRST_CAPACITY, recipe.kernel.size)
        room, word = capacity(size, recipe.batch), int(seed) & (2**64 - 1)
        self.dims = Dims(room, n_features, n_outputs, np.dtype(dtype), recipe.batch, seed=word)
        self.state = allocate(recipe, self.dims)
        recipe.kernel.begin(self.state, self.dims)
        self._bind()

    @classmethod
    def from_state(cls, recipe: Composition, dims: Dims, state: State) -> Self:
        """A model with a copy of this state. `recipe`, `dims` and `state` of any model can be passed."""
        new = cls.__new__(cls)
        new.recipe, new.dims, new.state, new._turns = recipe, dims, allocate(recipe, dims), Turns()
        copy_into(state, new.state)
        new._bind()
        return new

    def _bind(self) -> None:
        state = self.state._replace(work=self.state.work._replace(stop=self._turns.stop))
        handle, predict = predict_handle(self.recipe, state), prediction(self.recipe, self.n_features)
        bound = Binding(self.recipe, self.dims, state, handle, predict, threading.local())
        # all at once: an interrupt must not leave learning and prediction with different arrays
        self.__dict__.update(
            state=state, _bound=bound, _learn=learning(self.recipe), _learn_handle=None, _one=None,
            nbytes=nbytes(state),  # once: a learning curve asks for it after every few rows
        )  # fmt: skip

    def _to_learn(self) -> Any:
        """The first argument of `_learn`."""
        if self._learn_handle is None:
            self._learn_handle = learn_handle(self.recipe, self.state)
        return self._learn_handle

    def _resize(self, dims: Dims) -> None:
        """Reallocate for these sizes and copy the state."""
        with self._turns:
            state = allocate(self.recipe, dims)
            copy_into(self.state, state)
            self.dims, self.state = dims, state
            self._bind()

    def _read(self, job: Callable[[Binding], T]) -> T:
        """The result of `job`, from a state that no other thread changed meanwhile."""
        return self._turns.read(lambda: job(self._bound))

    @property
    def lock(self) -> threading.RLock:
        """A thread that holds it is the only one that can change the model: `with model.lock:`."""
        return self._turns.lock

    def _one_row(self) -> OneRow:
        return OneRow(self.n_features, self.n_outputs, self.dtype, self.recipe.loss.target)

    def _checked_width(self, X: Any) -> Any:
        X = as_rows(X)
        check_width(X, self.dims)
        return X

    @property
    def n_features(self) -> int:
        return self.dims.features

    @property
    def n_outputs(self) -> int:
        return self.dims.outputs

    @property
    def dtype(self) -> np.dtype:
        return self.dims.dtype

    @property
    def rescalable(self) -> bool:
        """Whether `rescale_features` can convert it."""
        return not self.recipe.kernel.fixed and self.recipe.inverse.rescales

    @property
    def may_overflow(self) -> bool:
        """Whether numbers can overflow while rows are learned: not with a normalised kernel and a loss with bounded
        gradient."""
        return not self.recipe.kernel.normalised or self.recipe.loss.steepest(self.n_outputs) is None

    @property
    def n_support(self) -> int:
        """Support vectors of the last iterate."""
        return int(self.state.expansion.n[0])

    @property
    def norm(self) -> float:
        """‖f‖ of the last iterate, recomputed from its coefficients."""
        return self._read(_norm)

    @property
    def record(self) -> Record:
        """The record of the run so far: examples, losses, maintenance, bounds."""
        return self._read(lambda bound: read_record(bound.recipe, bound.state))

    def __repr__(self) -> str:
        return f"Model({self.n_support} support vectors, {self.n_features} features, {self.n_outputs} outputs)"

    def __getstate__(self) -> dict[str, Any]:
        return self._read(_saved)

    def __setstate__(self, saved: dict[str, Any]) -> None:
        restored = self.from_state(whole(saved["recipe"]), saved["dims"], saved["state"])
        self.__dict__.update(restored.__dict__)


def check_width(X: Any, dims: Dims) -> None:
    if X.shape[1] != dims.features:
        raise ValueError(f"X has {X.shape[1]} features, but the model has {dims.features}; it is unchanged.")


def _norm(bound: Binding) -> float:
    ex = bound.state.expansion
    n = int(ex.n[0])
    a = ex.coef[:, :n].T * ex.scale[0]
    return float(np.sqrt(max(np.sum(a * (bound.recipe.kernel.gram(ex.sv[:, :n].T) @ a)), 0.0))) if n else 0.0


def _saved(bound: Binding) -> dict[str, Any]:
    state = allocate(bound.recipe, bound.dims)
    copy_into(bound.state, state)
    return {"recipe": apart(bound.recipe), "dims": bound.dims, "state": without_derived(state)}
