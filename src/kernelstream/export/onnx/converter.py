"""Our estimators as steps of pipelines that skl2onnx converts."""

from typing import Any

from ...estimators import KernelClassifier, KernelRegressor
from ..answers import Classes
from ..portable import portable
from . import answer as answers
from .function import Emitter, precision
from .graph import ConverterGraph, TensorProto


def register() -> None:
    """Teach skl2onnx to convert `KernelClassifier` and `KernelRegressor`, alone and in pipelines.

    >>> import numpy as np, onnxruntime, skl2onnx
    >>> from sklearn.pipeline import make_pipeline
    >>> from sklearn.preprocessing import StandardScaler
    >>> import kernelstream.export.onnx
    >>> from kernelstream import KernelClassifier
    >>> from kernelstream.datasets import checkerboard
    >>> X, y = checkerboard(5000, seed=1)
    >>> pipe = make_pipeline(StandardScaler(), KernelClassifier(gamma=4.0, budget=50, random_state=0)).fit(X, y)
    >>> kernelstream.export.onnx.register()
    >>> X = X.astype(np.float32)
    >>> session = onnxruntime.InferenceSession(skl2onnx.to_onnx(pipe, X[:1]).SerializeToString())
    >>> bool((session.run(None, {"X": X})[0] == pipe.predict(X)).all())
    True
    """
    try:
        from skl2onnx import update_registered_converter
        from skl2onnx.common.shape_calculator import (
            calculate_linear_classifier_output_shapes,
            calculate_linear_regressor_output_shapes,
        )
    except ImportError as error:
        raise ImportError("register() needs skl2onnx: pip install 'kernelstream[onnx]'") from error
    update_registered_converter(
        KernelClassifier, "KernelstreamKernelClassifier", calculate_linear_classifier_output_shapes,
        _convert_classifier, options={"nocl": [True, False], "zipmap": [True, False, "columns"]},
    )  # fmt: skip
    update_registered_converter(
        KernelRegressor, "KernelstreamKernelRegressor", calculate_linear_regressor_output_shapes, _convert_regressor
    )


def _convert_classifier(scope: Any, operator: Any, container: Any) -> None:
    graph, source, emit, scores = _begun(scope, operator, container)
    answer = source.answer
    assert isinstance(answer, Classes)
    if answer.labels.dtype.kind == "f":
        raise ValueError(
            f"skl2onnx takes labels that are whole numbers or strings, not {answer.labels.tolist()}. Without it, "
            "kernelstream.export.onnx.to_onnx exports them."
        )
    logits = answers.logits(emit, answer, scores, source.outputs)
    graph.rename(answers.label(emit, answer, logits), operator.outputs[0].full_name)
    found = answers.probabilities(emit, answer, logits)
    graph.rename(answers.as_float(emit, found, _element(operator.outputs[1])), operator.outputs[1].full_name)


def _convert_regressor(scope: Any, operator: Any, container: Any) -> None:
    graph, _, emit, scores = _begun(scope, operator, container)
    output = operator.outputs[0]
    graph.rename(answers.as_float(emit, scores, _element(output)), output.full_name)


def _begun(scope: Any, operator: Any, container: Any) -> tuple[ConverterGraph, Any, Emitter, str]:
    """The graph so far: scores of the input."""
    graph, source = ConverterGraph(scope, container), portable(operator.raw_operator)
    emit = Emitter(graph, precision(source))
    X = emit.features(source.rows, operator.inputs[0].full_name, None)
    return graph, source, emit, emit.scores(source.function, X)


def _element(output: Any) -> int:
    from skl2onnx.common.data_types import DoubleTensorType

    return TensorProto.DOUBLE if isinstance(output.type, DoubleTensorType) else TensorProto.FLOAT
