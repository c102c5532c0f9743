"""ONNX export: models as graphs of standard operators, for onnxruntime and other runtimes."""

try:
    import onnx  # noqa: F401  needed by all modules below
except ImportError as error:
    raise ImportError("kernelstream.export.onnx needs onnx: pip install 'kernelstream[onnx]'") from error

from .onnx_model import to_onnx
from .skl2onnx_converter import register

__all__ = ["register", "to_onnx"]
