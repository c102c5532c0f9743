"""What is exported of a model: the preparation of raw rows, the function, and the task."""

from typing import Any, NamedTuple, TypeAlias

import numpy as np
from sklearn.pipeline import Pipeline

from ..estimators import KernelClassifier, KernelRegressor
from ..kernels import Fourier, Kernel
from ..model import Model
from ..pipeline import StreamPipeline
from .exported_function import ExportedFunction, KernelExpansion, function_of
from .kernel_formula import formula_of
from .kernel_model import KernelModel
from .pipeline_rows import estimator_of, pipeline_rows
from .prediction_task import PredictionTask, RegressionTask, ScoreTask, classification_task
from .raw_rows import RawRows, raw_rows

_SAMPLE = 1000
Exportable: TypeAlias = Model | KernelClassifier | KernelRegressor | StreamPipeline | Pipeline


class PortableModel(NamedTuple):
    """Everything from a raw row to a prediction, in float64. `function` is a function of x' = `rows.features(x)`."""

    rows: RawRows
    function: ExportedFunction
    task: PredictionTask
    kernel: str  # its repr
    dtype: np.dtype = np.dtype(np.float32)  # of the model itself

    @property
    def outputs(self) -> int:
        return len(self.function.intercept)

    @property
    def sample(self) -> np.ndarray:
        """Rows x' like those the model has seen: up to a thousand support vectors. Other functions have none."""
        function = self.function
        if not isinstance(function, KernelExpansion):
            return np.empty((0, len(self.rows.centre)))
        step = -(-len(function.vectors) // _SAMPLE)
        return function.vectors[::step]

    @property
    def between(self) -> np.ndarray:
        """Points x' half way between support vectors, where decision boundaries run. Ranks are half way too, though no
        row may have both: merged support vectors are no rows either."""
        vectors, rng = self.sample, np.random.default_rng(0)
        if not len(vectors):
            return vectors
        first, second = rng.integers(len(vectors), size=(2, _SAMPLE))
        found: np.ndarray = 0.5 * (vectors[first] + vectors[second])
        return found


def portable(model: Exportable) -> PortableModel:
    """A model, estimator or pipeline in the form that is exported; a ValueError if it cannot be.

    Parameters
    ----------
    model : Model, KernelClassifier, KernelRegressor, StreamPipeline or Pipeline
        What to export; estimators must be fitted.
    """
    estimator: Any = model
    if isinstance(model, StreamPipeline):
        estimator = model.estimator
    elif isinstance(model, Pipeline):
        estimator = estimator_of(model)
    found = KernelModel.of(estimator)
    inner, kernel = found.model, found.model.recipe.kernel
    if not isinstance(kernel, Fourier):
        formula_of(kernel)  # raises an error if there is none, before anything is compiled
    vectors, coefficients = (part.astype(np.float64) for part in inner.function)
    task: PredictionTask = ScoreTask()
    if isinstance(estimator, KernelRegressor):
        task = RegressionTask()
    elif isinstance(estimator, KernelClassifier):
        task = classification_task(estimator, found)
    if isinstance(model, Pipeline):
        rows = pipeline_rows(model)
    else:
        preparation = model.intake.preparation if isinstance(model, StreamPipeline) else None
        rows = raw_rows(preparation, found.columns.features, getattr(estimator, "feature_names_in_", None))
    rows = rows.then_mapped(found.columns)._replace(limit=found.limit)
    portable = assemble_portable(kernel, vectors, coefficients * found.scale, found.mean, rows, task)
    return portable._replace(dtype=inner.dtype)


def assemble_portable(
    kernel: Kernel,
    vectors: np.ndarray,
    coefficients: np.ndarray,
    intercept: np.ndarray,
    rows: RawRows,
    task: PredictionTask,
) -> PortableModel:
    """The function Σ_j coefficients[j] κ(vectors[j], ·) + intercept, with its rows and task."""
    if not isinstance(kernel, Fourier):
        used = coefficients.any(axis=1)
        vectors, coefficients = vectors[used], coefficients[used]
        if not len(vectors):  # nothing learned: one vector with coefficient 0
            vectors, coefficients = np.zeros((1, vectors.shape[1])), np.zeros((1, len(intercept)))
        rows = rows.centred(vectors.mean(axis=0))
    function = function_of(kernel, vectors, coefficients, intercept, rows.offset)
    for part in (*function, *(column.knots for column in rows.ranks)):
        if isinstance(part, np.ndarray) and not (np.abs(part) < np.finfo(np.float32).max).all():
            raise ValueError("The model cannot be exported: some of its numbers are too large for float32.")
    return PortableModel(rows, function, task, repr(kernel))
