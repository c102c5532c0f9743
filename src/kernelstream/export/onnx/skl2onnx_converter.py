"""`register`: lets skl2onnx convert our estimators, alone and as steps of pipelines."""

from typing import Any

from ...estimators import KernelClassifier, KernelRegressor
from ..portable_model import PortableModel, portable
from ..prediction_task import ClassificationTask
from .graph_writer import GraphWriter, precision
from .onnx_graph import ConverterGraph, TensorProto


def register() -> None:
    """Register converters with skl2onnx for `KernelClassifier` and `KernelRegressor`, alone and in pipelines.

    Examples
    --------
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
    source, writer, scores = _with_scores(scope, operator, container)
    task = source.task
    assert isinstance(task, ClassificationTask)
    if task.labels.dtype.kind == "f":
        raise ValueError(
            f"skl2onnx needs labels that are integers or strings, not {task.labels.tolist()}. "
            "kernelstream.export.onnx.to_onnx exports the estimator without skl2onnx."
        )
    logits = writer.logits(task, scores, source.outputs)
    writer.graph.rename(writer.label(task, logits), operator.outputs[0].full_name)
    found = writer.probabilities(task, logits)
    writer.graph.rename(writer.as_float(found, _element(operator.outputs[1])), operator.outputs[1].full_name)


def _convert_regressor(scope: Any, operator: Any, container: Any) -> None:
    _, writer, scores = _with_scores(scope, operator, container)
    output = operator.outputs[0]
    writer.graph.rename(writer.as_float(scores, _element(output)), output.full_name)


def _with_scores(scope: Any, operator: Any, container: Any) -> tuple[PortableModel, GraphWriter, str]:
    """The graph with the scores of the input added."""
    source = portable(operator.raw_operator)
    writer = GraphWriter(ConverterGraph(scope, container), precision(source))
    X = writer.features(source.rows, operator.inputs[0].full_name, None)
    return source, writer, writer.scores(source.function, X)


def _element(output: Any) -> int:
    from skl2onnx.common.data_types import DoubleTensorType

    return TensorProto.DOUBLE if isinstance(output.type, DoubleTensorType) else TensorProto.FLOAT
