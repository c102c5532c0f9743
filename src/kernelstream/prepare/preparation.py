"""From rows of a file to rows of a model: missing values, scaling, categorical columns. The first rows decide how."""

from typing import Any

import numpy as np

from ..readers import Pairs, RowBlock, Schema
from .categorical import MAX_CATEGORIES, Categories, GrowingOneHot, HashedOneHot, categories_from_dict
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
    """Fills missing values, scales, and encodes categorical columns: numeric features, then one-hot columns."""

    def __init__(
        self, schema: Schema, missing: Missing, categories: Categories, scaling: Scaling, n_numeric: int, sparse: bool
    ):
        self.schema, self.missing, self.categories, self.scaling = schema, missing, categories, scaling
        self.n_numeric, self.sparse = n_numeric, sparse  # numeric features; of index:value pairs, so far

    @classmethod
    def from_first_rows(
        cls,
        first: RowBlock,
        schema: Schema,
        scale: str = "standard",
        missing: str = "refuse",
        hashed: int | None = None,
    ) -> "Preparation":
        """Decided by the first rows; those with an infinite number do not count, because they will be refused. `hashed`
        is the number of columns that categories are hashed into."""
        every, first = first, first.take(finite_rows(first))
        if not len(first):
            raise ValueError(
                f"All of the first {len(every):,} rows have an infinite number. Exclude the columns that do "
                "(--ignore), or replace those numbers."
            )
        with np.errstate(over="ignore", invalid="ignore"):
            return cls._decided(first, schema, scale, missing, hashed)

    @classmethod
    def _decided(cls, first: RowBlock, schema: Schema, scale: str, missing: str, hashed: int | None) -> "Preparation":
        policy = MISSING_POLICIES[missing].from_first_rows(first)
        good = first.take(~np.isin(np.arange(len(first)), policy.bad_rows(first)))
        if not len(good):
            raise ValueError(
                f"All of the first {len(first):,} rows have a missing value. Fill them with --missing mean or "
                "--missing zero, or exclude columns that are mostly empty (--ignore)."
            )
        categories = GrowingOneHot(schema.categorical) if hashed is None else HashedOneHot(schema.categorical, hashed)
        ones = categories.encode(good.categorical, learn=True)
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
            width = good.numeric.shape[1]
            features, used = width + categories.width, width + ones.shape[1]
            sparse = features > WIDE and used < DENSE * features
            scaling = SCALINGS[scale].dense(policy.fill(good.numeric))
        return cls(schema, policy, categories, scaling, width, sparse)

    @property
    def width(self) -> int:
        """Number of features so far."""
        return self.n_numeric + self.categories.width

    @property
    def columns(self) -> list[str]:
        """The column of the file that each feature is made of."""
        numeric = [f"feature {i + 1}" for i in range(self.n_numeric)] if self.schema.pairs else self.schema.numeric
        return [*numeric, *self.categories.columns]

    def rows(self, block: RowBlock, refuse: RefuseRows, dtype: str, *, learn: bool = False) -> tuple[RowBlock, Any]:
        """The rows that can be used, as a block and as an array or CSR matrix. New features are added if `learn`,
        otherwise ignored."""
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
            numeric = self.scaling.apply(self.missing.fill(block.numeric)).astype(dtype)
        infinite = ~np.isfinite(numeric)
        if infinite.any():
            bad = np.flatnonzero(infinite.any(axis=1))
            cells = zip(bad.tolist(), infinite[bad].argmax(axis=1).tolist(), strict=True)
            why = [(self._column(j), too_large(block.numeric[i, j], dtype)) for i, j in cells]
            block, numeric = refuse(block, bad, why), numeric[~infinite.any(axis=1)]
        ones = self.categories.encode(block.categorical, learn=learn)
        join = with_one_hot_sparse if self.sparse else with_one_hot
        return block, join(numeric, ones, self.categories.width) if block.categorical else numeric

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
        )


def _too_many(block: RowBlock, schema: Schema) -> ValueError:
    counts = [len(np.unique(column.codes)) for column in block.categorical]
    name = schema.categorical[int(np.argmax(counts))]
    return ValueError(
        f"The column {name!r} has {max(counts):,} categories in the first {len(block):,} rows; the maximum is "
        f"{MAX_CATEGORIES:,}. Exclude it (--ignore {name}), or hash the categories into columns (--hash 256)."
    )
