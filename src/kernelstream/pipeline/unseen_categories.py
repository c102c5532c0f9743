"""Categories of rows to predict that the model has not seen, counted by column."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..prepare import Preparation
from ..prepare.categorical import GrowingOneHot
from ..readers import RowBlock


@dataclass
class UnseenCategories:
    """Rows and an example of each column. Hashed categories are not known one by one, so none of them is unseen."""

    preparation: Preparation
    rows: dict[str, int] = field(default_factory=dict)
    example: dict[str, str] = field(default_factory=dict)

    def add(self, block: RowBlock) -> None:
        """Count the rows of a block with the columns of the preparation."""
        categories = self.preparation.categories
        if not isinstance(categories, GrowingOneHot):
            return
        for name, column in zip(self.preparation.schema.categorical, block.categorical, strict=True):
            known = categories.known[categories.names.index(name)]
            new = np.array([category not in known for category in column.categories] + [False])  # −1 is missing
            unseen = new[column.codes]
            if unseen.any():
                self.rows[name] = self.rows.get(name, 0) + int(unseen.sum())
                self.example.setdefault(name, column.categories[int(column.codes[unseen.argmax()])])

    def sentences(self) -> list[str]:
        """One of each column."""
        found = []
        for name, rows in self.rows.items():
            have = "1 row has a category" if rows == 1 else f"{rows:,} rows have categories"
            found.append(f"column {name!r}: {have} that the model has not seen, e.g. {self.example[name]!r}.")
        return found

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {name: {"rows": rows, "example": self.example[name]} for name, rows in self.rows.items()}
