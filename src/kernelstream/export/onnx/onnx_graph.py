"""Nodes and constants of a graph: a new model's, or one that skl2onnx builds."""

from typing import Any, Protocol

import numpy as np
from onnx import GraphProto, NodeProto, TensorProto, helper, numpy_helper

ML = "ai.onnx.ml"
TYPES = {
    np.dtype(np.float32): TensorProto.FLOAT,
    np.dtype(np.float64): TensorProto.DOUBLE,
    np.dtype(np.int64): TensorProto.INT64,
}


class OnnxGraph(Protocol):
    """Where nodes and constants are added; the names returned refer to them. All operators exist since opset 13."""

    def constant(self, value: Any) -> str: ...

    def node(self, operation: str, *inputs: str, domain: str = "", **attributes: Any) -> str: ...

    def rename(self, old: str, new: str) -> None:
        """Give an output another name."""


class ModelGraph:
    """The graph of a new ONNX model."""

    def __init__(self) -> None:
        self.nodes: list[NodeProto] = []
        self.constants: list[TensorProto] = []

    def constant(self, value: Any) -> str:
        name = f"constant_{len(self.constants)}"
        self.constants.append(tensor(value, name))
        return name

    def node(self, operation: str, *inputs: str, domain: str = "", **attributes: Any) -> str:
        name = f"{operation}_{len(self.nodes)}"
        self.nodes.append(helper.make_node(operation, inputs, [name], name=name, domain=domain, **attributes))
        return name

    def rename(self, old: str, new: str) -> None:
        self.nodes.append(helper.make_node("Identity", [old], [new], name=new))


class ConverterGraph:
    """The graph of a scikit-learn pipeline that skl2onnx converts, to which one step is added."""

    def __init__(self, scope: Any, container: Any):
        self.scope, self.container = scope, container

    def constant(self, value: Any) -> str:
        name = self.scope.get_unique_variable_name("kernelstream")
        array = np.asarray(value)
        listed = [t.encode() for t in array.ravel().tolist()] if array.dtype.kind == "U" else array.ravel().tolist()
        self.container.add_initializer(name, _element(array), list(array.shape), listed)
        return str(name)

    def node(self, operation: str, *inputs: str, domain: str = "", **attributes: Any) -> str:
        name = self.scope.get_unique_variable_name(operation)
        label = self.scope.get_unique_operator_name(operation)
        self.container.add_node(operation, list(inputs), [name], op_domain=domain, name=label, **attributes)
        return str(name)

    def rename(self, old: str, new: str) -> None:
        label = self.scope.get_unique_operator_name("Identity")
        self.container.add_node("Identity", [old], [new], name=label)


def _element(array: np.ndarray) -> int:
    return TensorProto.STRING if array.dtype.kind == "U" else TYPES[array.dtype]


def tensor(value: Any, name: str) -> TensorProto:
    """An array of numbers or strings as a constant."""
    array = np.asarray(value)
    if array.dtype.kind == "U":
        return helper.make_tensor(name, TensorProto.STRING, array.shape, [t.encode() for t in array.ravel().tolist()])
    return numpy_helper.from_array(np.ascontiguousarray(array).reshape(array.shape), name)


def subgraph(nodes: list[NodeProto], inputs: list[str], outputs: list[str], element: int) -> GraphProto:
    """The body of a Scan: tensors of one type, whose shapes the runtime infers."""
    return helper.make_graph(
        nodes,
        "body",
        [helper.make_tensor_value_info(name, element, None) for name in inputs],
        [helper.make_tensor_value_info(name, element, None) for name in outputs],
    )
