"""The columns of a Spark data frame that are learned from, as Spark expressions and as rows in memory."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from .backend import InMemoryPartition


class Columns(NamedTuple):
    """Feature columns by name, or one column of vectors; and the target, unless rows are only predicted."""

    features: list[str]
    target: str | None
    vector: bool

    @classmethod
    def of(cls, frame: Any, features: str | Sequence[str], target: str | None = None) -> "Columns":
        """Checked against the schema of a frame."""
        from pyspark.ml.linalg import VectorUDT
        from pyspark.sql.types import ArrayType, BooleanType, NumericType

        names = [features] if isinstance(features, str) else list(features)
        kinds = {field.name: field.dataType for field in frame.schema}
        for name in [*names, *([] if target is None else [target])]:
            if name not in kinds:
                raise ValueError(f"The data frame has no column {name!r}. Its columns: {', '.join(kinds)}.")
        if not names or target in names:
            raise ValueError(f"features is {features!r} and target {target!r}: name the columns to learn from.")
        vector = len(names) == 1 and isinstance(kinds[names[0]], (VectorUDT, ArrayType))
        for name in [] if vector else names:
            if not isinstance(kinds[name], (NumericType, BooleanType)):
                raise ValueError(
                    f"The column {name!r} is of type {kinds[name].simpleString()}, and features are numbers: encode "
                    "it, or give the name of one column of vectors, as of pyspark.ml.feature.VectorAssembler."
                )
        return cls(names, target, vector)

    def expressions(self, frame: Any) -> list[Any]:
        """The features as doubles, then the target as it is."""
        from pyspark.ml.functions import vector_to_array
        from pyspark.ml.linalg import VectorUDT

        found = []
        for name in self.features:
            # a backtick keeps dots in names
            column = frame[f"`{name}`"]
            if isinstance(frame.schema[name].dataType, VectorUDT):
                column = vector_to_array(column)
            found.append(column.cast("array<double>" if self.vector else "double").alias(name))
        return found if self.target is None else [*found, frame[f"`{self.target}`"]]

    def partition(self, batches: Iterator[Any]) -> InMemoryPartition:
        """Record batches of these columns as rows and targets in memory."""
        import pyarrow

        found = list(batches)
        if not found:
            return InMemoryPartition(np.empty((0, len(self.features))), np.empty(0))
        table = pyarrow.Table.from_batches(found)
        X: Any = table.select(self.features).to_pandas()
        if self.vector:
            X = vectors(X[self.features[0]], self.features[0])
        target = table.column(len(self.features))
        if target.null_count:
            raise ValueError(
                f"the target column {self.target!r} is null in {target.null_count} rows. Leave them out: "
                f"frame.dropna(subset=[{self.target!r}])."
            )
        return InMemoryPartition(X, target.to_pandas())


def vectors(values: Iterable[Any], name: str) -> np.ndarray:
    """A column of lists of numbers as a matrix."""
    rows = list(values)
    lengths = sorted({-1 if row is None else len(row) for row in rows})
    if len(lengths) > 1 or lengths in ([-1], [0]):
        written = " and ".join("null" if length < 0 else str(length) for length in lengths)
        raise ValueError(f"the vectors in the column {name!r} have lengths {written}. All must have the same length.")
    return np.array(rows, dtype=np.float64).reshape(len(rows), lengths[0] if rows else 0)
