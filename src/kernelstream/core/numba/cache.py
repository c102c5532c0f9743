"""Compiled entry points, one set per composition, kept on disk.

numba's disk cache does not notice an edited callee in another file, and one user class in a shared index breaks
every process that lacks its module. So each composition has entry points of its own, named by a fingerprint of
all the source it can reach.
"""

import functools
import hashlib
import pathlib
import sys
import types

import numpy as np
from numba import njit, typeof
from numba.types import Type

from .disk import keep_on_disk
from .forks import forks_wait_for_the_compiler
from .lean import lean
from .lowering import INTERPRETED, OPTIONS
from .nodes import laid_out, view_of, write
from .notice import told
from .views import View

forks_wait_for_the_compiler()

# What compiled code is made of: the rooms of the package whose source names a cached result. Editing any other room
# compiles nothing again.
COMPILED = ("core", "output", "kernels", "losses", "steps", "admission", "maintenance", "bounds", "budgets")
_ROOT = pathlib.Path(__file__).parents[2]


@functools.cache
def _package_source() -> bytes:
    """Digest of the source of the compiled rooms, in an order that does not depend on the machine."""
    digest = hashlib.sha256()
    for path in sorted(path for room in COMPILED for path in (_ROOT / room).rglob("*.py")):
        digest.update(path.relative_to(_ROOT).as_posix().encode())
        digest.update(path.read_bytes())
    digest.update(repr([(k, sorted(v) if isinstance(v, set) else v) for k, v in sorted(OPTIONS.items())]).encode())
    return digest.digest()


def _classes(value):
    if isinstance(value, tuple):
        yield type(value)
        for field in value:
            yield from _classes(field)


@functools.lru_cache(maxsize=1024)
def _class_source(cls) -> bytes | None:
    """What stands behind a class, or None if its code cannot be found again in another process."""
    package = __name__.partition(".")[0]
    source = b""
    for base in cls.__mro__:
        name, home = f"{base.__module__}.{base.__qualname__};".encode(), base.__module__
        if home == "builtins" or home.partition(".")[0] == package:
            source += name + repr(getattr(base, "_fields", ())).encode()
            continue
        file = getattr(sys.modules.get(home), "__file__", None)
        if home == "__main__" or file is None or "<locals>" in base.__qualname__:
            return None
        source += name + pathlib.Path(file).read_bytes()
    # a class made of a function has no name by which another process could find it
    return None if hasattr(cls, "function") else source


def fingerprint(recipe) -> tuple[str, bool]:
    """A name for the compiled code of a recipe's type, and whether it may be kept on disk."""
    return _fingerprint(tuple(_classes(recipe)))


@functools.lru_cache(maxsize=1024)
def _fingerprint(classes: tuple) -> tuple[str, bool]:
    digest, lasting = hashlib.sha256(_package_source()), True
    for cls in classes:
        source = _class_source(cls)
        if source is None:
            lasting = False
            digest.update(f"{cls.__qualname__} {id(cls)}".encode())
        else:
            digest.update(source)
    return digest.hexdigest()[:16], lasting


@functools.lru_cache(maxsize=1024)
def specialise(function, name: str, lasting: bool):
    """A compiled copy of an entry point under a name of its own."""
    if INTERPRETED:
        return function
    copy = types.FunctionType(
        function.__code__, function.__globals__, function.__name__, function.__defaults__, function.__closure__
    )
    copy.__qualname__ = f"{function.__qualname__}_{name}"
    entry = njit(no_cfunc_wrapper=True, **OPTIONS)(copy)
    cached = lasting and keep_on_disk(entry)
    compile_fully = entry.compile

    def compile_lean(signature):
        with lean():
            return compile_fully(signature)

    entry.compile = compile_lean
    entry._compiler.compile = told(entry._compiler.compile, f"{function.__name__} {name}", cached)
    return entry


def direct(entry, *arguments):
    """An entry point for arguments of just these types, compiled: numba's look at the types of a call takes longer
    than the call. What it is called with must be of these types; nobody checks."""
    return entry if INTERPRETED else entry.compile(tuple(typeof(argument) for argument in arguments))


def shared(function):
    """A compiled copy of an entry point that no recipe has a part in."""
    return specialise(function, _package_source().hex()[:16], True)


def boxed(node):
    """A NamedTuple of arrays as compiled code takes it; it keeps the arrays alive."""
    return node if INTERPRETED else view_of(node)


def _laid_out(cls, *fields):
    """The type and the words of a handle; of nodes only the types are given, and the addresses are filled in later."""
    node = cls(*[View(field, np.zeros(0, np.int64), ()) if isinstance(field, Type) else field for field in fields])
    return laid_out(node, lambda: specialise(write, *fingerprint(node)))


_laid_out_once = functools.lru_cache(maxsize=1024)(_laid_out)


def handle(node):
    """A NamedTuple of nodes, then values, as compiled code takes it: a call passes one object."""
    if INTERPRETED:
        return node
    addresses = [field.address for field in node if hasattr(field, "address")]
    fields = [getattr(field, "_numba_type_", field) for field in node]
    try:
        view, words = _laid_out_once(type(node), *fields)
    except TypeError:  # a user's recipe that holds an array has no hash
        view, words = _laid_out(type(node), *fields)
    words = words.copy()
    words[: len(addresses)] = addresses
    return View(view, words, node)
