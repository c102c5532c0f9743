"""Model export: `kernelstream.export.onnx` for ONNX runtimes, `kernelstream.export.c` for microcontrollers.

For another format, `portable` gives a model as plain arrays and the formula of its kernel, which `written` translates.
"""

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from . import c, onnx
    from .exported_function import FourierFunction, KernelExpansion, LinearFunction
    from .kernel_formula import FormulaWriter, written
    from .portable_model import PortableModel, portable

_HOMES = {
    "FormulaWriter": "kernel_formula", "FourierFunction": "exported_function", "KernelExpansion": "exported_function",
    "LinearFunction": "exported_function", "PortableModel": "portable_model", "portable": "portable_model",
    "written": "kernel_formula",
}  # fmt: skip

__all__ = [
    "FormulaWriter",
    "FourierFunction",
    "KernelExpansion",
    "LinearFunction",
    "PortableModel",
    "c",
    "onnx",
    "portable",
    "written",
]


def __getattr__(name: str) -> object:
    # on first use: onnx is an optional package, and the estimators take a second to import
    if name in _HOMES:
        return getattr(importlib.import_module(f".{_HOMES[name]}", __name__), name)
    if name in __all__:
        return importlib.import_module(f".{name}", __name__)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return list(__all__)
