"""Compile an entry point once, not once for every function below it.

numba optimises each helper and makes machine code of it, then links it into its callers and optimises it again, at
every level up to the entry point. Only the entry point ever runs, and its module contains all of its helpers: while one
of ours is compiled, helpers are therefore left as they are. That halves the time to a first fit.

This reaches into numba further than its extension interface goes, so it is done for the versions it has been tested
with; with others numba compiles in its own way.
"""

import gc
from contextlib import contextmanager

import numba
from numba._dynfunc import make_function
from numba.core.codegen import CPUCodeLibrary
from numba.core.compiler_lock import global_compiler_lock
from numba.core.cpu import CPUContext

TESTED = ("0.68.",)


def _runs(library) -> bool:
    """Whether Python can call something in the library: a helper has no wrapper for that.

    A library that was read from the disk cache brings machine code, and its module defines nothing.
    """
    names = [f.name for f in library._final_module.functions if not f.is_declaration]
    return not names or any(name.startswith("_ZN7cpython") for name in names)


@contextmanager
def _uncollected():
    """No garbage collection: a compiler keeps most of its many objects, so that looking for unused ones is in vain."""
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collects:
            gc.enable()


@contextmanager
def lean():
    """While this lasts, numba compiles helpers only as parts of what calls them."""
    if not numba.__version__.startswith(TESTED):
        yield
        return
    optimize, finish = CPUCodeLibrary._optimize_final_module, CPUCodeLibrary._finalize_final_module
    executable = CPUContext.get_executable

    def optimize_entry(self):
        if _runs(self):
            optimize(self)

    def finish_entry(self):
        if _runs(self):
            finish(self)
        else:
            self._finalize_dynamic_globals()
            self._verify_declare_only_symbols()
            self._finalized = True

    def executable_entry(self, library, fndesc, env):
        if _runs(library):
            return executable(self, library, fndesc, env)
        name = fndesc.qualname.split(".")[-1]
        return make_function(fndesc.lookup_module(), name, "a part of its callers", 0, env, (library,))

    ours = {
        (CPUCodeLibrary, "_optimize_final_module"): optimize_entry,
        (CPUCodeLibrary, "_finalize_final_module"): finish_entry,
        (CPUContext, "get_executable"): executable_entry,
    }
    numbas = {place: getattr(*place) for place in ours}
    with global_compiler_lock, _uncollected():
        try:
            for (cls, name), method in ours.items():
                setattr(cls, name, method)
            yield
        finally:
            for (cls, name), method in numbas.items():
                setattr(cls, name, method)
