"""A model as ONNX operators: raw rows to features, distances by matrix products, kernel values, scores, labels."""

from typing import Any

import numpy as np
from onnx import TensorProto, helper

from ..exported_function import ExportedFunction, FourierFunction, KernelExpansion, LinearFunction
from ..kernel_formula import DOT, MANHATTAN, SQUARED, written
from ..portable_model import PortableModel
from ..prediction_task import ClassificationTask
from ..raw_rows import RawRows
from .onnx_graph import ML, TYPES, OnnxGraph, subgraph
from .rank_nodes import with_ranks

_CLOSE = 2e-6  # relative to the largest score
_OPERATORS = {
    "add": "Add", "sub": "Sub", "mul": "Mul", "div": "Div", "pow": "Pow", "neg": "Neg", "exp": "Exp", "log": "Log",
    "sqrt": "Sqrt", "abs": "Abs", "cos": "Cos", "sin": "Sin", "tanh": "Tanh", "min": "Min", "max": "Max",
}  # fmt: skip


def precision(model: PortableModel) -> np.dtype:
    """float32 if, at the support vectors and between them, it gives the same scores and labels as float64.

    Large γ, distant centres and cancelling coefficients need float64. So do the angles of random features, which are
    large for data far from 0 (the model does not keep where its data was), and models trained in float64.
    """
    if isinstance(model.function, FourierFunction) or model.dtype == np.float64:
        return np.dtype(np.float64)
    X = np.concatenate([model.sample, model.between])
    exact, rough = (model.function.at(X, kind) for kind in (np.float64, np.float32))
    largest = np.abs(exact - model.function.intercept).max(initial=0.0)
    near = np.abs(exact - rough).max(initial=0.0) <= _CLOSE * largest
    if isinstance(model.task, ClassificationTask):
        near = near and bool((model.task.winners(exact) == model.task.winners(rough)).all())
    return np.dtype(np.float32 if near else np.float64)


class GraphWriter:
    """Adds a model to a graph, in one precision. Methods return the names of tensors."""

    def __init__(self, graph: OnnxGraph, dtype: np.dtype):
        self.graph, self.dtype, self.element = graph, dtype, TYPES[dtype]

    def constant(self, value: Any) -> str:
        """A constant in this precision; with `operation`, a `FormulaWriter`."""
        return self.graph.constant(np.asarray(value, self.dtype))

    def operation(self, name: str, operands: list[str]) -> str:
        return self.graph.node(_OPERATORS[name], *operands)

    def sum_of(self, tensor: str) -> str:
        """The sum over columns."""
        return self.graph.node("ReduceSum", tensor, self.graph.constant(np.array([1])), keepdims=1)

    def features(self, rows: RawRows, numbers: str | None, categories: str | None) -> str:
        """x' from a tensor of numbers (n, width) and one of strings (n, categorical columns)."""
        graph, parts = self.graph, []
        if numbers is not None:
            X = given = graph.node("Cast", numbers, to=self.element)
            X = self._compressed(rows, X) if rows.skewed else X
            if rows.fill is not None:
                X = graph.node("Where", graph.node("IsNaN", X), self.constant(rows.fill), X)
            parts.append(X)
        width = sum(len(known) for _, known in rows.categories) + len(rows.marks)
        ones = [self._one_hot(rows, categories, width)] if categories is not None and width else []
        if rows.marks:
            ones.append(self._marked(rows, given, width))
        if ones:
            parts.append(graph.node("Sum", *ones))
        X = parts[0] if len(parts) == 1 else graph.node("Concat", *parts, axis=1)
        X = with_ranks(graph, self.dtype, rows, X)
        X = graph.node("Sub", X, self.constant(rows.centre))
        X = X if (rows.factor == 1.0).all() else graph.node("Mul", X, self.constant(rows.factor))
        if rows.limits is None:
            return X
        low, high = map(self.constant, rows.limits)
        return graph.node("Min", graph.node("Max", X, low), high)

    def _compressed(self, rows: RawRows, X: str) -> str:
        """With the skewed columns compressed."""
        centre, width, where = np.zeros(rows.width), np.ones(rows.width), np.zeros(rows.width, bool)
        for column, how in rows.skewed:
            centre[column], width[column], where[column] = how.centre, how.width, True
        away = self.graph.node("Sub", X, self.constant(centre))
        ratio = self.graph.node("Div", away, self.constant(width))
        # asinh by logarithms: onnxruntime has no Asinh of doubles
        size = self.graph.node("Abs", ratio)
        root = self.graph.node("Sqrt", self.graph.node("Add", self.graph.node("Mul", size, size), self.constant(1.0)))
        bent = self.graph.node("Log", self.graph.node("Add", size, root))
        bent = self.graph.node("Mul", bent, self.graph.node("Sign", ratio))
        chosen = self.graph.node("Cast", self.graph.constant(where.astype(np.int64)), to=TensorProto.BOOL)
        return self.graph.node("Where", chosen, bent, X)

    def _marked(self, rows: RawRows, numbers: str, width: int) -> str:
        """(n, width): 1 at the marks of missing numbers."""
        where = np.zeros((rows.width, width))
        for column, mark in rows.marks:
            where[column, mark] = 1.0
        missing = self.graph.node("Cast", self.graph.node("IsNaN", numbers), to=self.element)
        return self.graph.node("MatMul", missing, self.constant(where))

    def _one_hot(self, rows: RawRows, categories: str, width: int) -> str:
        """(n, width): one-hot encoded categories; an unknown one is all zeros."""
        graph, found = self.graph, []
        values = graph.constant(np.array([0.0, 1.0], np.float32))  # onnxruntime has no OneHot of doubles
        for i, (_, known) in enumerate(rows.categories):
            if known:
                column = graph.node("Gather", categories, graph.constant(np.array(i)), axis=1)
                # the index `width` is out of range: all zeros
                index = graph.node(
                    "LabelEncoder", column, domain=ML, keys_strings=list(known), values_int64s=list(known.values()),
                    default_int64=width,
                )  # fmt: skip
                found.append(graph.node("OneHot", index, graph.constant(np.array(width)), values, axis=1))
        return graph.node("Cast", graph.node("Sum", *found), to=self.element)

    def scores(self, function: ExportedFunction, X: str) -> str:
        """(n, outputs)."""
        if isinstance(function, LinearFunction):
            found = self.graph.node("MatMul", X, self.constant(function.weights))
        elif isinstance(function, FourierFunction):
            found = self._fourier(function, X)
        else:
            found = self._expansion(function, X)
        return self.graph.node("Add", found, self.constant(function.intercept))

    def _fourier(self, function: FourierFunction, X: str) -> str:
        graph = self.graph
        angles = graph.node("MatMul", X, self.constant(function.frequencies.T))
        angles = graph.node("Add", angles, self.constant(function.phases))
        cosines = graph.node("MatMul", graph.node("Cos", angles), self.constant(function.cosines))
        sines = graph.node("MatMul", graph.node("Sin", angles), self.constant(function.sines))
        return graph.node("Add", cosines, sines)

    def _expansion(self, function: KernelExpansion, X: str) -> str:
        graph, needed, Z = self.graph, function.quantities, function.vectors
        values: dict[str, str] = {}
        if needed & {SQUARED, DOT}:
            product = graph.node("MatMul", X, self.constant(Z.T))
        if SQUARED in needed:
            lengths = self.sum_of(graph.node("Mul", X, X))
            squares = graph.node("Add", lengths, self.constant((Z * Z).sum(axis=1)))
            twice = graph.node("Mul", product, self.constant(2.0))
            values[SQUARED] = graph.node("Max", graph.node("Sub", squares, twice), self.constant(0.0))
        if DOT in needed:
            shift = graph.node("MatMul", X, self.constant(function.offset[:, None]))
            shift = graph.node("Add", shift, self.constant(function.products))
            values[DOT] = graph.node("Add", product, shift)
        if MANHATTAN in needed:
            values[MANHATTAN] = self._manhattan(Z, X)
        K = written(function.formula, values, self)
        return graph.node("MatMul", K, self.constant(function.coefficients))

    def _manhattan(self, Z: np.ndarray, X: str) -> str:
        """Σ_k |x_k − z_k|, one feature after the other, to avoid rows × vectors × features numbers in memory."""
        graph = self.graph
        rows = graph.node("Mul", self.sum_of(X), self.constant(0.0))  # (n, 1)
        start = graph.node("Add", rows, self.constant(np.zeros((1, len(Z)))))
        axis = "axis"
        body = subgraph(
            [
                helper.make_node("Unsqueeze", ["x", axis], ["column"]),
                helper.make_node("Sub", ["column", "z"], ["difference"]),
                helper.make_node("Abs", ["difference"], ["distance"]),
                helper.make_node("Add", ["before", "distance"], ["after"]),
            ],
            ["before", "x", "z"],
            ["after"],
            self.element,
        )
        body.initializer.append(helper.make_tensor(axis, TYPES[np.dtype(np.int64)], [1], [1]))
        return graph.node("Scan", start, X, self.constant(Z.T), num_scan_inputs=2, scan_input_axes=[1, 0], body=body)

    def logits(self, task: ClassificationTask, scores: str, outputs: int) -> str:
        """One score per class: (n, classes)."""
        if task.size == 1:
            return self.graph.node("MatMul", scores, self.constant(np.zeros((outputs, 1))))
        if outputs > 1:
            return scores
        return self.graph.node("MatMul", scores, self.constant([[0.0, 1.0]]))

    def label(self, task: ClassificationTask, logits: str) -> str:
        """(n,): int64, float or string."""
        labels = task.labels.astype(np.float32) if task.labels.dtype.kind == "f" else task.labels
        index = self.graph.node("ArgMax", logits, axis=1, keepdims=0)
        return self.graph.node("Gather", self.graph.constant(labels), index, axis=0)

    def probabilities(self, task: ClassificationTask, logits: str) -> str:
        """(n, classes)."""
        scaled = logits if task.factor == 1.0 else self.graph.node("Mul", logits, self.constant(task.factor))
        return self.graph.node("Softmax", scaled, axis=1)

    def decision(self, task: ClassificationTask, scores: str, outputs: int) -> str:
        """The scores of `decision_function`, always in two dimensions: (n, 1) for two classes, else (n, classes)."""
        if task.size > 2 or outputs == 1:
            return scores
        return self.graph.node("MatMul", scores, self.constant([[-1.0], [1.0]]))

    def as_float(self, tensor: str, element: int = TensorProto.FLOAT) -> str:
        return tensor if element == self.element else self.graph.node("Cast", tensor, to=element)
