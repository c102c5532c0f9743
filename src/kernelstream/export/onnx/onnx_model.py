"""`to_onnx`: a model as an ONNX model."""

import json
from collections.abc import Sequence

import numpy as np
from onnx import ModelProto, TensorProto, ValueInfoProto, checker, helper

from ..portable_model import Exportable, PortableModel, portable
from ..prediction_task import ClassificationTask, RegressionTask
from .graph_writer import GraphWriter, precision
from .onnx_graph import ML, ModelGraph

OPSET = 17
NUMBERS, CATEGORIES = "X", "categories"  # inputs
_OLDEST = 13  # the operators have not changed since


def to_onnx(
    model: Exportable,
    *,
    outputs: Sequence[str] | None = None,
    dtype: str | None = None,
    opset: int = OPSET,
    name: str = "kernelstream",
) -> ModelProto:
    """A model as an ONNX graph of standard operators.

    The input "X" is float32 of shape (n, numeric columns): raw rows, if the model is a `StreamPipeline`, whose scaling
    is included. Categorical columns are a second input, "categories", of strings. In the graph, features are centred at
    the mean of the support vectors, and squared distances are clipped at 0.

    Parameters
    ----------
    model : Model, KernelClassifier, KernelRegressor, StreamPipeline or scikit-learn's Pipeline
        Fitted. `StreamPipeline.load` reads model files that `kernelstream train` wrote. The steps of a Pipeline before
        the estimator are scalers and imputers.
    outputs : sequence of str or None
        "label", "probabilities" and "scores" of a classifier; None is the first two. The scores are those of
        `decision_function`, in two dimensions. A regressor has "variable", of shape (n, outputs), a Model "scores".
    dtype : "float32", "float64" or None
        The precision of the graph. None is float32 for a float32 model, if at and between its support vectors that
        gives the same labels as float64, and its scores to 2e-6 of the largest; otherwise float64, which takes two to
        three times as long.
    opset : int
        The version of the operators, 13 or later.
    name : str
        The name of the graph.

    Examples
    --------
    >>> import numpy as np, onnxruntime
    >>> from kernelstream import KernelClassifier
    >>> from kernelstream.datasets import checkerboard
    >>> from kernelstream.export.onnx import to_onnx
    >>> X, y = checkerboard(5000, seed=1)
    >>> model = KernelClassifier(gamma=4.0, budget=50, random_state=0).fit(X, y)
    >>> session = onnxruntime.InferenceSession(to_onnx(model).SerializeToString())
    >>> label, probabilities = session.run(None, {"X": X.astype(np.float32)})
    >>> bool((label == model.predict(X)).all()), probabilities.shape
    (True, (5000, 2))
    """
    return build_onnx_model(portable(model), outputs, dtype, opset, name)


def build_onnx_model(
    source: PortableModel, outputs: Sequence[str] | None, dtype: str | None = None, opset: int = OPSET, name: str = "g"
) -> ModelProto:
    if dtype not in (None, "float32", "float64"):
        raise ValueError(f"dtype is {dtype!r}; use 'float32', 'float64' or None.")
    if opset < _OLDEST:
        raise ValueError(f"opset is {opset}; the operators of the graph need {_OLDEST} or later.")
    wanted = _wanted(source, outputs)
    graph = ModelGraph()
    inputs = _inputs(source)
    writer = GraphWriter(graph, precision(source) if dtype is None else np.dtype(dtype))
    names = {info.name for info in inputs}
    X = writer.features(source.rows, *(name if name in names else None for name in (NUMBERS, CATEGORIES)))
    scores = writer.scores(source.function, X)
    infos = [_output(source, writer, scores, output) for output in wanted]
    whole = helper.make_graph(graph.nodes, name, inputs, infos, graph.constants)
    imports = [helper.make_opsetid("", opset), *([helper.make_opsetid(ML, 3)] if CATEGORIES in names else [])]
    made = _described(helper.make_model(whole, opset_imports=imports), source)
    # the oldest version with these operators: runtimes refuse newer ones than their own
    made.ir_version = helper.find_min_ir_version_for(imports)
    checker.check_model(made)
    return made


def _wanted(source: PortableModel, outputs: Sequence[str] | None) -> Sequence[str]:
    known: tuple[str, ...] = ("scores",)
    if isinstance(source.task, ClassificationTask):
        known = ("label", "probabilities", "scores")
    elif isinstance(source.task, RegressionTask):
        known = ("variable",)
    wanted = known[:2] if outputs is None else tuple(outputs)
    if not wanted or len(set(wanted)) < len(wanted) or set(wanted) - set(known):
        raise ValueError(f"outputs is {outputs!r}; use {', '.join(map(repr, known))}, each at most once.")
    return wanted


def _inputs(source: PortableModel) -> list[ValueInfoProto]:
    rows = source.rows
    found = []
    if rows.width or not rows.categories:
        found.append(helper.make_tensor_value_info(NUMBERS, TensorProto.FLOAT, ["n", rows.width]))
    if rows.categories:
        found.append(helper.make_tensor_value_info(CATEGORIES, TensorProto.STRING, ["n", len(rows.categories)]))
    return found


def _output(source: PortableModel, writer: GraphWriter, scores: str, name: str) -> ValueInfoProto:
    """Add an output of this name."""
    task, count, found, width = source.task, source.outputs, scores, source.outputs
    if isinstance(task, ClassificationTask):
        logits = writer.logits(task, scores, count)
        if name == "label":
            kinds = {"i": TensorProto.INT64, "f": TensorProto.FLOAT, "U": TensorProto.STRING}
            writer.graph.rename(writer.label(task, logits), name)
            return helper.make_tensor_value_info(name, kinds[task.labels.dtype.kind], ["n"])
        if name == "probabilities":
            found, width = writer.probabilities(task, logits), task.size
        else:
            found, width = writer.decision(task, scores, count), count if task.size > 2 else 1
    writer.graph.rename(writer.as_float(found), name)
    return helper.make_tensor_value_info(name, TensorProto.FLOAT, ["n", width])


def _described(model: ModelProto, source: PortableModel) -> ModelProto:
    """Add the producer, and metadata: kernel, names of the columns, classes."""
    from ... import __version__

    model.producer_name, model.producer_version = "kernelstream", __version__
    metadata = {"kernel": source.kernel}
    if source.rows.names:
        metadata["columns"] = json.dumps(source.rows.names, ensure_ascii=False)
    if source.rows.categories:
        metadata[CATEGORIES] = json.dumps([name for name, _ in source.rows.categories], ensure_ascii=False)
    if isinstance(source.task, ClassificationTask):
        metadata["classes"] = json.dumps(np.asarray(source.task.labels).tolist(), ensure_ascii=False)
    helper.set_model_props(model, metadata)
    return model
