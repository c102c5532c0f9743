"""Scores as labels, probabilities or numbers."""

import numpy as np
from onnx import TensorProto

from ..answers import Classes
from .function import Emitter


def label(emit: Emitter, answer: Classes, logits: str) -> str:
    """(n,): int64, float or string."""
    graph = emit.graph
    labels = answer.labels.astype(np.float32) if answer.labels.dtype.kind == "f" else answer.labels
    index = graph.node("ArgMax", logits, axis=1, keepdims=0)
    return graph.node("Gather", graph.constant(labels), index, axis=0)


def probabilities(emit: Emitter, answer: Classes, logits: str) -> str:
    """(n, classes)."""
    graph = emit.graph
    scaled = logits if answer.factor == 1.0 else graph.node("Mul", logits, emit.constant(answer.factor))
    return graph.node("Softmax", scaled, axis=1)


def decision(emit: Emitter, answer: Classes, scores: str, outputs: int) -> str:
    """As decision_function has it, but always in two dimensions: (n, 1) for two classes, (n, classes) for more."""
    if answer.size > 2 or outputs == 1:
        return scores
    return emit.graph.node("MatMul", scores, emit.constant([[-1.0], [1.0]]))


def logits(emit: Emitter, answer: Classes, scores: str, outputs: int) -> str:
    """A score for every class: (n, classes)."""
    graph = emit.graph
    if answer.size == 1:
        return graph.node("MatMul", scores, emit.constant(np.zeros((outputs, 1))))
    if outputs > 1:
        return scores
    return graph.node("MatMul", scores, emit.constant([[0.0, 1.0]]))


def as_float(emit: Emitter, tensor: str, element: int = TensorProto.FLOAT) -> str:
    return tensor if element == emit.element else emit.graph.node("Cast", tensor, to=element)
