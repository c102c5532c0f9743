"""Nodes of the state, laid out in memory as compiled code reads them.

Python writes the descriptors of arrays itself, so that a model binds its state in a fraction of a millisecond and
nothing is compiled for it. Only a recipe, whose values are of many types, is written by compiled code.
"""

from typing import Any, NamedTuple

import numpy as np
from numba import typeof, types
from numba.core.registry import cpu_target
from numba.extending import intrinsic

from .views import View, ViewType, fields_at


class Kind(NamedTuple):
    """What decides the type of a view, known without numba's slow look at every array."""

    cls: type
    fields: tuple


_TYPES: dict[Kind, ViewType] = {}
_ARRAY = ("meminfo", "parent", "nitems", "itemsize", "data", "shape", "strides")


def _size(view: ViewType) -> int:
    """Words of eight bytes that a node takes."""
    context = cpu_target.target_context
    return -(-context.get_abi_sizeof(context.data_model_manager[view.layout].get_value_type()) // 8)


def _descriptor(array: np.ndarray) -> list[int]:
    """An array without an owner, as numba lays it out: the words of `_ARRAY`."""
    return [0, 0, array.size, array.itemsize, array.__array_interface__["data"][0], *array.shape, *array.strides]


def view_of(node: tuple) -> Any:
    """A NamedTuple of arrays, and of such NamedTuples, as compiled code takes it. An empty one stays what it is."""
    if not node:
        return node
    kept = [field if isinstance(field, np.ndarray) else view_of(field) for field in node]
    kinds: list[Any] = []
    words: list[int] = []
    for field in kept:
        if isinstance(field, np.ndarray):
            kinds.append((field.dtype, field.ndim, field.flags.num))
            words += _descriptor(field)
        elif isinstance(field, View):
            kinds.append(field._numba_type_)
            words.append(field.address)
        else:
            kinds.append(type(field))
    kind = Kind(type(node), tuple(kinds))
    view = _TYPES.get(kind)
    if view is None:
        view = _TYPES[kind] = _view_type(node, kept, len(words))
    return View(view, np.array(words, np.int64), kept)


def _view_type(node: Any, fields: list, size: int) -> ViewType:
    view = ViewType(type(node).__name__, tuple(zip(node._fields, map(typeof, fields), strict=True)))
    manager = cpu_target.target_context.data_model_manager
    arrays = [ty for ty in view.fields.values() if isinstance(ty, types.Array)]
    if _size(view) != size or any(manager[ty]._fields != _ARRAY for ty in arrays):
        raise RuntimeError("This numba lays arrays out in a way that kernelstream does not know; install numba 0.68.")
    return view


@intrinsic
def _write(typing_context, pair, memory):
    view = ViewType(pair.instance_class.__name__, tuple(zip(pair.fields, pair.types, strict=True)))

    def store(context, builder, signature, arguments):
        pointer = context.make_array(memory)(context, builder, arguments[1]).data
        fields = fields_at(context, builder, view, pointer)
        # what a value may refer to must last: nobody will ask
        context.nrt.incref(builder, pair, arguments[0])
        for i, name in enumerate(view.fields):
            setattr(fields, name, builder.extract_value(arguments[0], i))
        return context.get_dummy_value()

    return types.void(pair, memory), store


def write(pair, memory):
    """Entry point: lay a NamedTuple of values and views out in memory (compiled by `cache.specialise`)."""
    _write(pair, memory)


def laid_out(pair: Any, write: Any) -> tuple[ViewType, np.ndarray]:
    """The type of a NamedTuple of values and views, and the words that it takes."""
    view = ViewType(type(pair).__name__, tuple((name, typeof(value)) for name, value in pair._asdict().items()))
    memory = np.zeros(_size(view), np.int64)
    write(pair, memory)
    return view, memory
