"""What there is to export of a model: how rows are read, the function, and what its scores mean."""

from typing import Any, NamedTuple

import numpy as np

from ..estimators import KernelClassifier, KernelRegressor, model_of
from ..kernels import Fourier, Kernel
from ..model import Model
from ..pipeline import StreamPipeline
from .answers import Answer, Numbers, Scores, classes_of
from .rows import RawRows, raw_rows
from .shapes import Expansion, Shape, shape_of
from .tracing import formula_of

_SAMPLE = 1000
Exportable = Model | KernelClassifier | KernelRegressor | StreamPipeline


class Portable(NamedTuple):
    """Everything between a raw row and an answer, in float64. `function` is one of x' = `rows.features(x)`."""

    rows: RawRows
    function: Shape
    answer: Answer
    kernel: str  # in words
    dtype: np.dtype = np.dtype(np.float32)  # that the model itself computes in

    @property
    def outputs(self) -> int:
        return len(self.function.intercept)

    @property
    def sample(self) -> np.ndarray:
        """Rows of the kind that the model has seen, centred: its support vectors, a thousand at most. None of the
        other shapes has any."""
        function = self.function
        if not isinstance(function, Expansion):
            return np.empty((0, len(self.rows.centre)))
        step = -(-len(function.vectors) // _SAMPLE)
        return function.vectors[::step]

    @property
    def between(self) -> np.ndarray:
        """Points half way between support vectors, centred: where borders run, and no function was fitted."""
        vectors, rng = self.sample, np.random.default_rng(0)
        if not len(vectors):
            return vectors
        first, second = rng.integers(len(vectors), size=(2, _SAMPLE))
        found: np.ndarray = 0.5 * (vectors[first] + vectors[second])
        return found


def portable(model: Exportable) -> Portable:
    """A model, estimator or trained model file as it is exported; a ValueError if it cannot be."""
    estimator: Any = model.estimator if isinstance(model, StreamPipeline) else model
    inner = model_of(estimator)
    kernel = inner.recipe.kernel
    if not isinstance(kernel, Fourier):
        formula_of(kernel)  # or says why not, before anything is compiled
    vectors, coefficients = (part.astype(np.float64) for part in inner.function)
    intercept = np.zeros(inner.n_outputs)
    answer: Answer = Scores()
    if isinstance(estimator, KernelRegressor):
        coefficients, intercept = coefficients * estimator.target_scale_, estimator.target_mean_.astype(np.float64)
        answer = Numbers()
    elif isinstance(estimator, KernelClassifier):
        answer = classes_of(estimator)
    preparation = model.intake.preparation if isinstance(model, StreamPipeline) else None
    rows = raw_rows(preparation, inner.n_features, getattr(estimator, "feature_names_in_", None))
    return put_together(kernel, vectors, coefficients, intercept, rows, answer)._replace(dtype=inner.dtype)


def put_together(
    kernel: Kernel,
    vectors: np.ndarray,
    coefficients: np.ndarray,
    intercept: np.ndarray,
    rows: RawRows,
    answer: Answer,
) -> Portable:
    """A function Σ_j coefficients[j] κ(vectors[j], ·) + intercept, and what it needs around it."""
    if not isinstance(kernel, Fourier):
        used = coefficients.any(axis=1)
        vectors, coefficients = vectors[used], coefficients[used]
        if not len(vectors):  # nothing learned: a point that counts for nothing stands for it
            vectors, coefficients = np.zeros((1, vectors.shape[1])), np.zeros((1, len(intercept)))
        rows = rows.centred(vectors.mean(axis=0))
    function = shape_of(kernel, vectors, coefficients, intercept, rows.offset)
    for part in function:
        if isinstance(part, np.ndarray) and not (np.abs(part) < np.finfo(np.float32).max).all():
            raise ValueError("The model has numbers that are too large for float32, so it cannot be exported.")
    return Portable(rows, function, answer, repr(kernel))
