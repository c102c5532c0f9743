"""State passed to compiled code by reference.

A node of the state is a NamedTuple of arrays that Python owns. Compiled code sees it as a *view*: a bare pointer to
the arrays' descriptors, without ownership of the node or of the arrays. So there is no reference counting in the
loop, which would cost more than a kernel row. The owner, a `Model`, must keep nodes and arrays alive as long as its
handle.
"""

from typing import Any

from numba import types
from numba.core import cgutils
from numba.core.datamodel import models
from numba.core.imputils import impl_ret_borrowed, lower_getattr_generic
from numba.core.typing.templates import AttributeTemplate, infer_getattr
from numba.experimental import structref
from numba.extending import NativeValue, intrinsic, overload, register_model, unbox

from ._lowering import HELPER


@structref.register
class NodeType(types.StructRef):
    @property
    def key(self):
        # structref types compare by their printed name; two nodes may print alike and differ
        return (NodeType, self._fields)

    def preprocess_fields(self, fields):
        return tuple((name, types.unliteral(ty)) for name, ty in fields)


class Node(structref.StructRefProxy):
    """What Python holds of a node: an opaque owner of its memory."""


structref.define_boxing(NodeType, Node)


class ViewType(types.Type):
    """A node without ownership."""

    def __init__(self, node):
        self.node = node
        super().__init__(name=f"View({node})")

    @property
    def key(self):
        return (ViewType, self.node)


register_model(ViewType)(models.OpaqueModel)


class View:
    """A node as Python passes it: its type and its address, plain attributes, so that a call takes it in at once.

    To unbox the node itself would cost more than all the other arguments of a call.
    """

    __slots__ = ("_numba_type_", "address", "node")

    def __init__(self, node: Any):
        self.node, self._numba_type_, self.address = node, ViewType(node._numba_type_), node._meminfo.data


@unbox(ViewType)
def _point(view, value, c):
    address = c.pyapi.object_getattr_string(value, "address")
    pointer = c.pyapi.long_as_voidptr(address)
    c.pyapi.decref(address)
    return NativeValue(pointer)


@infer_getattr
class _ViewFields(AttributeTemplate):
    key = ViewType

    def generic_resolve(self, view, name):
        return view.node.field_dict.get(name)


@lower_getattr_generic(ViewType)
def _load_field(context, builder, view, pointer, name):
    payload = view.node.get_data_type()
    stored = context.data_model_manager[payload].get_value_type()
    fields = cgutils.create_struct_proxy(payload)(context, builder, ref=builder.bitcast(pointer, stored.as_pointer()))
    return impl_ret_borrowed(context, builder, view.node.field_dict[name], getattr(fields, name))


@intrinsic
def borrow(typing_context, value):
    """An array without ownership; anything else as it is."""
    if isinstance(value, types.Array):

        def disown(context, builder, signature, arguments):
            make = context.make_array(value)
            source, target = make(context, builder, arguments[0]), make(context, builder)
            for field in ("data", "shape", "strides", "itemsize", "nitems"):
                setattr(target, field, getattr(source, field))
            target.meminfo = cgutils.get_null_value(source.meminfo.type)
            target.parent = cgutils.get_null_value(source.parent.type)
            return target._getvalue()

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


def pack(node):
    raise TypeError("pack is for compiled code")


@overload(pack, jit_options=HELPER)
def _pack(node):
    fields = "".join(f"    new.{name} = borrow(node.{name})\n" for name in node.fields)
    kept = NodeType(tuple(zip(node.fields, node.types, strict=True)))
    namespace = {"ty": kept, "structref": structref, "borrow": borrow}
    exec(f"def build(node):\n    new = structref.new(ty)\n{fields}    return new", namespace)
    return namespace["build"]


def reference(node):
    """Entry point: a NamedTuple of arrays and views as a node (compiled by `_cache.specialise`)."""
    return pack(node)
