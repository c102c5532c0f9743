"""State passed to compiled code by reference.

A node of the state is a NamedTuple of arrays that Python owns, and of such NamedTuples. Compiled code sees a *view* of
it: the address of the arrays' descriptors, without ownership of anything. So there is no reference counting in the
loop, which would cost more than a kernel row. `nodes.py` makes views of nodes.
"""

import hashlib
from typing import Any

import numpy as np
from numba import types
from numba.core import cgutils
from numba.core.datamodel import models
from numba.core.imputils import impl_ret_borrowed, lower_getattr_generic
from numba.core.typing.templates import AttributeTemplate, infer_getattr
from numba.extending import NativeValue, intrinsic, overload, register_model, unbox

from .lowering import HELPER


class ViewType(types.Type):
    """A node: the names and types of its fields."""

    def __init__(self, title: str, fields: tuple):
        self.fields = dict(fields)
        # arrays and views are known by their names; of other types, two may print alike and differ
        self.others = tuple(ty for _, ty in fields if not isinstance(ty, (types.Array, ViewType)))
        # a short name, because numba makes it a part of the name of every function that takes it
        super().__init__(name=f"{title}_{hashlib.sha256(repr(fields).encode()).hexdigest()[:16]}")

    @property
    def key(self):
        return self.name, self.others

    @property
    def layout(self):
        """What the address points to."""
        return Layout(self)


class Layout(types.Type):
    def __init__(self, view: ViewType):
        self.view = view
        super().__init__(name=f"Layout({view})")

    @property
    def key(self):
        return self.view.key


register_model(ViewType)(models.OpaqueModel)


@register_model(Layout)
class _LayoutModel(models.StructModel):
    def __init__(self, manager, layout):
        super().__init__(manager, layout, list(layout.view.fields.items()))


class View:
    """A node as Python passes it: its type and its address, plain attributes, so that a call takes it in at once.

    It keeps alive what it points to.
    """

    __slots__ = ("_numba_type_", "address", "kept")

    def __init__(self, view: ViewType, words: np.ndarray, kept: Any):
        self._numba_type_, self.address, self.kept = view, words.ctypes.data, (words, kept)


@unbox(ViewType)
def point(kind, value, c):
    """The attribute `address` of a Python object, as compiled code takes it."""
    address = c.pyapi.object_getattr_string(value, "address")
    pointer = c.pyapi.long_as_voidptr(address)
    c.pyapi.decref(address)
    return NativeValue(pointer)


@infer_getattr
class _ViewFields(AttributeTemplate):
    key = ViewType

    def generic_resolve(self, view, name):
        return view.fields.get(name)


def _disowned(context, builder, kind, value):
    """An array that, as the compiler can see, nobody counts the references of: no counting is compiled."""
    array = context.make_array(kind)(context, builder, value)
    array.meminfo = cgutils.get_null_value(array.meminfo.type)
    array.parent = cgutils.get_null_value(array.parent.type)
    return array._getvalue()


def fields_at(context, builder, view, pointer):
    """The fields of the node at an address."""
    stored = context.data_model_manager[view.layout].get_value_type()
    return cgutils.create_struct_proxy(view.layout)(context, builder, ref=builder.bitcast(pointer, stored.as_pointer()))


@lower_getattr_generic(ViewType)
def _load_field(context, builder, view, pointer, name):
    kind, value = view.fields[name], getattr(fields_at(context, builder, view, pointer), name)
    if isinstance(kind, types.Array):
        value = _disowned(context, builder, kind, value)
    return impl_ret_borrowed(context, builder, kind, value)


@intrinsic
def borrow(typing_context, value):
    """An array without ownership; anything else as it is."""
    if isinstance(value, types.Array):

        def disown(context, builder, signature, arguments):
            return _disowned(context, builder, value, arguments[0])

        return value(value), disown

    def same(context, builder, signature, arguments):
        return impl_ret_borrowed(context, builder, signature.return_type, arguments[0])

    return value(value), same


def unowned(value):
    """The arrays of a caller who keeps them alive, without reference counts: slicing a row would cost two of them."""
    return value


@overload(unowned, jit_options=HELPER)
def _unowned(value):
    if not isinstance(value, types.NamedTuple):
        return lambda value: borrow(value)
    namespace = {"cls": value.instance_class, "borrow": borrow}
    exec(f"def build(value):\n    return cls({', '.join(f'borrow(value.{name})' for name in value.fields)})", namespace)
    return namespace["build"]
