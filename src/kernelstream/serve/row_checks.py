"""Rows of a request, checked before anything is written: an acknowledged row can be learned."""

import ast
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from scipy.sparse import issparse
from sklearn.utils import get_tags

from ..core.precision import HEAVIEST, LARGEST
from ..pipeline.raw_rows import read_rows
from ..pipeline.stream_pipeline import Intake, StreamPipeline
from ..prepare import ClassTarget, Target, target_from_dict
from ..readers import BadLine, CategoricalColumn, RowBlock
from ..readers.schema import listed
from .known_cells import KnownCells
from .limits import Limits
from .refused_request import RefusedRequest

SIMPLE = {str, int, float, bool, type(None)}
_LARGEST = float(np.finfo(np.float32).max) / 1e6  # models compute in float32
_FOR_FILES = "(If it stands for a missing value: --na.)"  # an option of the command line


class RefusedRow(NamedTuple):
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
    bad: list[RefusedRow]


class _Collected:
    """Bad rows, collected; `numbers` are those of the rows in the request."""

    raises = False

    def __init__(self, numbers: np.ndarray, bad: list[RefusedRow]) -> None:
        self.count, self.first = 0, list[str]()
        self.numbers, self.bad = numbers, bad

    def handle(self, bad: BadLine) -> None:
        self._add(bad.line, bad.where, bad.reason)

    def refuse(self, block: RowBlock, wrong: np.ndarray, reasons: list[tuple[str, str]]) -> RowBlock:
        for row, (where, why) in zip(wrong.tolist(), reasons, strict=True):
            self._add(int(block.lines[row]), where, why)
        return block.take(~np.isin(np.arange(len(block)), wrong))

    def _add(self, line: int, where: str, reason: str) -> None:
        reason = reason.replace(_FOR_FILES, "If the value is missing, send null.").replace(" of --classes", "")
        self.bad.append(RefusedRow(int(self.numbers[line - 1]), _column(where), reason))


def _column(where: str) -> str | None:
    """The column in the words of a reader: column 3 ('age'), or column 'age'."""
    quoted = where[where.index("(") + 1 : -1] if "(" in where and where.endswith(")") else where[len("column ") :]
    try:
        return str(ast.literal_eval(quoted))
    except (ValueError, SyntaxError):
        return where or None


class RowChecker:
    """Reads rows by the columns of a model. It has an intake of its own, which changes only when labels come that are
    new, and then as a whole, so any number of threads may use it while the model learns."""

    def __init__(self, intake: Intake, limits: Limits, *, new_labels: bool = True):
        if intake.schema.more_targets:
            raise RefusedRequest(
                422,
                f"The model predicts several targets, {listed(intake.schema.targets)}, and a server takes models with "
                "one. Train one model for each.",
            )
        if intake.schema.pairs:
            raise RefusedRequest(
                422,
                "The model was trained on index:value pairs, whose columns have no names. A server takes rows with "
                "named columns: train it on a CSV, JSON or Parquet file.",
            )
        self.intake, self.limits, self._new_labels = Intake.from_dict(intake.as_dict()), limits, new_labels
        self._note_known()
        self._cells, self._target_cells = KnownCells(), KnownCells()

    @classmethod
    def of(cls, pipeline: StreamPipeline, limits: Limits) -> "RowChecker":
        """For the rows of a model. A label that it has not seen is a new class, unless its recipe is for two only."""
        tags = get_tags(pipeline.estimator).classifier_tags
        return cls(pipeline.intake, limits, new_labels=tags is not None and tags.multi_class)

    def to_learn(self, rows: Any) -> CheckedRows:
        """Rows with valid features and targets."""
        block, collected = self._read(self.intake, self._cells, rows, target=True)
        if block is not None:
            target = self._target_with(block)
            intake = self.intake if target is self.intake.target else replace(self.intake, target=target)
            block, X, _ = intake.usable(block, collected.refuse, learn=False)
            block = _without_large(block, X, self.intake, collected)
        return _found(block, collected)

    def to_predict(self, rows: Any) -> CheckedRows:
        """Rows with valid features."""
        block, collected = self._read(self.intake, self._cells, rows, target=False)
        if block is not None:
            block, X = self.intake.features(block, collected.refuse)
            block = _without_large(block, X, self.intake, collected)
        return _found(block, collected)

    def targets(self, values: Sequence[Any]) -> CheckedRows:
        """Blocks without features: the targets only."""
        name = self.intake.schema.target
        rows = [{name: value} for value in values]
        bare = replace(self.intake, schema=self.intake.schema._replace(numeric=(), categorical=(), weight=None))
        block, collected = self._read(bare, self._target_cells, rows, target=True)
        if block is not None and block.target is not None:
            wrong = self._target_with(block).read(block.target)[1] | _large_targets(block.target)
            where = [(f"column {name!r}", wrong[row]) for row in sorted(wrong)]
            block = collected.refuse(block, np.array(sorted(wrong), np.intp), where)
        return _found(block, collected)

    def note_labels(self, block: RowBlock) -> None:
        """New labels are classes from now on; a refusal if there are too many. Called in the committing thread, when
        rows are written."""
        target = self._target_with(block)
        if target is self.intake.target:
            return
        assert block.target is not None
        wrong = target.read(block.target)[1]
        if wrong:
            raise RefusedRequest(422, f"{next(iter(wrong.values()))} Nothing of the request was learned.")
        self.intake = replace(self.intake, target=target)
        self._note_known()

    def _note_known(self) -> None:
        """Labels that need no closer look."""
        target = self.intake.target
        self._known = frozenset(target.classes.tolist() if isinstance(target, ClassTarget) else ())

    def _target_with(self, block: RowBlock) -> Target:
        """The target, with the labels of these rows as classes where that is possible."""
        target = self.intake.target
        assert block.target is not None
        if not self._new_labels or self._known.issuperset(_labels(block.target)):
            return target
        grown = target_from_dict(target.as_dict())
        grown.learn(block)
        return grown

    def _read(
        self, intake: Intake, cells: KnownCells, rows: Any, *, target: bool
    ) -> tuple[RowBlock | None, _Collected]:
        schema = intake.schema if target else intake.schema.without_target()
        check_count(len(rows), self.limits)
        if not isinstance(rows, list):
            collected = _Collected(np.arange(len(rows)), [])
            return self._read_as_file(intake, rows, collected, target=target), collected
        names = [*schema.features, *(name for name in (schema.wanted_target, schema.weight) if name is not None)]
        columns, numbers, bad = simple_columns(rows, names, self.limits)
        collected = _Collected(numbers, bad)
        if not len(numbers):
            return None, collected
        quick = cells.block(columns, schema)
        if quick is not None:
            return quick, collected
        block = self._read_as_file(intake, columns, collected, target=target)
        if block is not None:
            cells.note(columns, schema, block)
        return block, collected

    def _read_as_file(self, intake: Intake, rows: Any, collected: _Collected, *, target: bool) -> RowBlock | None:
        """By the rules of files."""
        try:
            reader = read_rows(intake, rows, target=target, weight=target)
            reader.policy = collected
            return reader.take(self.limits.rows + 1)
        except ValueError as error:
            raise RefusedRequest(422, f"{error} Nothing was learned.") from None


def _labels(target: Any) -> Sequence[Any]:
    """The different labels of rows, or more than these."""
    return target.categories if isinstance(target, CategoricalColumn) else np.unique(target).tolist()


def _found(block: RowBlock | None, collected: _Collected) -> CheckedRows:
    kept = np.empty(0, np.intp) if block is None else collected.numbers[block.lines - 1]
    return CheckedRows(block, kept, sorted(collected.bad, key=lambda bad: bad.row))  # type: ignore[arg-type]


def check_count(count: int, limits: Limits) -> None:
    """A refusal if a request has no rows, or too many."""
    if not count:
        raise RefusedRequest(422, "There are no rows in the request.")
    if count > limits.rows:
        raise RefusedRequest(
            413, f"The request has {count:,} rows; the maximum is {limits.rows:,}. Send several requests."
        )


def simple_columns(
    rows: Sequence[Any], names: Sequence[str], limits: Limits
) -> tuple[dict[str, list[Any]], np.ndarray, list[RefusedRow]]:
    """The columns of rows that have all of them, with simple values; the numbers of these rows, and the others."""
    bad = dict[int, RefusedRow]()
    for i, row in enumerate(rows):
        if not isinstance(row, Mapping):
            bad[i] = RefusedRow(i, None, f"a row is an object with columns by name, not {json_name(row)}.")
        elif not all(name in row for name in names):
            absent = next(name for name in names if name not in row)
            bad[i] = RefusedRow(i, absent, "the column is absent. If its value is missing, send null.")
    good = [i for i in range(len(rows)) if i not in bad]
    columns = {name: [rows[i][name] for i in good] for name in names}
    for name, values in columns.items():
        kinds = set(map(type, values))
        if kinds <= SIMPLE and not (str in kinds and any(wrong_value(value, limits) for value in values)):
            continue
        for i, value in zip(good, values, strict=True):
            why = wrong_value(value, limits)
            if why is not None:
                bad.setdefault(i, RefusedRow(i, name, why))
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
    if type(value) is str and not is_unicode(value):
        return "the text has half of a surrogate pair, which is no character."
    return None


def is_unicode(text: str) -> bool:
    """Whether a text can be written: JSON can name half of a surrogate pair.

    >>> is_unicode("ü"), is_unicode("\\ud800")
    (True, False)
    """
    return text.isascii() or not any("\ud800" <= character <= "\udfff" for character in text)


def json_name(value: Any) -> str:
    """What a value is in JSON's words."""
    names = {list: "an array", dict: "an object", str: "a string", bool: "a boolean", type(None): "null"}
    return names.get(type(value), "a number" if isinstance(value, (int, float)) else f"a {type(value).__name__}")


def _without_large(block: RowBlock, X: Any, intake: Intake, collected: _Collected) -> RowBlock:
    """Without rows whose numbers or targets are too large for the arithmetic of a model."""
    values = X.data if issparse(X) else X
    wrong = {row: (f"column {intake.schema.target!r}", why) for row, why in _large_targets(block.target).items()}
    if block.weight is not None:
        heavy = np.flatnonzero(block.weight > HEAVIEST).tolist()
        why = f"the weight is too large; the maximum is {HEAVIEST:g}."
        wrong |= dict.fromkeys(heavy, (f"column {intake.schema.weight!r}", why))
    if values.size and not (values.max() <= _LARGEST and values.min() >= -_LARGEST):
        names, table = intake.preparation.columns, X.toarray() if issparse(X) else X
        for row, column in np.argwhere(~(np.abs(table) <= _LARGEST)).tolist():
            wrong[row] = (f"column {names[column]!r}", f"the value is too large; the maximum is {_LARGEST:g}.")
    if not wrong:
        return block
    return collected.refuse(block, np.array(sorted(wrong), np.intp), [wrong[row] for row in sorted(wrong)])


def _large_targets(target: Any) -> dict[int, str]:
    if target is None or isinstance(target, CategoricalColumn):
        return {}
    bad = np.flatnonzero(~(np.abs(target) <= min(LARGEST, _LARGEST)) & np.isfinite(target)).tolist()
    return dict.fromkeys(bad, f"the target is too large; the maximum is {min(LARGEST, _LARGEST):g}.")
