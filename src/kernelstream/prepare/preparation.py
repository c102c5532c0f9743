"""From rows of a file to rows of a model: dates, missing values, scaling, categories. The first rows decide how."""

from typing import Any

import numpy as np

from ..readers import Pairs, RowBlock, Schema
from .categorical import MAX_CATEGORIES, Categories, GrowingOneHot, HashedOneHot, categories_from_dict
from .derived_columns import DerivedColumns, flagged
from .matrices import (
    RefuseRows,
    pairs_matrix,
    prepare_pairs,
    too_large,
    with_one_hot,
    with_one_hot_sparse,
    without_outlying_indices,
)
from .missing import MISSING_POLICIES, Missing, finite_rows, first_missing, missing_from_dict
from .scaling import SCALINGS, Scaling, scaling_from_dict

MAX_FEATURES = 1 << 24
WIDE, DENSE = 128, 0.25  # rows are sparse with more features than this, and a smaller fraction of them not 0


class Preparation:
    """Expands dates, fills missing values, scales, and encodes categorical columns: numeric features, then one-hot
    columns, those of codes and of missing values among them.

    Parameters
    ----------
    schema : Schema
        The columns.
    missing : Missing
        What is done with missing values.
    categories : Categories
        How categorical columns are encoded.
    scaling : Scaling
        How numbers are scaled.
    n_numeric : int
        The number of numeric features.
    sparse : bool
        Whether rows are sparse.
    derived : DerivedColumns, default DerivedColumns()
        Features that are derived of dates, codes and skewed numbers.
    """

    def __init__(
        self, schema: Schema, missing: Missing, categories: Categories, scaling: Scaling, n_numeric: int, sparse: bool,
        derived: DerivedColumns = DerivedColumns(),
    ):  # fmt: skip
        self.schema, self.missing, self.categories, self.scaling = schema, missing, categories, scaling
        self.n_numeric, self.sparse = n_numeric, sparse  # numeric features; of index:value pairs, so far
        self.derived = derived

    @classmethod
    def from_first_rows(
        cls,
        first: RowBlock,
        schema: Schema,
        scale: str = "standard",
        missing: str = "refuse",
        hashed: int | None = None,
        derived: DerivedColumns = DerivedColumns(),
    ) -> "Preparation":
        """Decided by the first rows; those with an infinite number do not count, because they will be refused. `hashed`
        is the number of columns that categories are hashed into."""
        first = first.with_columns(schema)
        every, first = first, first.take(finite_rows(first))
        if not len(first):
            raise ValueError(
                f"All of the first {len(every):,} rows have an infinite number. Exclude the columns that do "
                "(--ignore), or replace those numbers."
            )
        with np.errstate(over="ignore", invalid="ignore"):
            return cls._decided(first, schema, scale, missing, hashed, derived)

    @classmethod
    def _decided(
        cls, first: RowBlock, schema: Schema, scale: str, missing: str, hashed: int | None, derived: DerivedColumns
    ) -> "Preparation":
        numeric = first.numeric
        if not isinstance(numeric, Pairs):
            numeric = derived.numeric(schema, numeric)
        policy = MISSING_POLICIES[missing].from_first_rows(first, numeric)
        good = first.take(~np.isin(np.arange(len(first)), policy.bad_rows(first)))
        if not len(good):
            raise ValueError(
                f"All of the first {len(first):,} rows have a missing value. Fill them with --missing mean or "
                "--missing zero, or exclude columns that are mostly empty (--ignore)."
            )
        names = (*schema.categorical, *derived.codes)
        categories: Categories = GrowingOneHot(names, marks=policy.marks)
        if hashed is not None:
            categories = HashedOneHot(names, hashed, marks=policy.marks)
        ones = _encoded(categories, good, schema, derived, policy, learn=True)
        if categories.unencoded:
            raise _too_many(good, schema)
        if isinstance(good.numeric, Pairs):
            width = good.numeric.width
            if width > MAX_FEATURES:
                raise ValueError(
                    f"The first rows have a feature with index {width:,}; the maximum is {MAX_FEATURES:,}."
                )
            X = pairs_matrix(good.numeric, policy.fill_pairs(good.numeric), width)
            sparse = width > WIDE and X.nnz < DENSE * width * len(good)
            scaling = SCALINGS[scale].sparse(X) if sparse else SCALINGS[scale].dense(X.toarray())
        else:
            table = policy.fill(derived.numeric(schema, good.numeric))
            width = table.shape[1]
            features, used = width + categories.width, width + np.count_nonzero(ones >= 0) / len(good)
            sparse = bool(features > WIDE and used < DENSE * features)
            scaling = SCALINGS[scale].dense(table)
        return cls(schema, policy, categories, scaling, width, sparse, derived)

    @property
    def width(self) -> int:
        """Number of features so far."""
        return self.n_numeric + self.categories.width

    @property
    def columns(self) -> list[str]:
        """The column of the file that each feature is made of."""
        return [*self._numeric_columns(), *self.categories.columns]

    def _numeric_columns(self) -> list[str]:
        if self.schema.pairs:
            return [f"feature {i + 1}" for i in range(self.n_numeric)]
        return self.derived.numeric_names(self.schema)

    def rows(self, block: RowBlock, refuse: RefuseRows, dtype: str, *, learn: bool = False) -> tuple[RowBlock, Any]:
        """The rows that can be used, as a block and as an array or CSR matrix. New features are added if `learn`,
        otherwise ignored. Columns of the block that are left out are removed."""
        block = block.with_columns(self.schema)
        bad = self.missing.bad_rows(block)
        if len(bad):
            why = [(self._column(first_missing(block, row)), "the value is missing.") for row in bad.tolist()]
            block = refuse(block, bad, why)
        if isinstance(block.numeric, Pairs):
            width = self.n_numeric
            if learn:
                block, width = without_outlying_indices(block, block.numeric, width, self.sparse, refuse)
            assert isinstance(block.numeric, Pairs)
            found = prepare_pairs(block, block.numeric, width, self.missing, self.scaling, self.sparse, dtype, refuse)
            self.n_numeric = width
            return found
        with np.errstate(over="ignore", invalid="ignore"):  # what is not finite afterwards is refused below
            raw = self.derived.numeric(self.schema, block.numeric)
            numeric = self.scaling.apply(self.missing.fill(raw)).astype(dtype)
        infinite = ~np.isfinite(numeric)
        if infinite.any():
            bad, names = np.flatnonzero(infinite.any(axis=1)), self._numeric_columns()
            cells = zip(bad.tolist(), infinite[bad].argmax(axis=1).tolist(), strict=True)
            why = [(f"column {names[j]!r}", too_large(raw[i, j], dtype)) for i, j in cells]
            block, numeric = refuse(block, bad, why), numeric[~infinite.any(axis=1)]
        ones = _encoded(self.categories, block, self.schema, self.derived, self.missing, learn=learn)
        if not self.categories.width:
            return block, numeric
        return block, (with_one_hot_sparse if self.sparse else with_one_hot)(numeric, ones, self.categories.width)

    def _column(self, i: int) -> str:
        return f"feature {i + 1}" if self.schema.pairs else f"column {self.schema.features[i]!r}"

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "missing": self.missing.as_dict(),
            "categories": self.categories.as_dict(),
            "scaling": self.scaling.as_dict(),
            "n_numeric": self.n_numeric,
            "sparse": self.sparse,
            "derived": self.derived.as_dict(),
        }

    @classmethod
    def from_dict(cls, saved: dict[str, Any], schema: Schema) -> "Preparation":
        return cls(
            schema,
            missing_from_dict(saved["missing"]),
            categories_from_dict(saved["categories"]),
            scaling_from_dict(saved["scaling"]),
            saved["n_numeric"],
            saved["sparse"],
            DerivedColumns.from_dict(saved["derived"]),
        )


def _encoded(
    categories: Categories, block: RowBlock, schema: Schema, derived: DerivedColumns, missing: Missing, *, learn: bool
) -> np.ndarray:
    """The one-hot columns that are 1: see `Categories.encode`. Missing codes are categories, if missing values are."""
    if isinstance(block.numeric, Pairs):
        return np.empty((len(block), 0), np.int64)
    marks = flagged(schema.numeric, block.numeric, derived.codes) if missing.marks else {}
    columns = [*block.categorical, *derived.categorical(schema, block.numeric)]
    if not columns and not marks:
        return np.empty((len(block), 0), np.int64)
    return categories.encode(columns, learn=learn, missing=marks)


def _too_many(block: RowBlock, schema: Schema) -> ValueError:
    counts = [len(np.unique(column.codes)) for column in block.categorical]
    name = schema.categorical[int(np.argmax(counts))]
    return ValueError(
        f"The column {name!r} has {max(counts):,} categories in the first {len(block):,} rows; the maximum is "
        f"{MAX_CATEGORIES:,}. Exclude it (--ignore {name}), or hash the categories into columns (--hash 256)."
    )
