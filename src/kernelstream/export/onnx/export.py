"""A model as an ONNX model."""

import json
from collections.abc import Sequence

import numpy as np
from onnx import ModelProto, TensorProto, ValueInfoProto, checker, helper

from ..answers import Classes, Numbers
from ..portable import Exportable, Portable, portable
from . import answer as answers
from .function import Emitter, precision
from .graph import ML, OwnGraph

OPSET = 17
_OLDEST = 13  # the operators are as they have been since


def to_onnx(
    model: Exportable,
    *,
    outputs: Sequence[str] | None = None,
    dtype: str | None = None,
    opset: int = OPSET,
    name: str = "kernelstream",
) -> ModelProto:
    """A model as a graph of plain operators that any ONNX runtime computes.

    The input "X" is float32 of shape (n, columns): raw rows, where the model comes from the command line and scales
    them itself. Columns of words are a second input, "words", of strings. Inside, features are centred at the mean of
    the support vectors, and squared distances are at least 0.

    Parameters
    ----------
    model : Model, KernelClassifier, KernelRegressor or StreamPipeline
        Fitted; a `StreamPipeline` is what `kernelstream.pipeline` loads from a file of the command line.
    outputs : sequence of str or None
        Of a classifier "label", "probabilities" and "scores"; None is the first two. The scores are those of
        `decision_function`, in two dimensions. A regressor has "variable", of shape (n, outputs), a Model "scores".
    dtype : "float32", "float64" or None
        What the graph computes in. None is float32 for a model of float32, if that gives, at its support vectors and
        between them, the labels that float64 gives, and its scores to 2e-6 of the largest; otherwise float64, which
        takes two to three times as long.
    opset : int
        Version of the operators, 13 or later.
    name : str
        Of the graph.

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
    return assembled(portable(model), outputs, dtype, opset, name)


def assembled(
    source: Portable, outputs: Sequence[str] | None, dtype: str | None = None, opset: int = OPSET, name: str = "g"
) -> ModelProto:
    if dtype not in (None, "float32", "float64"):
        raise ValueError(f"dtype is {dtype!r}; use 'float32', 'float64' or None.")
    if opset < _OLDEST:
        raise ValueError(f"opset is {opset}; the operators of the graph need {_OLDEST} or later.")
    wanted = _wanted(source, outputs)
    graph = OwnGraph()
    inputs = _inputs(source)
    emit = Emitter(graph, precision(source) if dtype is None else np.dtype(dtype))
    names = {info.name for info in inputs}
    X = emit.features(source.rows, "X" if "X" in names else None, "words" if "words" in names else None)
    scores = emit.scores(source.function, X)
    infos = [_output(source, emit, scores, output) for output in wanted]
    whole = helper.make_graph(graph.nodes, name, inputs, infos, graph.constants)
    imports = [helper.make_opsetid("", opset), *([helper.make_opsetid(ML, 3)] if "words" in names else [])]
    made = _described(helper.make_model(whole, opset_imports=imports), source)
    # the oldest that has these operators: runtimes refuse what is newer than they are
    made.ir_version = helper.find_min_ir_version_for(imports)
    checker.check_model(made)
    return made


def _wanted(source: Portable, outputs: Sequence[str] | None) -> Sequence[str]:
    known: tuple[str, ...] = ("scores",)
    if isinstance(source.answer, Classes):
        known = ("label", "probabilities", "scores")
    elif isinstance(source.answer, Numbers):
        known = ("variable",)
    wanted = known[:2] if outputs is None else tuple(outputs)
    if not wanted or len(set(wanted)) < len(wanted) or set(wanted) - set(known):
        raise ValueError(f"outputs is {outputs!r}; this model has {', '.join(map(repr, known))}, each once at most.")
    return wanted


def _inputs(source: Portable) -> list[ValueInfoProto]:
    rows = source.rows
    found = []
    if rows.width or not rows.words:
        found.append(helper.make_tensor_value_info("X", TensorProto.FLOAT, ["n", rows.width]))
    if rows.words:
        found.append(helper.make_tensor_value_info("words", TensorProto.STRING, ["n", len(rows.words)]))
    return found


def _output(source: Portable, emit: Emitter, scores: str, name: str) -> ValueInfoProto:
    """Compute an output and give it its name."""
    answer, count, element, width = source.answer, source.outputs, TensorProto.FLOAT, source.outputs
    found = scores
    if isinstance(answer, Classes):
        logits = answers.logits(emit, answer, scores, count)
        if name == "label":
            kinds = {"i": TensorProto.INT64, "f": TensorProto.FLOAT, "U": TensorProto.STRING}
            emit.graph.rename(answers.label(emit, answer, logits), name)
            return helper.make_tensor_value_info(name, kinds[answer.labels.dtype.kind], ["n"])
        if name == "probabilities":
            found, width = answers.probabilities(emit, answer, logits), answer.size
        else:
            found, width = answers.decision(emit, answer, scores, count), count if answer.size > 2 else 1
    emit.graph.rename(answers.as_float(emit, found), name)
    return helper.make_tensor_value_info(name, element, ["n", width])


def _described(model: ModelProto, source: Portable) -> ModelProto:
    """Say where it comes from, and what its columns are."""
    from ... import __version__

    model.producer_name, model.producer_version = "kernelstream", __version__
    said = {"kernel": source.kernel}
    if source.rows.names:
        said["columns"] = json.dumps(source.rows.names, ensure_ascii=False)
    if source.rows.words:
        said["words"] = json.dumps([name for name, _ in source.rows.words], ensure_ascii=False)
    if isinstance(source.answer, Classes):
        said["classes"] = json.dumps(np.asarray(source.answer.labels).tolist(), ensure_ascii=False)
    helper.set_model_props(model, said)
    return model
