"""How values of Python classes become types of compiled code. With `views.py` and `nodes.py`, the only
numba-extension code.

A strategy is an immutable tuple with methods. numba sees its class as a type of its own and its fields as
ordinary values, so a method call is resolved when the loop is compiled, and a new value of a field never
compiles anything again. Under ``NUMBA_DISABLE_JIT=1`` the same code runs as plain Python.
"""

import inspect
import os
from typing import Any

from numba import config, njit, types
from numba.core import boxing
from numba.extending import (
    box,
    is_jitted,
    models,
    overload,
    overload_method,
    register_jitable,
    register_model,
    typeof_impl,
    unbox,
)

from .disk import keep_on_disk
from .notice import told

INTERPRETED = bool(config.DISABLE_JIT)
# nnan and ninf are left out: a non-finite number must stay visible until the loop has refused it.
OPTIONS: dict[str, Any] = {
    "fastmath": {"reassoc", "contract", "arcp", "nsz"},
    "nogil": True,
    "error_model": "numpy",
    "boundscheck": os.environ.get("NUMBA_BOUNDSCHECK") == "1",
}
# Functions that only compiled code calls need no Python or C wrapper: a third of the compile time.
HELPER: dict[str, Any] = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}


def compiled(function):
    """Compile a helper that is called from compiled code only.

    Parameters
    ----------
    function : function
        What to compile; it still runs as plain Python where numba is disabled.
    """
    return njit(**OPTIONS, **HELPER)(function)


def inlined(function):
    """As `compiled`, for a small function that becomes part of its callers: less to compile and to link."""
    return njit(inline="always", **OPTIONS, **HELPER)(function)


def callable_anywhere(function):
    """A small helper of methods that Python calls too. (Calling a `compiled` one from Python crashes it.)"""
    return register_jitable(**OPTIONS, **HELPER, forceinline=True)(function)


def compiled_nnan(function):
    """As `compiled`, for loops over numbers known not to be NaN: lets a minimum vectorise."""
    return njit(**{**OPTIONS, "fastmath": {*OPTIONS["fastmath"], "nnan"}}, **HELPER)(function)


def compiled_for_users(function):
    """A user's function as both compiled code and Python call it, and as plain Python; one that is compiled already
    stays."""
    if is_jitted(function):
        return function, function.py_func
    return register_jitable(**OPTIONS, **HELPER)(function), function


# Rounding as IEEE 754 has it, for code whose digits must be Python's.
_EXACT: dict[str, Any] = {"nogil": True, "no_cfunc_wrapper": True, "boundscheck": OPTIONS["boundscheck"]}


def exact(function):
    """As `compiled`, without fast mathematics."""
    return njit(no_cpython_wrapper=True, **_EXACT)(function)


def exact_entry(function):
    """The same for a function that Python calls; kept on disk."""
    entry = njit(**_EXACT)(function)
    if not INTERPRETED:
        entry._compiler.compile = told(entry._compiler.compile, function.__name__, keep_on_disk(entry))
    return entry


class ValueType(types.NamedTuple):
    """The numba type of a strategy: its class and the types of its fields."""

    def __bool__(self):
        # numba asks `if ty:` in places, and a tuple type without fields would count as false
        return True


register_model(ValueType)(models.TupleModel)
unbox(ValueType)(boxing.unbox_tuple)
box(ValueType)(boxing.box_namedtuple)


def lower_values(cls):
    """Make numba type every instance of `cls` and its subclasses as a `ValueType`."""

    @typeof_impl.register(cls)
    def _(value, context):
        return ValueType([typeof_impl(field, context) for field in value], type(value))


LOWERED: dict[str, tuple[str, ...]] = {}


def lower_method(name, arguments, inline):
    """Let compiled code call `value.name(*arguments)`; the class of the value says which body runs."""
    if name in LOWERED:
        if LOWERED[name] != arguments:
            raise TypeError(f"the method {name!r} takes {LOWERED[name]} in one stage and {arguments} in another.")
        return  # numba would compile the bodies once more for each time it is told of the name
    LOWERED[name] = arguments
    namespace: dict = {}
    exec(
        f"def find({', '.join(('self', *arguments))}):\n    return getattr(self.instance_class, {name!r}, None)",
        namespace,
    )
    options = {**OPTIONS, **HELPER, "forceinline": inline}
    overload_method(ValueType, name, strict=False, jit_options=options)(namespace["find"])


def by_row(dense, sparse):
    """One function with two bodies, chosen by whether the argument called x (or X) is dense or sparse."""
    names = list(inspect.signature(dense).parameters)
    which = names.index("x") if "x" in names else names.index("X")

    def choose(*arguments):
        return (sparse if isinstance(arguments[which], tuple) else dense)(*arguments)

    namespace = {"dense": dense, "sparse": sparse, "BaseTuple": types.BaseTuple}
    exec(
        f"def find({', '.join(names)}):\n    return sparse if isinstance({names[which]}, BaseTuple) else dense",
        namespace,
    )
    overload(choose, strict=False, jit_options={**OPTIONS, **HELPER})(namespace["find"])
    choose.__name__, choose.__doc__ = dense.__name__.lstrip("_"), dense.__doc__
    return choose
