"""Models as ONNX graphs of plain operators, for onnxruntime and whatever else runs them."""

from .converter import register
from .export import to_onnx

__all__ = ["register", "to_onnx"]
