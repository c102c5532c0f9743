"""Rows of a request, checked before anything is written: an acknowledged row can be learned."""

import ast
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from scipy.sparse import issparse

from ..core.precision import LARGEST
from ..pipeline.raw_rows import read_rows
from ..pipeline.stream_pipeline import Intake
from ..readers import BadLine, CategoricalColumn, RowBlock, RowReader
from .limits import Limits
from .refusal import Refusal

SIMPLE = {str, int, float, bool, type(None)}
_LARGEST = float(np.finfo(np.float32).max) / 1e6  # models compute in float32
_FOR_FILES = "(If it stands for a missing value: --na.)"  # an option of the command line


class BadRow(NamedTuple):
    """A row of a request that cannot be used."""

    row: int
    column: str | None
    reason: str

    def __str__(self) -> str:
        where = "" if self.column is None else f", column {self.column!r}"
        return f"row {self.row:,}{where}: {self.reason}"


class CheckedRows(NamedTuple):
    """The usable rows of a request, their numbers in it, and the others."""

    block: RowBlock
    kept: np.ndarray
    bad: list[BadRow]


class _Collected:
    """Bad rows, collected."""

    def __init__(self, numbers: np.ndarray) -> None:
        self.count, self.first = 0, list[str]()
        self.numbers, self.bad = numbers, list[BadRow]()

    def handle(self, bad: BadLine) -> None:
        self.count += 1
        reason = bad.reason.replace(_FOR_FILES, "If the value is missing, send null.")
        self.bad.append(BadRow(int(self.numbers[bad.line - 1]), _column(bad.where), reason))


def _column(where: str) -> str | None:
    """The column in the words of a reader: column 3 ('age'), or column 'age'."""
    quoted = where[where.index("(") + 1 : -1] if "(" in where and where.endswith(")") else where[len("column ") :]
    try:
        return str(ast.literal_eval(quoted))
    except (ValueError, SyntaxError):
        return where or None


class RowChecker:
    """Reads rows by the columns of a model. It has an intake of its own, which never changes, so any number of threads
    may use it while the model learns new categories."""

    def __init__(self, intake: Intake, limits: Limits):
        if intake.schema.pairs:
            raise Refusal(422, "The model was trained on index:value pairs, whose columns have no names. A server "
                          "takes rows with named columns: train it on a CSV, JSON or Parquet file.")  # fmt: skip
        self.intake, self.limits = Intake.from_dict(intake.as_dict()), limits
        bare = intake.schema._replace(numeric=(), categorical=())
        self._targets = replace(self.intake, schema=bare)

    def to_learn(self, rows: Any) -> CheckedRows:
        """Rows with valid features and targets."""
        reader, collected = self._reader(self.intake, rows, target=True)
        block = reader.take(self.limits.rows + 1)
        if block is not None:
            block, X, _ = self.intake.usable(block, reader.refuse, learn=False)
            block = _without_large(block, X, self.intake, reader)
        return self._found(block, collected)

    def to_predict(self, rows: Any) -> CheckedRows:
        """Rows with features that can be read; values are checked when they are predicted."""
        reader, collected = self._reader(self.intake, rows, target=False)
        block = reader.take(self.limits.rows + 1)
        if block is not None:
            block, X = self.intake.features(block, reader.refuse)
            block = _without_large(block, X, self.intake, reader)
        return self._found(block, collected)

    def targets(self, values: Sequence[Any]) -> CheckedRows:
        """Blocks without features: the targets only."""
        name = self.intake.schema.target
        reader, collected = self._reader(self._targets, [{name: value} for value in values], target=True)
        block = reader.take(self.limits.rows + 1)
        if block is not None and block.target is not None:
            wrong = self.intake.target.read(block.target)[1] | _large_targets(block.target)
            where = [(f"column {name!r}", wrong[row]) for row in sorted(wrong)]
            block = reader.refuse(block, np.array(sorted(wrong), np.intp), where)
        return self._found(block, collected)

    def _reader(self, intake: Intake, rows: Any, *, target: bool) -> tuple[RowReader, _Collected]:
        schema = intake.schema if target else intake.schema.without_target()
        names = [*schema.features, *([schema.target] if target and schema.target is not None else [])]
        bad = list[BadRow]()
        count = len(rows)
        if isinstance(rows, list):
            rows, numbers, bad = simple_columns(rows, names, self.limits)
        else:
            numbers = np.arange(count)
        check_count(count, self.limits)
        try:
            reader = read_rows(intake, rows, target=target)
        except ValueError as error:
            raise Refusal(422, f"{error} Nothing was learned.") from None
        collected = _Collected(numbers)
        collected.bad += bad
        reader.policy = collected
        return reader, collected

    def _found(self, block: RowBlock | None, collected: _Collected) -> CheckedRows:
        kept = np.empty(0, np.intp) if block is None else collected.numbers[block.lines - 1]
        bad = sorted(collected.bad)
        return CheckedRows(block, kept, bad)  # type: ignore[arg-type]  # None if there is no row


def check_count(count: int, limits: Limits) -> None:
    """A refusal if a request has no rows, or too many."""
    if not count:
        raise Refusal(422, "There are no rows in the request.")
    if count > limits.rows:
        raise Refusal(413, f"The request has {count:,} rows; the maximum is {limits.rows:,}. Send several requests.")


def simple_columns(
    rows: Sequence[Any], names: Sequence[str], limits: Limits
) -> tuple[dict[str, list[Any]], np.ndarray, list[BadRow]]:
    """The columns of rows that have all of them, with simple values; the numbers of these rows, and the others."""
    bad = dict[int, BadRow]()
    for i, row in enumerate(rows):
        if not isinstance(row, Mapping):
            bad[i] = BadRow(i, None, f"a row is an object with columns by name, not {json_name(row)}.")
        elif not all(name in row for name in names):
            absent = next(name for name in names if name not in row)
            bad[i] = BadRow(i, absent, "the column is absent. If its value is missing, send null.")
    good = [i for i in range(len(rows)) if i not in bad]
    columns = {name: [rows[i][name] for i in good] for name in names}
    for name, values in columns.items():
        if SIMPLE.issuperset(set(map(type, values))) and not any(
            type(value) is str and len(value) > limits.text for value in values
        ):
            continue
        for i, value in zip(good, values, strict=True):
            why = wrong_value(value, limits)
            if why is not None:
                bad.setdefault(i, BadRow(i, name, why))
    if len(good) + len(bad) > len(rows):  # some values are wrong
        kept = [at for at, i in enumerate(good) if i not in bad]
        columns = {name: [values[at] for at in kept] for name, values in columns.items()}
        good = [good[at] for at in kept]
    return columns, np.array(good, np.intp), [bad[i] for i in sorted(bad)]


def wrong_value(value: Any, limits: Limits) -> str | None:
    """Why a value of a row cannot be used; None if it can."""
    if type(value) not in SIMPLE:
        return f"{json_name(value)} is neither a number nor text."
    if type(value) is str and len(value) > limits.text:
        return f"the text has {len(value):,} characters; the maximum is {limits.text:,}."
    return None


def json_name(value: Any) -> str:
    """What a value is in JSON's words."""
    names = {list: "an array", dict: "an object", str: "a string", bool: "a boolean", type(None): "null"}
    return names.get(type(value), "a number" if isinstance(value, (int, float)) else f"a {type(value).__name__}")


def _without_large(block: RowBlock, X: Any, intake: Intake, reader: RowReader) -> RowBlock:
    """Without rows whose numbers or targets are too large for the arithmetic of a model."""
    values = X.toarray() if issparse(X) else X
    wrong = _large_targets(block.target)
    names = intake.preparation.columns
    for row, column in np.argwhere(~(np.abs(values) <= _LARGEST)).tolist():
        wrong[row] = f"the value of {names[column]!r} is too large: a model computes in float32."
    if not wrong:
        return block
    place = f"column {intake.schema.target!r}"
    return reader.refuse(block, np.array(sorted(wrong), np.intp), [(place, wrong[row]) for row in sorted(wrong)])


def _large_targets(target: Any) -> dict[int, str]:
    if target is None or isinstance(target, CategoricalColumn):
        return {}
    bad = np.flatnonzero(~(np.abs(target) <= min(LARGEST, _LARGEST)) & np.isfinite(target)).tolist()
    return dict.fromkeys(bad, f"the target is too large; the maximum is {min(LARGEST, _LARGEST):g}.")
