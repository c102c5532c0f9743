"""Raw rows to features: missing values filled in, categories one-hot encoded, numbers scaled and centred."""

from typing import Any, NamedTuple

import numpy as np

from ..prepare import Preparation
from ..prepare.categorical import GrowingOneHot
from ..prepare.missing import FillMean


class RawRows(NamedTuple):
    """x' = (x − centre) · factor of every feature x: first the numeric columns, then a 0 or 1 for every category.

    The centre is rounded to float32, so that subtracting it from a float32 is exact where it matters.
    """

    names: tuple[str, ...]  # of the numeric columns, if they have any
    width: int  # number of numeric columns
    categories: tuple[tuple[str, dict[str, int]], ...]  # categorical columns: name, and the index of every category
    fill: np.ndarray | None  # (width,): replaces a missing number
    shift: np.ndarray  # (d,) of the model's own scaling
    factor: np.ndarray  # (d,)
    centre: np.ndarray  # (d,)

    @property
    def offset(self) -> np.ndarray:
        """The centre in the units of the model's features."""
        found: np.ndarray = (self.centre - self.shift) * self.factor
        return found

    def centred(self, middle: np.ndarray) -> "RawRows":
        """The same with the centre where the model's features are `middle`."""
        with np.errstate(over="ignore", divide="ignore", invalid="ignore"):
            centre = (middle / self.factor + self.shift).astype(np.float32).astype(np.float64)
        return self._replace(centre=np.where(np.isfinite(centre), centre, 0.0))

    def then_scaled(self, shift: np.ndarray, factor: np.ndarray) -> "RawRows":
        """The same for a model that scales its features once more: (features − shift) · factor."""
        total = self.shift + shift / self.factor
        return self._replace(
            shift=total, factor=self.factor * factor, centre=total.astype(np.float32).astype(np.float64)
        )

    def features(self, X: np.ndarray) -> np.ndarray:
        """x' for rows of d numbers."""
        found: np.ndarray = (X - self.centre) * self.factor
        return found


def raw_rows(preparation: Preparation | None, features: int, names: Any = None) -> RawRows:
    """The raw rows of a model, centred at the shift of its scaling."""
    shift, factor = np.zeros(features), np.ones(features)
    if preparation is None:
        named = () if names is None else tuple(map(str, names))
        return RawRows(named, features, (), None, shift, factor, shift)
    categories, scaling, missing = preparation.categories, preparation.scaling, preparation.missing
    columns: tuple[tuple[str, dict[str, int]], ...] = ()
    if isinstance(categories, GrowingOneHot):
        columns = tuple(zip(categories.names, categories.known, strict=True))
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
        preparation.schema.numeric, preparation.n_numeric, columns, fill, shift, factor,
        shift.astype(np.float32).astype(np.float64),
    )  # fmt: skip
