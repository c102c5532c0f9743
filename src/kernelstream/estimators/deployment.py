"""`deploy=`: the size that an exported model may have, and the formats whose size is meant."""

import copy
import importlib
from typing import Any, NamedTuple, Protocol

import numpy as np
from scipy.sparse import issparse

from ..budgets.memory import bytes_in
from ..model import Function

# Formats know estimators, and ONNX is an optional package: a format is imported when it is asked for.
_FORMATS = {
    "c": ("kernelstream.export.c.deployed_tables", "CTables"),
    "onnx": ("kernelstream.export.onnx.deployed_file", "OnnxFile"),
}
MOST = 4096  # support vectors: the time of a refit grows with their cube
_PROBED = 64, 128  # support vectors of models that are made to measure their size


class Deployment(NamedTuple):
    """The exported form of a model that was learned within a size."""

    format: str  #: "c" or "onnx"
    dtype: str  #: of the tables: "float32" or "int8"
    limit: int  #: bytes allowed
    nbytes: int  #: bytes of the tables, or of the ONNX file
    score: float | None = None  #: accuracy, or R², of the exported function on held-out rows, if there are any
    rows: int = 0  #: that were held out


class TooSmall(ValueError):
    """A size that no model of these features fits."""


class ExportFormat(Protocol):
    """A format of exported models. A model is an estimator, or a pipeline with one."""

    what: str  # is limited, in words
    dtypes: tuple[str, ...]  # of tables, the smallest first

    def nbytes(self, model: Any, dtype: str) -> int:
        """The bytes of the exported model."""

    def scores(self, estimator: Any, dtype: str, X: np.ndarray) -> np.ndarray:
        """What the exported model computes for rows: (n, outputs), in the units of the targets."""


class Size(NamedTuple):
    """The parsed text of `deploy=`."""

    format: str
    limit: int

    @classmethod
    def parse(cls, text: str) -> "Size":
        """A ValueError if the text is not a size.

        >>> Size.parse("64 KiB"), Size.parse("onnx: 1 MB")
        (Size(format='c', limit=65536), Size(format='onnx', limit=1000000))
        """
        head, colon, rest = text.rpartition(":")
        name, limit = head.strip().lower() if colon else "c", bytes_in(rest)
        if limit is None or name not in _FORMATS:
            raise ValueError(
                f"deploy: {text!r} is not a size such as '64 KiB', for the tables of a C header, or 'onnx: 64 KiB', "
                "for an ONNX file."
            )
        return cls(name, limit)

    def load(self) -> ExportFormat:
        """The format; an ImportError if its package is missing."""
        module, name = _FORMATS[self.format]
        found: ExportFormat = getattr(importlib.import_module(module), name)()
        return found


def vectors_within(size: Size, model: Any, dtype: str, X: Any) -> int:
    """The largest number of support vectors with which an exported model like this one stays within a size.

    `model` is an estimator, or a pipeline, whose model has learned nothing yet, and X are rows as its model takes them.
    """
    chosen = size.load()
    few, more = (chosen.nbytes(_with_vectors(model, X, count), dtype) for count in _PROBED)
    each = (more - few) / (_PROBED[1] - _PROBED[0])
    fixed = few - each * _PROBED[0]
    if fixed + 2 * each > size.limit:
        raise TooSmall(
            f"deploy: {size.limit} bytes do not hold the {chosen.what} of a model with 2 support vectors, which take "
            f"{int(fixed + 2 * each)}. Allow more, or use fewer features."
        )
    return MOST if each == 0.0 else min(int((size.limit - fixed) / each + 1e-9), MOST)


def _with_vectors(model: Any, X: Any, count: int) -> Any:
    """A copy whose model has this many support vectors; the size does not depend on which."""
    estimator = copy.copy(getattr(model, "estimator", model))
    inner = estimator.model_
    some = X[np.arange(count) % X.shape[0]]
    vectors = np.asarray(some.toarray() if issparse(some) else some, np.float64)
    estimator.model_ = inner.copy().adopt(Function(vectors, np.ones((count, inner.n_outputs))))
    if not hasattr(model, "estimator"):
        return estimator
    pipeline = copy.copy(model)
    pipeline.estimator = estimator
    return pipeline
