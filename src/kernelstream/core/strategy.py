"""Strategies: immutable values with checked parameters, whose methods run compiled.

An abstract base class (`Kernel`, `Loss`, `Step`, …) marks its compiled methods with `@lowered`. A strategy is a final
class below one of them, declared with `@strategy`: annotations are its parameters, methods its behaviour.

>>> from kernelstream.losses import ScalarLoss
>>> @strategy
... class Cubic(ScalarLoss):
...     weight: Positive = 1.0
...     def value(self, z, y):
...         return self.weight * abs(z - y) ** 3
...     def slope(self, z, y):
...         return 3.0 * self.weight * abs(z - y) * (z - y)
>>> Cubic(2).slope(1.5, 1.0)
1.5
>>> Cubic(-1)
Traceback (most recent call last):
    ...
ValueError: Cubic: weight must be a number above 0, not -1.
"""

import collections
import inspect
import math
import numbers
from collections.abc import Callable
from types import UnionType
from typing import (
    Annotated,
    Any,
    NamedTuple,
    Self,
    TypeVar,
    Union,
    dataclass_transform,
    get_args,
    get_origin,
    overload,
)

import numpy as np

from .numba.lowering import LOWERED, lower_method, lower_values


class Interval(NamedTuple):
    """The values allowed for a numeric parameter: a description and a test."""

    words: str
    holds: Callable[[float], bool]


_LARGEST = int(np.finfo(np.float64).max)
Positive = Annotated[float, Interval("a number above 0", lambda v: v > 0 and math.isfinite(v))]
NonNegative = Annotated[float, Interval("a number of at least 0", lambda v: v >= 0 and math.isfinite(v))]
Share = Annotated[float, Interval("a number above 0 and at most 1", lambda v: 0 < v <= 1)]
Whole = Annotated[int, Interval("a whole number of at least 0", lambda v: v >= 0)]
Count = Annotated[int, Interval("a whole number of at least 1", lambda v: v >= 1)]


class Dims(NamedTuple):
    """The sizes for which states are allocated."""

    capacity: int
    features: int
    outputs: int
    dtype: np.dtype
    batch: int = 1
    retired: int = 0
    seed: int = 0


class Facts(NamedTuple):
    """What is known of a stream when learning starts; parameters left open are decided from it."""

    X: Any
    y: np.ndarray
    outputs: int
    dtype: np.dtype
    total: int | None = None

    @property
    def features(self) -> int:
        return int(self.X.shape[1])


class Strategy:
    """Base class of all strategies."""

    __slots__ = ()
    _fields: tuple[str, ...] = ()
    __array_ufunc__ = None  # a NumPy number times a kernel calls the kernel's __rmul__

    @staticmethod
    def complete(values: dict[str, Any]) -> dict[str, Any]:
        """The parameters as they are stored, from those given."""
        return values

    def check(self) -> None:
        """Raise a ValueError if the parameters do not fit together."""

    def init(self, dims: Dims) -> tuple:
        """The strategy's own state: () or a NamedTuple of arrays."""
        return ()

    def resolve(self, facts: Facts) -> "Strategy":
        """The same strategy with every open parameter decided from the stream's first rows."""
        return self.replace(
            **{name: v.resolve(facts) for name, v in self.parameters().items() if isinstance(v, Strategy)}
        )

    def for_recipe(self, recipe: Any, facts: Facts) -> "Strategy":
        """Like `resolve`, for a strategy whose open parameters also depend on other parts of its recipe."""
        return self.resolve(facts)

    @property
    def settled(self) -> bool:
        """Whether nothing is left to be decided from the stream: what compiled code needs."""
        values = self.parameters().values()
        return all(v.settled if isinstance(v, Strategy) else isinstance(v, (int, float)) for v in values)

    def parameters(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self._fields}

    def replace(self, **changes: Any) -> Self:
        """A copy with some parameters changed; `kernel__gamma=2` reaches into a part."""
        nested: dict[str, dict] = {}
        values = self.parameters()
        for name, value in changes.items():
            head, _, rest = name.partition("__")
            if head not in values:
                known = ", ".join(values) or "none"
                raise ValueError(f"{type(self).__name__} has no parameter {head!r}. Its parameters: {known}.")
            if rest:
                nested.setdefault(head, {})[rest] = value
            else:
                values[head] = value
        for head, inner in nested.items():
            if not isinstance(values[head], Strategy):
                raise ValueError(f"{type(self).__name__}: {head} = {values[head]!r} has no parameters of its own.")
            values[head] = values[head].replace(**inner)
        return type(self)(**values)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{k}={v!r}' for k, v in self.parameters().items())})"

    def __eq__(self, other: object) -> bool:
        # as plain tuples, Hinge() and Logistic() would be equal
        return type(self) is type(other) and tuple(self) == tuple(other)

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash((type(self), tuple(self)))

    def __reduce__(self) -> tuple:
        return type(self), tuple(self)


lower_values(Strategy)

S = TypeVar("S", bound=Strategy)
Method = TypeVar("Method", bound=Callable[..., Any])

# The compiled methods of all base classes. Compiled code finds a method by its name alone: no parameter may have
# one of these names, and that must not depend on which modules have been imported.
RESERVED = frozenset(
    [
        "absorb",
        "adding",
        "admit",
        "at",
        "changed",
        "changing",
        "combine",
        "decay",
        "diagonal",
        "drifted",
        "dropping",
        "due",
        "enforce",
        "foresee",
        "forget",
        "gradient",
        "inserted",
        "learn_weights",
        "maintain",
        "mean_residual",
        "observed",
        "of",
        "mistaken",
        "pair",
        "pick",
        "prepare",
        "product",
        "rate",
        "rebuild",
        "reduce",
        "refresh",
        "removals",
        "renew",
        "replaced",
        "residual",
        "retired",
        "retiring",
        "room",
        "row",
        "safe",
        "scaled",
        "serve",
        "settling",
        "shares",
        "shifted",
        "slope",
        "spread",
        "square",
        "steepness",
        "learn_table",
        "model_target",
        "model_weight",
        "follow",
        "take_scores",
        "taking",
        "taking_sv",
        "together",
        "touch",
        "update",
        "value",
        "weights",
    ]
)


@overload
def lowered(function: Method) -> Method: ...
@overload
def lowered(*, inline: bool) -> Callable[[Method], Method]: ...
def lowered(function: Any = None, *, inline: bool = False) -> Any:
    """Mark a method of a base class as called by compiled code; its signature binds all strategies below that class."""

    def register(function: Method) -> Method:
        if function.__module__.partition(".")[0] == __name__.partition(".")[0] and function.__name__ not in RESERVED:
            raise TypeError(f"the compiled method {function.__name__!r} is missing in RESERVED.")
        lower_method(function.__name__, tuple(inspect.signature(function).parameters)[1:], inline)
        return function

    return register if function is None else register(function)


def _checked(owner: str, name: str, kind: Any, value: Any) -> Any:
    """The value converted to its annotated type; a ValueError if it is not allowed."""
    if get_origin(kind) in (Union, UnionType):  # Positive | None, Positive | str
        kind, *others = get_args(kind)
        if type(value) in others:
            return value
    base, limits = (get_args(kind)[0], get_args(kind)[1]) if get_origin(kind) is Annotated else (kind, None)
    if isinstance(base, type) and issubclass(base, Strategy) and not isinstance(value, base):
        raise ValueError(f"{owner}: {name} must be a {base.__name__}, not {value!r}.")
    if base not in (float, int):
        return value
    words = limits.words if limits else "a number" if base is float else "a whole number"
    wanted = numbers.Real if base is float else numbers.Integral
    if isinstance(value, numbers.Integral) and abs(int(value)) > (_LARGEST if base is float else 2**63 - 1):
        kind = "float64" if base is float else "64 bits"
        raise ValueError(f"{owner}: {name} must be {words}, not an integer that is too large for {kind}.")
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, wanted) or (limits and not limits.holds(value)):
        raise ValueError(f"{owner}: {name} must be {words}, not {value!r}.")
    return base(value)


@dataclass_transform(frozen_default=True)
def strategy(cls: type[S]) -> type[S]:
    """Class decorator: annotated names become checked parameters of an immutable value."""
    fields = inspect.get_annotations(cls, eval_str=True)
    for name in fields:
        if name in RESERVED or name in LOWERED or hasattr(cls.__mro__[1], name):
            raise TypeError(
                f"{cls.__name__}: the parameter {name!r} has the name of a method of strategies; choose another."
            )
    shape = collections.namedtuple(
        cls.__name__, list(fields), defaults=[cls.__dict__[f] for f in fields if f in cls.__dict__]
    )

    def __new__(cls: type[Strategy], *args: Any, **kwargs: Any) -> Strategy:
        try:
            given = shape(*args, **kwargs)
        except TypeError as error:
            raise TypeError(
                str(error).replace("__new__()", f"{cls.__name__}()").replace(f"{cls.__name__}.", "")
            ) from None
        values = cls.complete(given._asdict())
        self = tuple.__new__(cls, [_checked(cls.__name__, f, kind, values[f]) for f, kind in fields.items()])
        self.check()
        return self

    body = {k: v for k, v in cls.__dict__.items() if k not in fields and k not in ("__dict__", "__weakref__")}
    kind, required = inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.empty
    parameters = [inspect.Parameter(f, kind, default=cls.__dict__.get(f, required)) for f in fields]
    body |= {"__new__": __new__, "__slots__": (), "_fields": shape._fields}
    body["__signature__"] = inspect.Signature(parameters)  # for help(): __new__ itself takes anything
    new = type(cls)(cls.__name__, (*cls.__bases__, shape), body)
    new.__qualname__ = cls.__qualname__
    return new
