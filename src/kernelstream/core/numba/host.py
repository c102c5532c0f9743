"""What the compiler and the CPU of this process are, as far as compiled code depends on it."""

import sys
import sysconfig
from functools import cache
from typing import Any

import llvmlite
import llvmlite.binding as llvm
import numba
from numba import config


@cache
def host() -> dict[str, Any]:
    """What must be equal where code was compiled and where it runs, apart from the CPU."""
    return {
        "numba": numba.__version__,
        "llvmlite": llvmlite.__version__,
        "python": f"{sys.implementation.cache_tag}{getattr(sys, 'abiflags', '')}",
        "platform": sysconfig.get_platform(),
        "triple": llvm.get_process_triple(),
    }


@cache
def cpu_features() -> frozenset[str]:
    """Features of this CPU, by LLVM's names."""
    try:
        return frozenset(name for name, there in llvm.get_host_cpu_features().items() if there)
    except RuntimeError:  # LLVM does not know this CPU
        return frozenset()


def settings() -> tuple:
    """Settings of numba that change what it compiles."""
    return int(config.OPT), bool(config.BOUNDSCHECK), bool(config.DEBUGINFO_DEFAULT), bool(config.USING_SVML)
