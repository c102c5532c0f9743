"""Raw rows in memory as a stream for a model: columns matched by name, cells read as those of a file."""

from collections.abc import Generator
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np
from scipy.sparse import csr_matrix, issparse

from ..prepare import ClassTarget
from ..prepare.categorical import GrowingOneHot
from ..readers import BadLine, FilePosition, Pairs, RowBlock, RowReader, RowStream, Schema, TextRows
from ..readers.blocks import categorical_column
from ..readers.locations import MemoryLocation
from ..readers.schema import column_indices, listed
from ..readers.text_dates import ISO, TIME
from ..readers.text_numbers import DECIMAL_COMMA
from .cell_text import Spelling
from .raw_forms import DATES, NUMBERS, TEXT, TIMES, as_numbers, form_of
from .raw_tables import KINDS, Column, RawTable, as_table, described
from .raw_text import row_parts

if TYPE_CHECKING:
    from .stream_pipeline import Intake

NAME = "The data"


def read_rows(intake: "Intake", rows: Any, targets: Any = None, *, target: bool, weight: bool = False) -> RowReader:
    """Raw rows as blocks, with their targets and weights or without; a bad row is a ValueError that names it. `targets`
    is the target column, if it is apart."""
    schema = intake.schema if target else intake.schema.without_target()
    schema = schema if weight else schema._replace(weight=None)
    stream: RowStream
    if schema.pairs:
        stream = PairRows(rows, targets, schema)
    else:
        table = _table(rows, schema)
        if targets is not None:
            assert schema.target is not None
            for name, values in _columns_of(targets, schema.targets):
                table = table.with_column(name, values)
        indices = column_indices(schema.as_read, table.names, NAME)
        twice = [name for name in indices if table.names.count(name) > 1]
        if twice:
            raise ValueError(f"{NAME} has two columns named {twice[0]!r}. Rename one.")
        stream = _stream({name: table.column(i) for name, i in indices.items()}, schema, intake, len(table))
    return RowReader(stream, policy=RaiseBadRow())


def _stream(columns: dict[str, Column], schema: Schema, intake: "Intake", rows: int) -> TextRows:
    """Numbers, and dates as pyarrow has them, are taken as they are; everything else is written and read."""
    numbers, kinds = dict[str, np.ndarray](), dict(schema.kinds)
    for name, column in columns.items():
        if not _is_numeric(schema, name):
            continue
        form = form_of(column)
        found = as_numbers(column) if form == NUMBERS or (form != TEXT and not isinstance(column, list)) else None
        if found is not None:
            numbers[name] = found
        elif form != TEXT:  # written in the usual notation, whatever that of the file was
            kinds.pop(name, None)
            kinds |= {DATES: {name: ISO}, TIMES: {name: TIME}}.get(form, {})
    written = {name: column for name, column in columns.items() if name not in numbers}
    spellings = {name: _spelling(intake, name) for name in written}
    parts = row_parts(written, numbers, spellings, rows)
    return TextRows(parts, schema._replace(kinds=kinds), numbers, NAME)


def _is_numeric(schema: Schema, name: str) -> bool:
    return name in schema.as_read.numeric or (name == schema.target and not schema.target_categorical)


class RaiseBadRow:
    """A bad row is an error that names its number, from 0, and its column."""

    raises = True

    def __init__(self) -> None:
        self.count, self.first = 0, list[str]()

    def handle(self, bad: BadLine) -> NoReturn:
        where = bad.where
        if where.startswith("column ") and where.endswith(")"):  # the position is that in our text
            where = f"column {where[where.index('(') + 1 : -1]}"
        raise ValueError(f"row {bad.line - 1:,}{f', {where}' if where else ''}: {bad.reason}")


def _table(rows: Any, schema: Schema) -> RawTable:
    """The columns; those of an array are numbered, if those of the model are."""
    if isinstance(rows, np.ndarray) and not schema.header:
        return _numbered(rows, schema)
    try:
        return as_table(rows)
    except TypeError:
        prepared = isinstance(rows, np.ndarray) or issparse(rows)
        way = " For a matrix that `prepare` returned, use `pipeline.estimator`." if prepared else ""
        raise ValueError(
            f"The model takes raw rows with the columns {listed(schema.features, 5)}: pass {KINDS}, not "
            f"{described(rows)}.{way}"
        ) from None


def _numbered(rows: np.ndarray, schema: Schema) -> RawTable:
    """The columns of an array by their numbers in the data that was learned, with its target or without."""
    features = max(schema.width - len(schema.targets), 0)
    names = [str(i + 1) for i in range(schema.width) if str(i + 1) not in schema.targets][:features]
    if rows.ndim == 2 and rows.shape[1] == schema.width:
        names = [str(i + 1) for i in range(schema.width)]
    elif rows.ndim != 2 or rows.shape[1] != features:
        raise ValueError(
            f"The array has shape {rows.shape}, but the model was trained on rows of {schema.width} columns with the "
            f"target: pass an array of shape (rows, {schema.width}), or without the target, (rows, {features})."
        )
    return RawTable(names, len(rows), lambda i: rows[:, i].tolist())


def _columns_of(targets: Any, names: tuple[str, ...]) -> list[tuple[str, Any]]:
    """Targets that are given apart, by the names of their columns."""
    if len(names) == 1:
        return [(names[0], targets)]
    values = np.asarray(targets)
    if values.ndim != 2 or values.shape[1] != len(names):
        raise ValueError(f"The model predicts {listed(names)}: pass targets of shape (rows, {len(names)}).")
    return [(name, values[:, i]) for i, name in enumerate(names)]


def _spelling(intake: "Intake", name: str) -> Spelling:
    schema, categories = intake.schema, intake.preparation.categories
    if _is_numeric(schema, name):  # some of its cells are text
        return Spelling(point="," if schema.kinds.get(name) == DECIMAL_COMMA else ".")
    if name == schema.target:
        return Spelling.among(intake.target.classes.tolist() if isinstance(intake.target, ClassTarget) else ())
    if name in schema.categorical:
        if isinstance(categories, GrowingOneHot):
            return Spelling.among(set(categories.known[categories.names.index(name)]))
        return Spelling.among(())
    return Spelling()


class PairRows:
    """The rows of a matrix for a model of index:value pairs: column j is the feature with index j + 1.

    >>> rows = PairRows(np.array([[0.0, 2.0], [0.0, 0.0]]), None, Schema(pairs=True, target="label").without_target())
    >>> [block.numeric.ends.tolist() for block in rows.blocks()]
    [[1, 1]]
    """

    def __init__(self, rows: Any, targets: Any, schema: Schema):
        self.names, self.nouns, self.locations = [NAME], ["row"], [MemoryLocation(NAME)]
        try:
            self.matrix = csr_matrix(rows, dtype=np.float64)
        except (TypeError, ValueError):
            raise ValueError(
                "The model was trained on index:value pairs: pass an array or a sparse matrix, whose column j is the "
                f"feature with index j + 1, not {described(rows)}."
            ) from None
        self.matrix.sum_duplicates()
        if schema.wanted_target is not None and targets is None:
            raise ValueError("The rows of a matrix have no targets: pass them as a second argument.")
        self.targets = None if targets is None else np.asarray(targets)
        if self.targets is not None and len(self.targets) != self.matrix.shape[0]:
            raise ValueError(f"There are {self.matrix.shape[0]:,} rows, but {len(self.targets):,} targets.")
        self.schema = schema

    def blocks(self, start: FilePosition = FilePosition()) -> Generator[RowBlock]:
        X, rows = self.matrix, self.matrix.shape[0]
        target: Any = None
        if self.targets is not None and self.schema.target_categorical:
            spelling = Spelling(decimals=False)
            target = categorical_column(spelling.cell(value) or None for value in self.targets.tolist())
        elif self.targets is not None:
            target = self.targets.astype(np.float64)
        yield RowBlock(
            Pairs(X.indptr[1:].astype(np.int64), X.indices.astype(np.int32), X.data), (), target,
            np.arange(1, rows + 1), np.zeros(rows, np.int32), FilePosition(line=1), FilePosition(line=rows + 1), 1.0,
        )  # fmt: skip

    def close(self) -> None:
        """Nothing is open."""
