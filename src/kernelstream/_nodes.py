"""State passed to compiled code by reference.

A node of the state is a NamedTuple of arrays that Python owns. Compiled code gets it as a structref whose
arrays are *borrowed*: without ownership there is no reference counting in the loop (0.71 against 0.22 µs per
example when it was measured), and the owner, a `Model`, must stay alive as long as the handle does.
"""

from numba import types
from numba.core import cgutils
from numba.core.imputils import impl_ret_borrowed
from numba.experimental import structref
from numba.extending import intrinsic, overload

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
    """What Python holds of a node: an opaque handle."""


structref.define_boxing(NodeType, Node)


@intrinsic
def borrow(typing_context, value):
    """The same array without ownership; anything else as it is."""
    if not isinstance(value, types.Array):

        def same(context, builder, signature, arguments):
            return impl_ret_borrowed(context, builder, signature.return_type, arguments[0])

        return value(value), same

    def disown(context, builder, signature, arguments):
        make = context.make_array(value)
        source, target = make(context, builder, arguments[0]), make(context, builder)
        for field in ("data", "shape", "strides", "itemsize", "nitems"):
            setattr(target, field, getattr(source, field))
        target.meminfo = cgutils.get_null_value(source.meminfo.type)
        target.parent = cgutils.get_null_value(source.parent.type)
        return target._getvalue()

    return value(value), disown


def pack(node):
    raise TypeError("pack is for compiled code")


@overload(pack, jit_options=HELPER)
def _pack(node):
    fields = "".join(f"    new.{name} = borrow(node.{name})\n" for name in node.fields)
    namespace = {"ty": NodeType(list(zip(node.fields, node.types, strict=True))), "structref": structref, "borrow": borrow}
    exec(f"def build(node):\n    new = structref.new(ty)\n{fields}    return new", namespace)
    return namespace["build"]


def reference(node):
    """Entry point: a NamedTuple of arrays as a node (compiled by `_cache.specialise`)."""
    return pack(node)
