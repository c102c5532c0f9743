"""Model export: `kernelstream.export.onnx` for ONNX runtimes, `kernelstream.export.c` for microcontrollers."""

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from . import c, onnx

__all__ = ["c", "onnx"]


def __getattr__(name: str) -> object:
    if name in __all__:  # on first use: onnx is an optional package
        return importlib.import_module(f".{name}", __name__)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return list(__all__)
