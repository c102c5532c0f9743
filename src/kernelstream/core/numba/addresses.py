"""Compiled functions that other compiled code calls by address.

The caller is compiled for the signature alone, so one that is compiled again, for sparse rows or another loss, leaves
the function as it is. The address is read from memory at each call: code on disk contains none.
"""

import functools

from numba import typeof, types
from numba.core import cgutils
from numba.core.datamodel import models
from numba.core.typing import signature
from numba.extending import lower_builtin, register_model, unbox

from .lowering import INTERPRETED
from .views import point


class CodeType(types.Callable):
    """A function, by the types of its arguments and its result."""

    def __init__(self, arguments: tuple, result=types.none):
        self.arguments, self.result = arguments, result
        super().__init__(name=f"Code({', '.join(map(str, arguments))}) -> {result}")

    @property
    def key(self):
        return self.arguments, self.result

    def get_call_type(self, context, args, kws):
        return signature(self.result, *self.arguments, recvr=self)

    def get_call_signatures(self):
        return [self.get_call_type(None, (), {})], False

    def get_impl_key(self, sig):
        return CodeType


register_model(CodeType)(models.OpaqueModel)
unbox(CodeType)(point)


class Code:
    """A compiled function as a handle contains it. It keeps the machine code alive."""

    __slots__ = ("_numba_type_", "address", "kept")

    def __init__(self, arguments: tuple, result):
        self._numba_type_, self.kept = CodeType(arguments, result.signature.return_type), result
        self.address = result.library.get_pointer_to_function(result.fndesc.llvm_func_name)


def by_address(entry, *arguments):
    """An entry point, compiled for arguments of these types, for compiled code to call."""
    if INTERPRETED:
        return entry
    return _code(entry, tuple(typeof(argument) for argument in arguments))


@functools.lru_cache(maxsize=1024)
def _code(entry, kinds: tuple) -> Code:
    entry.compile(kinds)
    return Code(kinds, entry.overloads[kinds])


@lower_builtin(CodeType, types.VarArg(types.Any))
def _call(context, builder, sig, arguments):
    _, *kinds = sig.args
    convention = context.call_conv
    function = convention.get_function_type(sig.return_type, kinds)
    pointer = builder.bitcast(arguments[0], function.as_pointer())
    status, result = convention.call_function(builder, pointer, sig.return_type, kinds, arguments[1:])
    with cgutils.if_unlikely(builder, status.is_error):
        convention.return_status_propagate(builder, status)
    return result
