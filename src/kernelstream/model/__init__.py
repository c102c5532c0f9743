"""`Model`: a recipe with its state. It learns rows, scores rows, and can be reshaped, copied and compressed."""

from .feature_relevance import relevance
from .gradient import gradients
from .learning import BadRow
from .model import Model
from .record import Record
from .scoring import BLOCK, Function

__all__ = ["BLOCK", "BadRow", "Function", "Model", "Record", "gradients", "relevance"]
