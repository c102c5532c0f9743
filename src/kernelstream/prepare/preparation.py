"""From rows as files have them to rows as models take them, in a way that the first rows decide."""

from typing import Any

import numpy as np

from ..readers import Block, Pairs, Schema
from .categories import MOST, Categories, Growing, Hashed, categories_from_dict
from .matrix import pairs_matrix, with_places, with_places_sparse
from .missing import POLICIES, Missing, first_gap, missing_from_dict
from .pairs import Refuse, prepared, too_large, without_leaps
from .scaling import SCALINGS, Scaling, scaling_from_dict

MOST_FEATURES = 1 << 24
WIDE, FULL = 128, 0.25  # rows are sparse if they have more features than this, and of them less than this is not 0


class Preparation:
    """Fills gaps, scales, and makes columns of words. Numbers come first among the features, then places of words."""

    def __init__(
        self, schema: Schema, missing: Missing, categories: Categories, scaling: Scaling, numbers: int, sparse: bool
    ):
        self.schema, self.missing, self.categories, self.scaling = schema, missing, categories, scaling
        self.numbers, self.sparse = numbers, sparse  # columns of numbers; of pairs, so far

    @classmethod
    def begin(
        cls, first: Block, schema: Schema, scale: str = "standard", missing: str = "refuse", hashed: int | None = None
    ) -> "Preparation":
        """Decided by the first rows. With `hashed`, words share so many columns."""
        policy = POLICIES[missing].begin(first)
        good = first.take(~np.isin(np.arange(len(first)), policy.wrong(first)))
        if not len(good):
            raise ValueError(
                f"All of the first {len(first):,} rows have a missing value. Fill them in, with --missing mean or "
                "--missing zero, or leave out columns that are mostly empty (--ignore)."
            )
        categories = Growing(schema.words) if hashed is None else Hashed(schema.words, hashed)
        places = categories.places(good.words, learn=True)
        if categories.passed_over:
            raise _too_many(good, schema)
        if isinstance(good.numbers, Pairs):
            width = good.numbers.width
            if width > MOST_FEATURES:
                raise ValueError(f"There is a feature {width:,} in the first rows; {MOST_FEATURES:,} are the most.")
            X = pairs_matrix(good.numbers, policy.filled_pairs(good.numbers), width)
            sparse = width > WIDE and X.nnz < FULL * width * len(good)
            scaling = SCALINGS[scale].sparse(X) if sparse else SCALINGS[scale].dense(X.toarray())
        else:
            width = good.numbers.shape[1]
            features, used = width + categories.width, width + places.shape[1]
            sparse = features > WIDE and used < FULL * features
            scaling = SCALINGS[scale].dense(policy.filled(good.numbers))
        return cls(schema, policy, categories, scaling, width, sparse)

    @property
    def width(self) -> int:
        """Features of a row so far."""
        return self.numbers + self.categories.width

    def rows(self, block: Block, refuse: Refuse, dtype: str, *, learn: bool = False) -> tuple[Block, Any]:
        """The rows that can be used, as they are and as an array or CSR matrix. If they are learned, features that are
        new widen it; otherwise those are left out."""
        wrong = self.missing.wrong(block)
        if len(wrong):
            gaps = [(self._column(first_gap(block, row)), "the value is missing.") for row in wrong.tolist()]
            block = refuse(block, wrong, gaps)
        if isinstance(block.numbers, Pairs):
            width = self.numbers
            if learn:
                block, width = without_leaps(block, block.numbers, width, self.sparse, refuse)
            assert isinstance(block.numbers, Pairs)
            found = prepared(block, block.numbers, width, self.missing, self.scaling, self.sparse, dtype, refuse)
            self.numbers = width
            return found
        with np.errstate(over="ignore"):
            numbers = self.scaling.apply(self.missing.filled(block.numbers)).astype(dtype)
        bad = ~np.isfinite(numbers)
        if bad.any():
            rows = np.flatnonzero(bad.any(axis=1))
            cells = zip(rows.tolist(), bad[rows].argmax(axis=1).tolist(), strict=True)
            why = [(self._column(j), too_large(block.numbers[i, j], dtype)) for i, j in cells]
            block, numbers = refuse(block, rows, why), numbers[~bad.any(axis=1)]
        places = self.categories.places(block.words, learn=learn)
        put = with_places_sparse if self.sparse else with_places
        return block, put(numbers, places, self.categories.width) if block.words else numbers

    def _column(self, i: int) -> str:
        return f"feature {i + 1}" if self.schema.pairs else f"column {self.schema.features[i]!r}"

    def as_dict(self) -> dict[str, Any]:
        """As JSON takes it."""
        return {
            "missing": self.missing.as_dict(),
            "categories": self.categories.as_dict(),
            "scaling": self.scaling.as_dict(),
            "numbers": self.numbers,
            "sparse": self.sparse,
        }

    @classmethod
    def from_dict(cls, saved: dict[str, Any], schema: Schema) -> "Preparation":
        return cls(
            schema,
            missing_from_dict(saved["missing"]),
            categories_from_dict(saved["categories"]),
            scaling_from_dict(saved["scaling"]),
            saved["numbers"],
            saved["sparse"],
        )


def _too_many(block: Block, schema: Schema) -> ValueError:
    counts = [len(np.unique(column.codes)) for column in block.words]
    name = schema.words[int(np.argmax(counts))]
    return ValueError(
        f"The column {name!r} has {max(counts):,} different values in the first {len(block):,} rows, and {MOST:,} can "
        f"have a feature each. Leave it out (--ignore {name}), or let values share features (--hash 256)."
    )
