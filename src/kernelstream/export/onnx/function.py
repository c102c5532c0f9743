"""Functions as operators: a matrix product gives distances, an Exp their kernel values, another product scores."""

from typing import Any

import numpy as np
from onnx import helper

from ..answers import Classes
from ..formula import DOT, MANHATTAN, SQUARED, written
from ..portable import Portable
from ..rows import RawRows
from ..shapes import Affine, Expansion, Waves
from .graph import ML, TYPES, Graph, subgraph

_CLOSE = 2e-6  # of the largest score
_OPERATORS = {
    "add": "Add", "sub": "Sub", "mul": "Mul", "div": "Div", "pow": "Pow", "neg": "Neg", "exp": "Exp", "log": "Log",
    "sqrt": "Sqrt", "abs": "Abs", "cos": "Cos", "sin": "Sin", "tanh": "Tanh", "min": "Min", "max": "Max",
}  # fmt: skip


def precision(model: Portable) -> np.dtype:
    """float32 if, at the support vectors and between them, it gives the scores that float64 gives, and the same labels.

    Large γ, far centres and coefficients that cancel need more. So do angles of waves, which are large if the data is
    far away, of which the model keeps nothing; and who learned in float64 wants its digits.
    """
    if isinstance(model.function, Waves) or model.dtype == np.float64:
        return np.dtype(np.float64)
    X = np.concatenate([model.sample, model.between])
    exact, rough = (model.function.at(X, kind) for kind in (np.float64, np.float32))
    largest = np.abs(exact - model.function.intercept).max(initial=0.0)
    near = np.abs(exact - rough).max(initial=0.0) <= _CLOSE * largest
    if isinstance(model.answer, Classes):
        near = near and bool((model.answer.winners(exact) == model.answer.winners(rough)).all())
    return np.dtype(np.float32 if near else np.float64)


class Emitter:
    """Writes a model into a graph in one precision."""

    def __init__(self, graph: Graph, dtype: np.dtype):
        self.graph, self.dtype, self.element = graph, dtype, TYPES[dtype]

    def constant(self, value: Any) -> str:
        """Also what a formula calls for."""
        return self.graph.constant(np.asarray(value, self.dtype))

    def operation(self, name: str, operands: list[str]) -> str:
        return self.graph.node(_OPERATORS[name], *operands)

    def sum_of(self, tensor: str) -> str:
        """Over the columns."""
        return self.graph.node("ReduceSum", tensor, self.graph.constant(np.array([1])), keepdims=1)

    def features(self, rows: RawRows, numbers: str | None, words: str | None) -> str:
        """x' of a tensor of numbers (n, width) and one of strings (n, columns of words)."""
        graph, parts = self.graph, []
        if numbers is not None:
            X = graph.node("Cast", numbers, to=self.element)
            if rows.fill is not None:
                X = graph.node("Where", graph.node("IsNaN", X), self.constant(rows.fill), X)
            parts.append(X)
        width = sum(len(known) for _, known in rows.words)
        if words is not None and width:
            parts.append(self._places(rows, words, width))
        X = parts[0] if len(parts) == 1 else graph.node("Concat", *parts, axis=1)
        X = graph.node("Sub", X, self.constant(rows.centre))
        return X if (rows.factor == 1.0).all() else graph.node("Mul", X, self.constant(rows.factor))

    def _places(self, rows: RawRows, words: str, width: int) -> str:
        """(n, width): 1 in the place of every word that is known."""
        graph, found = self.graph, []
        values = graph.constant(np.array([0.0, 1.0], np.float32))  # onnxruntime has no OneHot of doubles
        for i, (_, known) in enumerate(rows.words):
            if known:
                column = graph.node("Gather", words, graph.constant(np.array(i)), axis=1)
                # beyond the last place there is nothing but zeros
                place = graph.node(
                    "LabelEncoder", column, domain=ML, keys_strings=list(known), values_int64s=list(known.values()),
                    default_int64=width,
                )  # fmt: skip
                found.append(graph.node("OneHot", place, graph.constant(np.array(width)), values, axis=1))
        return graph.node("Cast", graph.node("Sum", *found), to=self.element)

    def scores(self, function: Affine | Waves | Expansion, X: str) -> str:
        """(n, outputs)."""
        if isinstance(function, Affine):
            found = self.graph.node("MatMul", X, self.constant(function.weights))
        elif isinstance(function, Waves):
            found = self._waves(function, X)
        else:
            found = self._expansion(function, X)
        return self.graph.node("Add", found, self.constant(function.intercept))

    def _waves(self, function: Waves, X: str) -> str:
        graph = self.graph
        angles = graph.node("MatMul", X, self.constant(function.frequencies.T))
        angles = graph.node("Add", angles, self.constant(function.phases))
        cosines = graph.node("MatMul", graph.node("Cos", angles), self.constant(function.cosines))
        sines = graph.node("MatMul", graph.node("Sin", angles), self.constant(function.sines))
        return graph.node("Add", cosines, sines)

    def _expansion(self, function: Expansion, X: str) -> str:
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
        """Σ_k |x_k − z_k|, one feature after the other: all at once would take rows × vectors × features of memory."""
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
