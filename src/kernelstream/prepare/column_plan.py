"""What is done with every column, decided by the first rows."""

from shlex import quote
from typing import NamedTuple

import numpy as np

from ..readers import CategoricalColumn, Pairs, RowBlock, Schema
from ..readers.schema import listed
from ..readers.text_numbers import CATEGORY, NUMBER
from .column_facts import facts, file_order
from .column_treatment import LEFT_OUT, NEARLY_EMPTY, TreatedColumn, treated, with_warning
from .derived_columns import DerivedColumns
from .nearly_empty import say_nothing

MOST_COLUMNS = 2000  # wider tables are not inspected
MOST_CLASSES = 100


class ColumnPlan(NamedTuple):
    """The columns to read from now on, what features are derived of them, and why."""

    schema: Schema
    derived: DerivedColumns = DerivedColumns()
    columns: tuple[TreatedColumn, ...] = ()

    @property
    def warnings(self) -> list[str]:
        return [column.warning for column in self.columns if column.warning]

    @property
    def notes(self) -> list[str]:
        """Sentences about what is unusual."""
        found = [*self.schema.notes, *(column.note for column in self.columns if column.note)]
        empty = [column.facts.name for column in self.columns if column.done == NEARLY_EMPTY]
        if empty:
            found.append(
                f"Left out, because hardly any row has a value there, and where one has, it says nothing about the "
                f"target: {listed(empty, 3)}. Use one with --numeric {quote(empty[0])}."
            )
        return found


def plan_columns(
    first: RowBlock, schema: Schema, task: str | None = None, *, codes: bool = True, hashed: bool = False,
    compress: bool = False, drawn: bool = False,
) -> ColumnPlan:  # fmt: skip
    """Decided by the first rows. `task` is classification or regression, None if there is no target. `codes`: whether
    integers may be taken for categories; `hashed`: whether categories will be hashed; `compress`: whether skewed
    numbers may be compressed; `drawn`: whether the first rows are drawn from all.

    Parameters
    ----------
    first : RowBlock
        The first rows.
    schema : Schema
        The columns as they were read.
    task : str or None, default None
        "classification", "regression", or None if there is no target.
    codes : bool, default True
        Whether integers may be taken for categories.
    hashed : bool, default False
        Whether categories will be hashed.
    compress : bool, default False
        Whether skewed numbers may be compressed.
    drawn : bool, default False
        Whether the first rows are drawn from all, so that a column that is nearly empty in them is so in the others.
    """
    if isinstance(first.numeric, Pairs) or len(schema.features) > MOST_COLUMNS:
        return ColumnPlan(schema)
    target = None if task is None else _target(first, task)

    def treat(drawn: bool) -> list[TreatedColumn]:
        given, how = schema.given, (codes, hashed, compress, drawn)
        return [treated(column, given.get(column.name), target, *how) for column in facts(first, schema)]

    found = treat(drawn)
    empty = [column.facts for column in found if column.done == NEARLY_EMPTY]
    if empty and target is not None and not say_nothing(empty, target):
        found = treat(False)
    if all(column.use == LEFT_OUT for column in found):
        found = [_kept(column) for column in found]
    if len(found) > 1:  # a single column may well determine the target
        found = [with_warning(column, target) for column in found]
    left_out = {column.facts.name for column in found if column.use == LEFT_OUT}
    kept = schema._replace(
        numeric=tuple(name for name in schema.numeric if name not in left_out),
        categorical=tuple(name for name in schema.categorical if name not in left_out),
        kinds={name: kind for name, kind in schema.kinds.items() if name not in left_out},
    )
    dates = {column.facts.name: column.parts for column in found if column.parts is not None}
    coded = tuple(c.facts.name for c in found if c.use == CATEGORY and c.facts.values is not None)
    skewed = {column.facts.name: column.skewed for column in found if column.skewed is not None}
    return ColumnPlan(kept, DerivedColumns(dates, coded, skewed), tuple(found))


def _kept(column: TreatedColumn) -> TreatedColumn:
    use = NUMBER if column.facts.values is not None else CATEGORY
    note = f"{column.facts.name!r} looks like an identifier or a clock, but there is no other column, so it is used."
    return TreatedColumn(column.facts, use, "used, as there is no other column", note)


def _target(first: RowBlock, task: str) -> np.ndarray | None:
    """(rows, outputs) in the order of the file: 0 and 1 for every class, or numbers; NaN where it is missing."""
    column, order = first.target, file_order(first)
    if column is None or (task == "regression" and isinstance(column, CategoricalColumn)):
        return None
    if task == "regression":
        assert isinstance(column, np.ndarray)
        return np.where(np.isfinite(column), column, np.nan).reshape(len(column), -1)[order]
    values: np.ndarray = column.codes if isinstance(column, CategoricalColumn) else column
    labels, codes = np.unique(values, return_inverse=True)
    if len(labels) > MOST_CLASSES or len(labels) < 2:
        return None
    found = (codes[:, None] == np.arange(len(labels))).astype(np.float64)
    missing = values < 0 if isinstance(column, CategoricalColumn) else ~np.isfinite(values)
    found[missing] = np.nan
    return found[order]
