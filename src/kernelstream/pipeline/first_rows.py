"""The first rows of a stream, which determine columns, scaling, classes and γ, and the untrained pipeline."""

from functools import partial
from pathlib import PurePath
from typing import Any, NamedTuple

import numpy as np

from ..prepare import (
    ClassTarget,
    ColumnPlan,
    NumericTarget,
    Preparation,
    Target,
    labels_in,
    parse_classes,
    plan_columns,
)
from ..prepare.target_column import Label
from ..readers import FilePosition, FileStream, RowBlock, RowReader, Schema, SkipBad
from ..readers.schema import NO_CODES
from ..tracking import AdaptiveModel
from .curve import Curve
from .deployed_size import sized_estimator
from .settings import AUTOMATIC, Estimator, Settings, make_estimator
from .stream_pipeline import Intake, Position, StreamPipeline

MAX_CLASSES = 100  # found in data; more different labels are likely to be numbers
QUICK = 32 << 20  # bytes that are scanned for labels without being asked; compressed ones count more
_EXPANSION = 6
_VALUES = 1 << 22  # numbers among the first rows at most, for very wide data
_PORTION = 1 << 16


class FirstRows(NamedTuple):
    """The first rows of a stream, prepared, and the intake for all rows."""

    intake: Intake
    X: Any
    y: np.ndarray

    def initialize(self, estimator: Estimator) -> None:
        """Let an estimator take its features, classes and γ from these rows."""
        target = self.intake.target
        estimator.initialize(self.X, self.y, classes=target.classes if isinstance(target, ClassTarget) else None)


def prepare_first_rows(settings: Settings, stream: FileStream, rows: RowReader) -> FirstRows:
    """Determine the intake from the first rows, which stay unread."""
    first = rows.peek(min(settings.first, settings.limit or settings.first, _max_rows(stream)))
    if first is None:
        rows.take(1)  # raises the error of a bad line, unless bad lines are skipped
        why = f" {rows.policy.count:,} lines are bad, the first: {rows.policy.first[0]}" if rows.policy.count else ""
        raise ValueError(f"There are no rows to learn from in {', '.join(stream.files)}.{why}")
    target = _target(settings, stream, first)
    plan = column_plan(settings, first, stream.schema, settings.task)
    preparation, dtype = _preparation(settings, plan, first)
    intake = Intake(plan.schema, preparation, target, dtype, plan.notes, plan.warnings)
    aside = SkipBad()  # bad rows are reported when they are read again
    usable, X, y = intake.usable(first, partial(rows.refuse, policy=aside), learn=True)
    if not len(usable):
        raise ValueError(f"None of the first {len(first):,} rows can be used. {aside.first[0]}")
    return FirstRows(intake, X, y)


def column_plan(settings: Settings, first: RowBlock, schema: Schema, task: str | None) -> ColumnPlan:
    """What is done with the columns. Skewed numbers are compressed where nothing is said about scaling, and the model
    scales inside; `task` is None if there is no target."""
    return plan_columns(
        first, schema, task, codes=NO_CODES not in settings.reading.categorical, hashed=settings.hashed is not None,
        compress=settings.scale == AUTOMATIC and make_estimator(settings).adapts,
    )  # fmt: skip


def _preparation(settings: Settings, plan: ColumnPlan, first: RowBlock) -> tuple[Preparation, str]:
    """How rows are prepared, and their dtype. A model that adapts takes them as they are, in full precision."""
    adapts = make_estimator(settings).adapts
    inside = adapts and settings.scale == AUTOMATIC
    scale = ("none" if inside else "standard") if settings.scale == AUTOMATIC else settings.scale
    how = settings.missing, settings.hashed, plan.derived
    found = Preparation.from_first_rows(first, plan.schema, scale, *how)
    if found.sparse and inside:  # it is learned by a single model
        found = Preparation.from_first_rows(first, plan.schema, "standard", *how)
    return found, "float64" if adapts and not found.sparse else settings.dtype


def untrained_pipeline(settings: Settings, stream: FileStream, rows: RowReader) -> StreamPipeline:
    """A pipeline that has learned nothing yet, for the stream that `rows` reads."""
    estimator = make_estimator(settings)  # invalid parameters are reported before any row is read
    first = prepare_first_rows(settings, stream, rows)
    first.initialize(estimator)
    position, curve = Position(list(stream.files), sizes=list(stream.sizes)), Curve(settings.metric)
    if settings.deploy is not None:
        shell = StreamPipeline(settings, first.intake, estimator, curve, position)
        estimator = sized_estimator(settings, shell, first.X)
        first.initialize(estimator)
    if isinstance(estimator.model_, AdaptiveModel):
        estimator.model_.name_features(first.intake.preparation.columns)
    return StreamPipeline(settings, first.intake, estimator, curve, position)


def _max_rows(stream: FileStream) -> int:
    return max(_VALUES // max(len(stream.schema.numeric), 1), 100)


def _target(settings: Settings, stream: FileStream, first: RowBlock) -> Target:
    schema = stream.schema
    assert first.target is not None
    if settings.task == "regression":
        if schema.target_categorical:
            raise ValueError(f"The target {schema.target!r} is text; regression needs numbers.")
        return NumericTarget()
    if settings.classes is not None:
        return ClassTarget(parse_classes(settings.classes, schema.target_categorical))
    scan = _is_small(stream) if settings.scan is None else settings.scan
    labels = labels_in(first.target)
    where = f"in the first {len(first):,} rows"
    if scan and len(labels) <= MAX_CLASSES:
        labels, where = _scanned(stream, settings.limit), "in the data"
    if len(labels) > MAX_CLASSES:
        way = "list the classes with --classes"
        if not schema.target_categorical:
            way = f"use --task regression to predict numbers; if they are labels, {way}"
        raise ValueError(f"The target {schema.target!r} has {len(labels):,} different values {where}: {way}.")
    if len(labels) < 2:
        only = f"only the label {next(iter(labels))!r}" if labels else "no label"
        way = "" if scan else ", or scan all data for labels first with --scan"
        raise ValueError(f"There is {only} {where}. List the classes with --classes a,b{way}.")
    return ClassTarget(labels)


def _is_small(stream: FileStream) -> bool:
    """Whether all labels can be found quickly."""
    packed = any(PurePath(file).suffix in (".gz", ".bz2", ".xz") for file in stream.files)
    return stream.repeatable and stream.size * (_EXPANSION if packed else 1) <= QUICK


def _scanned(stream: FileStream, limit: int | None) -> set[Label]:
    """All labels of a stream, which is read separately for this."""
    if not stream.repeatable:
        raise ValueError("Standard input can be read only once: list the classes with --classes instead of --scan.")
    # with all columns, so that labels in bad lines do not count
    rows = RowReader(FileStream(stream.files, stream.options, stream.schema), FilePosition(), SkipBad())
    labels: set[Label] = set()
    left = limit
    while left != 0 and (block := rows.take(_PORTION if left is None else min(left, _PORTION))) is not None:
        assert block.target is not None
        labels |= labels_in(block.target)
        left = None if left is None else left - len(block)
        if len(labels) > MAX_CLASSES:
            break
    rows.close()
    return labels
