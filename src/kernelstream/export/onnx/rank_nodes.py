"""Rank columns as ONNX operators: values[0] + Σ_j (values[j+1] − values[j]) · clip((x − knots[j]) / width_j, 0, 1)."""

import numpy as np

from ...tuning import RankColumn
from ..raw_rows import RawRows
from .onnx_graph import OnnxGraph


def with_ranks(graph: OnnxGraph, dtype: np.dtype, rows: RawRows, X: str) -> str:
    """Rows of inputs with their rank columns after them. One column at a time needs memory for its knots only."""
    if not rows.ranks:
        return X
    return graph.node("Concat", X, *(_ranks(graph, dtype, column, X) for column in rows.ranks), axis=1)


def _ranks(graph: OnnxGraph, dtype: np.dtype, column: RankColumn, X: str) -> str:
    """(n, 1)."""

    def constant(values: np.ndarray | float) -> str:
        return graph.constant(np.asarray(values, dtype))

    lower = column.knots[:-1]
    x = graph.node("Gather", X, graph.constant(np.array([column.source])), axis=1)
    beyond = graph.node("Sub", x, constant(lower))
    rest = lower - lower.astype(dtype)
    if rest.any():  # the difference of neighbours is exact, so what was rounded off the knots is not lost after it
        beyond = graph.node("Sub", beyond, constant(rest))
    with np.errstate(over="ignore", divide="ignore"):
        # 0 · inf is not a number
        inverse = np.minimum(1.0 / np.diff(column.knots), 0.1 * float(np.finfo(dtype).max))
    parts = graph.node("Clip", graph.node("Mul", beyond, constant(inverse)), constant(0.0), constant(1.0))
    risen = graph.node("MatMul", parts, constant(np.diff(column.values)[:, None]))
    return graph.node("Add", risen, constant(column.values[0]))
