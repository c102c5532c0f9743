"""Raw rows to features: missing values filled in, categories one-hot encoded, ranks, numbers scaled and centred."""

from typing import Any, NamedTuple

import numpy as np

from ..prepare import Preparation
from ..prepare.categorical import GrowingOneHot
from ..prepare.compression import Compression
from ..prepare.missing import FillMean
from ..tuning import FeatureMap, RankColumn


class RawRows(NamedTuple):
    """x' = (x − centre) · factor, clipped, of every column x: the inputs, which are first the numeric columns, then a 0
    or 1 for every category and every mark of a missing number; and after them the rank columns, which are functions of
    inputs.

    The centre is rounded to float32, so that subtracting it from a float32 is exact where it matters.
    """

    names: tuple[str, ...]  # of the numeric columns, if they have any
    width: int  # number of numeric columns
    categories: tuple[tuple[str, dict[str, int]], ...]  # categorical columns: name, and the index of every category
    fill: np.ndarray | None  # (width,): replaces a missing number
    shift: np.ndarray  # (d,) of the model's own scaling
    factor: np.ndarray  # (d,)
    centre: np.ndarray  # (d,)
    ranks: tuple[RankColumn, ...] = ()  # the last of the d columns
    marks: tuple[tuple[int, int], ...] = ()  # numeric column, and the index of its mark among the categories
    skewed: tuple[tuple[int, Compression], ...] = ()  # numeric columns that are compressed before all else
    limit: np.ndarray | None = None  # (d,) the largest size of the model's features; None if they are not clipped

    @property
    def inputs(self) -> int:
        """Of the exported function: columns that are no ranks."""
        return len(self.centre) - len(self.ranks)

    @property
    def offset(self) -> np.ndarray:
        """The centre in the units of the model's features."""
        found: np.ndarray = (self.centre - self.shift) * self.factor
        return found

    @property
    def limits(self) -> tuple[np.ndarray, np.ndarray] | None:
        """The least and the largest x'."""
        return None if self.limit is None else (-self.limit - self.offset, self.limit - self.offset)

    def centred(self, middle: np.ndarray) -> "RawRows":
        """The same with the centre where the model's features are `middle`."""
        with np.errstate(over="ignore", divide="ignore", invalid="ignore"):
            centre = (middle / self.factor + self.shift).astype(np.float32).astype(np.float64)
        return self._replace(centre=np.where(np.isfinite(centre), centre, 0.0))

    def then_mapped(self, columns: FeatureMap) -> "RawRows":
        """The same for a model that takes `columns` of what were the features, none of which are ranks yet."""
        none, one = np.zeros(len(columns.ranks)), np.ones(len(columns.ranks))
        shift = np.concatenate([self.shift + columns.shift / self.factor, none])
        ranks = tuple(
            column._replace(knots=column.knots / self.factor[column.source] + self.shift[column.source])
            for column in columns.ranks
        )
        return self._replace(
            shift=shift, factor=np.concatenate([self.factor * columns.factor, one]),
            centre=shift.astype(np.float32).astype(np.float64), ranks=ranks,
        )  # fmt: skip

    def features(self, X: np.ndarray) -> np.ndarray:
        """x' for rows of inputs."""
        X = np.array(X, np.float64)
        for column, how in self.skewed:
            X[:, column] = how.apply(X[:, column])
        ranks = (np.interp(X[:, column.source], column.knots, column.values) for column in self.ranks)
        found: np.ndarray = (np.column_stack([X, *ranks]) - self.centre) * self.factor
        return found if self.limits is None else np.clip(found, *self.limits)


def raw_rows(preparation: Preparation | None, features: int, names: Any = None) -> RawRows:
    """The raw rows of a model, centred at the shift of its scaling."""
    shift, factor = np.zeros(features), np.ones(features)
    if preparation is None:
        named = () if names is None else tuple(map(str, names))
        return RawRows(named, features, (), None, shift, factor, shift)
    categories, scaling, missing = preparation.categories, preparation.scaling, preparation.missing
    if preparation.derived.dates:
        name = next(iter(preparation.derived.dates))
        raise ValueError(
            f"The model expands dates ({name!r}) to hour, weekday and so on, which neither ONNX nor a C header can "
            f"compute. Train without them (--ignore {name}), or add columns with these numbers to the data."
        )
    numeric = tuple(preparation.derived.numeric_names(preparation.schema))
    marks: tuple[tuple[int, int], ...] = ()
    columns: tuple[tuple[str, dict[str, int]], ...] = ()
    if isinstance(categories, GrowingOneHot):
        columns = tuple(zip(categories.names, categories.known, strict=True))
        marks = tuple((numeric.index(name), i) for name, i in categories.marked.items())
    elif categories.width:
        raise ValueError(
            "The model hashes categorical values (--hash), which neither ONNX nor a C header can compute. Train "
            "without --hash."
        )
    known = len(scaling.factor)
    shift[:known], factor[:known] = scaling.shift, scaling.factor
    fill = None
    if isinstance(missing, FillMean):
        fill = np.zeros(preparation.n_numeric)
        fill[: len(missing.values)] = missing.values
    return RawRows(
        numeric, preparation.n_numeric, columns, fill, shift, factor,
        shift.astype(np.float32).astype(np.float64), marks=marks,
        skewed=tuple((numeric.index(name), how) for name, how in preparation.derived.skewed.items()),
    )  # fmt: skip
