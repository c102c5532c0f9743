"""Models as ONNX graphs of plain operators, for onnxruntime and whatever else runs them."""

try:
    import onnx  # noqa: F401  what all modules below need
except ImportError as error:
    raise ImportError("kernelstream.export.onnx needs onnx: pip install 'kernelstream[onnx]'") from error

from .converter import register
from .export import to_onnx

__all__ = ["register", "to_onnx"]
