"""The first rows of a stream, which determine columns, scaling, classes and γ, and the untrained pipeline."""

from functools import partial
from pathlib import PurePath
from typing import Any, NamedTuple

import numpy as np

from ..estimators.class_weights import check_class_weight
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
from ..prepare.target_column import MAX_CLASSES, Label
from ..readers import (
    BadLinePolicy,
    FilePosition,
    FileStream,
    RaiseOnBad,
    RowBlock,
    RowReader,
    Schema,
    ShuffledReader,
    SkipBad,
)
from ..readers.compression import SUFFIXES as COMPRESSED
from ..readers.schema import NO_CODES, listed
from ..tracking import AdaptiveModel
from .curve import Curve
from .deployed_size import sized_estimator
from .fitting import fits_rows
from .position import Position
from .settings import AUTOMATIC, Estimator, Settings, make_estimator
from .stream_pipeline import Intake, StreamPipeline
from .task_of_target import label_notes

QUICK = 32 << 20  # bytes that are scanned for labels without being asked; compressed ones count more
_EXPANSION = 6
_VALUES = 1 << 22  # numbers among the first rows at most, for very wide data
_PORTION = 1 << 16


class FoundLabels:
    """The labels of all rows, where these are read before any is learned; None for regression."""

    def __init__(self, settings: Settings):
        self.wanted = settings.task == "classification"
        self.all: set[Label] | None = None

    def add(self, block: RowBlock) -> None:
        assert block.target is not None
        if self.wanted and len(self.all or ()) <= MAX_CLASSES:
            self.all = (self.all or set()) | labels_in(block.target)


class FirstRows(NamedTuple):
    """The first rows of a stream, prepared, and the intake for all rows."""

    intake: Intake
    X: Any
    y: np.ndarray
    class_weight: dict[Label, float] | None = None  #: by labels of the type of the target column
    fit: bool = False  #: whether all rows are fitted together

    def initialize(self, estimator: Estimator) -> None:
        """Let an estimator take its features, classes and γ from these rows."""
        target = self.intake.target
        if self.class_weight is not None:
            estimator.set_params(class_weight=self.class_weight)
        if self.fit:
            return
        estimator.initialize(self.X, self.y, classes=target.classes if isinstance(target, ClassTarget) else None)


def prepare_first_rows(
    settings: Settings, stream: FileStream, rows: RowReader | ShuffledReader, labels: FoundLabels | None = None
) -> FirstRows:
    """Determine the intake from the first rows, which stay unread. If bad lines are errors, one among these rows is
    reported at once: what follows may have to be compiled first."""
    count = min(settings.first, settings.limit or settings.first, _max_rows(stream))
    first = rows.peek(count)
    if first is None:
        rows.take(1)  # raises the error of a bad line, unless bad lines are skipped
        why = f" {rows.policy.count:,} lines are bad, the first: {rows.policy.first[0]}" if rows.policy.count else ""
        raise ValueError(f"There are no rows to learn from in {', '.join(stream.names)}.{why}")
    rows.check_ahead(count)
    target = _target(settings, stream, first, None if labels is None else labels.all)
    as_read = first.take(np.lexsort((first.lines, first.files)))  # ids are in the order of the file
    plan = column_plan(settings, as_read, stream.schema, settings.task, drawn=isinstance(rows, ShuffledReader))
    fit = fits_rows(settings, rows)
    preparation, dtype = _preparation(settings, plan, first, fit)
    notes = [*plan.notes, *label_notes(plan.schema.target, target, first)]
    intake = Intake(plan.schema, preparation, target, dtype, notes, plan.warnings)
    aside: BadLinePolicy = RaiseOnBad() if rows.policy.raises else SkipBad()  # these are counted when they are taken
    usable, X, y = intake.usable(first, partial(rows.refuse, policy=aside), learn=True)
    if not len(usable):
        raise ValueError(f"None of the first {len(first):,} rows can be used. {aside.first[0]}")
    if usable.weight is not None and usable.weight.any():  # rows without weight say nothing about the targets' scale
        X, y = X[usable.weight > 0.0], y[usable.weight > 0.0]
    return FirstRows(intake, X, y, _class_weight(settings, target), fit)


def _class_weight(settings: Settings, target: Target) -> dict[Label, float] | None:
    """The weights of labels, if they are given."""
    if not isinstance(settings.class_weight, dict) or not isinstance(target, ClassTarget):
        return None
    labels = parse_classes(list(settings.class_weight), target.is_text)
    found = dict(zip(labels, settings.class_weight.values(), strict=True))
    check_class_weight(found, target.classes)
    return {label: found[label] for label in target.classes.tolist() if label in found}  # integers where labels are


def column_plan(
    settings: Settings, first: RowBlock, schema: Schema, task: str | None, *, drawn: bool = False
) -> ColumnPlan:
    """What is done with the columns. Skewed numbers are compressed where nothing is said about scaling, and the model
    scales inside; `task` is None if there is no target. `drawn`: whether the first rows are drawn from all."""
    return plan_columns(
        first, schema, task, codes=NO_CODES not in settings.reading.categorical, hashed=settings.hashed is not None,
        compress=settings.scale == AUTOMATIC and make_estimator(settings).adapts and not schema.more_targets,
        drawn=drawn,
    )  # fmt: skip


def _preparation(settings: Settings, plan: ColumnPlan, first: RowBlock, fit: bool) -> tuple[Preparation, str]:
    """How rows are prepared, and their dtype. A model that adapts takes them as they are, in full precision."""
    # several targets are learned by a single model
    adapts = make_estimator(settings).adapts and not fit and not plan.schema.more_targets
    inside = adapts and settings.scale == AUTOMATIC
    scale = ("none" if inside else "standard") if settings.scale == AUTOMATIC else settings.scale
    how = settings.missing, settings.hashed, plan.derived
    found = Preparation.from_first_rows(first, plan.schema, scale, *how)
    if found.sparse and inside:  # it is learned by a single model
        found = Preparation.from_first_rows(first, plan.schema, "standard", *how)
    return found, "float64" if adapts and not found.sparse else settings.dtype


def untrained_pipeline(
    settings: Settings, stream: FileStream, rows: RowReader | ShuffledReader, labels: FoundLabels | None = None
) -> StreamPipeline:
    """A pipeline that has learned nothing yet, for the stream that `rows` reads."""
    estimator = make_estimator(settings)  # invalid parameters are reported before any row is read
    first = prepare_first_rows(settings, stream, rows, labels)
    first.initialize(estimator)
    position = Position(stream.names, sizes=list(stream.sizes), fit=first.fit)
    curve = Curve(settings.metric)
    if settings.deploy is not None:
        shell = StreamPipeline(settings, first.intake, estimator, curve, position)
        estimator = sized_estimator(settings, shell, first.X)
        first.initialize(estimator)
    if not first.fit and isinstance(estimator.model_, AdaptiveModel):
        estimator.model_.name_features(first.intake.preparation.columns)
    return StreamPipeline(settings, first.intake, estimator, curve, position)


def _max_rows(stream: FileStream) -> int:
    return max(_VALUES // max(len(stream.schema.numeric), 1), 100)


def _target(settings: Settings, stream: FileStream, first: RowBlock, known: set[Label] | None) -> Target:
    """`known`: the labels of all rows, if they were read."""
    schema = stream.schema
    assert first.target is not None
    if schema.more_targets and settings.task != "regression":
        raise ValueError(f"Several targets, {listed(schema.targets)}, are for regression: use --task regression.")
    if settings.task == "regression":
        if schema.target_categorical:
            raise ValueError(f"The target {schema.target!r} is text; regression needs numbers.")
        return NumericTarget()
    if settings.classes is not None:
        return ClassTarget(parse_classes(settings.classes, schema.target_categorical), fixed=True)
    scan = _is_small(stream) if settings.scan is None else settings.scan
    labels, where, whole = labels_in(first.target), f"in the first {len(first):,} rows", False
    if known is not None:
        labels, where, whole = known, "in the data", True
    elif scan and len(labels) <= MAX_CLASSES:
        labels, where, whole = _scanned(stream, settings.limit), "in the data", True
    if len(labels) > MAX_CLASSES:
        way = "list the classes with --classes"
        if not schema.target_categorical:
            way = f"use --task regression to predict numbers; if they are labels, {way}"
        count = f"more than {MAX_CLASSES}" if whole else f"{len(labels):,}"
        raise ValueError(f"The target {schema.target!r} has {count} different values {where}: {way}.")
    if len(labels) < (2 if whole else 1):  # others may come later in a stream
        only = f"only the label {next(iter(labels))!r}" if labels else "no label"
        raise ValueError(f"There is {only} {where}. List the classes with --classes a,b.")
    return ClassTarget(labels)


def _is_small(stream: FileStream) -> bool:
    """Whether all labels can be found quickly."""
    packed = any(PurePath(file).suffix in COMPRESSED for file in stream.files)
    return stream.repeatable and all(stream.sizes) and stream.size * (_EXPANSION if packed else 1) <= QUICK


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
