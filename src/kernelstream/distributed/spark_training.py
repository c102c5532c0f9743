"""Training on, and predicting, Spark data frames."""

import os
from collections.abc import Sequence
from typing import Any, TypeVar

import numpy as np

from ..estimators import KernelClassifier, KernelRegressor
from .spark_backend import SparkBackend
from .spark_columns import Columns, vectors
from .training import train

SPARK_TYPES = {"i": "long", "u": "long", "f": "double", "b": "boolean"}
Either = TypeVar("Either", KernelClassifier, KernelRegressor)


def fit_spark(
    estimator: Either,
    frame: Any,
    *,
    features: str | Sequence[str],
    target: str,
    rounds: int = 2,
    fan_in: int = 8,
    checkpoint: str | os.PathLike[str] | None = None,
) -> Either:
    """Train on the partitions of a Spark data frame, on all executors at once; returns a new, fitted estimator.

    The steps, and the model for the same partitions, are those of `DaskKernelClassifier`. A frame that is not persisted
    is persisted while this runs, as it is read about ten times.

    Parameters
    ----------
    estimator : KernelClassifier or KernelRegressor
        What to train; it stays as it is. `epochs` are ignored, as a round is one pass.
    frame : pyspark.sql.DataFrame
        Every partition must fit into the memory of a Python worker.
    features : list of str, or str
        The numeric feature columns; or one column of vectors, as of pyspark.ml's VectorAssembler, or of arrays.
    target : str
        The column of labels or numbers to predict.
    rounds, fan_in, checkpoint
        As for `DaskKernelClassifier`.
    """
    _check_installed()
    columns = Columns.of(frame, features, target)
    own, level, backend = frame.select(columns.expressions(frame)), frame.storageLevel, None
    persisted = level.useMemory or level.useDisk
    if not persisted:
        own = own.persist()
    try:
        backend = SparkBackend(own, columns, fan_in)
        found = train(estimator, backend, rounds, checkpoint).estimator
    finally:
        if backend is not None:
            backend.close()
        if not persisted:
            own.unpersist()
    assert isinstance(found, type(estimator))
    return found


def predict_spark(
    estimator: Any, frame: Any, *, features: str | Sequence[str], method: str = "predict", output: str = "prediction"
) -> Any:
    """The frame with one more column `output`: what `method` of a fitted estimator returns, lazily; a list in each row
    for methods that return several numbers, as `predict_proba` does.

    Parameters
    ----------
    estimator : KernelClassifier or KernelRegressor
        A fitted estimator.
    frame : pyspark.sql.DataFrame
        The rows.
    features : str or sequence of str
        The columns of the features, as for `fit_spark`.
    method : str, default "predict"
        The method that is called.
    output : str, default "prediction"
        The name of the new column.
    """
    _check_installed()
    import pandas
    from pyspark.sql.functions import pandas_udf, struct

    columns = Columns.of(frame, features)

    def predicted(rows: pandas.DataFrame) -> pandas.Series:
        found = getattr(estimator, method)(vectors(rows[name], name) if columns.vector else rows)
        return pandas.Series(list(found) if found.ndim > 1 else found)

    name = columns.features[0]
    row = [np.zeros(estimator.n_features_in_)] if columns.vector else [0.0]
    example = np.asarray(predicted(pandas.DataFrame(dict.fromkeys(columns.features, row)))[0])
    kind = SPARK_TYPES.get(example.dtype.kind, "string")
    udf = pandas_udf(predicted, f"array<{kind}>" if example.ndim else kind)
    return frame.withColumn(output, udf(struct(*columns.expressions(frame))))


def _check_installed() -> None:
    try:
        import pandas  # noqa: F401
        import pyarrow  # noqa: F401
        import pyspark  # noqa: F401
    except ImportError as error:
        raise ImportError(f'Spark needs pyspark and pyarrow ({error}): pip install "kernelstream[spark]"') from None
