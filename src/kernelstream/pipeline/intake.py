"""How rows of files become rows of a model."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..prepare import Preparation, RefuseRows, Target, target_from_dict
from ..readers import RowBlock, Schema


@dataclass
class Intake:
    """Columns, preparation of features, and meaning of targets."""

    schema: Schema
    preparation: Preparation
    target: Target
    dtype: str

    def usable(self, block: RowBlock, refuse: RefuseRows, *, learn: bool) -> tuple[RowBlock, Any, np.ndarray]:
        """The rows whose targets and features can be used; they as a matrix; their targets."""
        assert block.target is not None
        wrong = self.target.read(block.target)[1]
        if wrong:
            where = "label" if self.schema.pairs else f"column {self.schema.target!r}"
            block = refuse(block, np.array(sorted(wrong)), [(where, wrong[row]) for row in sorted(wrong)])
        block, X = self.preparation.rows(block, refuse, self.dtype, learn=learn)
        assert block.target is not None
        return block, X, self.target.read(block.target)[0]

    def features(self, block: RowBlock, refuse: RefuseRows) -> tuple[RowBlock, Any]:
        """Rows to predict, as they are and as a matrix."""
        return self.preparation.rows(block, refuse, self.dtype)

    def as_dict(self) -> dict[str, Any]:
        """As JSON takes it."""
        return {
            "schema": {name: list(v) if isinstance(v, tuple) else v for name, v in self.schema._asdict().items()},
            "preparation": self.preparation.as_dict(),
            "target": self.target.as_dict(),
            "dtype": self.dtype,
        }

    @classmethod
    def from_dict(cls, saved: dict[str, Any]) -> "Intake":
        schema = Schema.from_dict(saved["schema"])
        preparation = Preparation.from_dict(saved["preparation"], schema)
        return cls(schema, preparation, target_from_dict(saved["target"]), saved["dtype"])
