"""The first rows of a stream, and what they decide."""

from functools import partial
from pathlib import PurePath
from typing import Any, NamedTuple

import numpy as np

from ..prepare import ClassTarget, NumericTarget, Preparation, Target, labels_in, parse_classes
from ..prepare.target_column import Label
from ..readers import FilePosition, FileStream, RowBlock, RowReader, SkipBad
from .curve import Curve
from .intake import Intake
from .learner import Estimator, make_estimator
from .settings import Settings
from .stream_pipeline import Position, StreamPipeline

MANY = 100  # labels; if there are more they are likely to be numbers
QUICK = 32 << 20  # bytes that are soon looked through; compressed ones count more
_EXPANSION = 6
_VALUES = 1 << 22  # numbers among the first rows, if these are very wide
_PORTION = 1 << 16


class First(NamedTuple):
    """The rows a stream begins with, as a model takes them."""

    intake: Intake
    X: Any
    y: np.ndarray

    def begin(self, estimator: Estimator) -> None:
        """Let an estimator decide what it takes from data."""
        target = self.intake.target
        estimator.initialize(self.X, self.y, classes=target.classes if isinstance(target, ClassTarget) else None)


def look(settings: Settings, stream: FileStream, rows: RowReader) -> First:
    """Look at the first rows, which are not taken, and decide how all rows are taken in."""
    first = rows.peek(min(settings.first, settings.limit or settings.first, _most(stream)))
    if first is None:
        rows.take(1)  # a bad line says so, unless they are left out
        why = f" {rows.policy.count:,} lines are bad, the first: {rows.policy.first[0]}" if rows.policy.count else ""
        raise ValueError(f"There are no rows to learn from in {', '.join(stream.files)}.{why}")
    target = _target(settings, stream, first)
    preparation = Preparation.from_first_rows(first, stream.schema, settings.scale, settings.missing, settings.hashed)
    intake = Intake(stream.schema, preparation, target, settings.dtype)
    aside = SkipBad()  # bad rows are met when they are taken
    usable, X, y = intake.usable(first, partial(rows.refuse, policy=aside), learn=True)
    if not len(usable):
        raise ValueError(f"None of the first {len(first):,} rows can be used. {aside.first[0]}")
    return First(intake, X, y)


def begin(settings: Settings, stream: FileStream, rows: RowReader) -> StreamPipeline:
    """A model that has learned nothing, for a stream whose first rows are looked at."""
    estimator = make_estimator(settings)  # what is wrong with the parameters comes first
    first = look(settings, stream, rows)
    first.begin(estimator)
    curve = Curve("rmse" if settings.task == "regression" else "accuracy")
    return StreamPipeline(settings, first.intake, estimator, curve, Position(list(stream.files)))


def _most(stream: FileStream) -> int:
    return max(_VALUES // max(len(stream.schema.numeric), 1), 100)


def _target(settings: Settings, stream: FileStream, first: RowBlock) -> Target:
    schema = stream.schema
    assert first.target is not None
    if settings.task == "regression":
        if schema.target_categorical:
            raise ValueError(f"The target {schema.target!r} is text, and numbers are needed for regression.")
        return NumericTarget()
    if settings.classes is not None:
        return ClassTarget(parse_classes(settings.classes, schema.target_categorical))
    scan = _is_quick(stream) if settings.scan is None else settings.scan
    labels = labels_in(first.target)
    where = f"in the first {len(first):,} rows"
    if scan and len(labels) <= MANY:
        labels, where = _scanned(stream, settings.limit), "in the data"
    if len(labels) > MANY:
        way = (
            "name them with --classes"
            if schema.target_categorical
            else (
                "to predict numbers, say --task regression; if they are labels all the same, name them with --classes"
            )
        )
        raise ValueError(f"The target {schema.target!r} has {len(labels):,} different values {where}: {way}.")
    if len(labels) < 2:
        only = f"only the label {next(iter(labels))!r}" if labels else "no label"
        way = "" if scan else ", or let all data be looked through first with --scan"
        raise ValueError(f"There is {only} {where}. Name the classes, with --classes a,b{way}.")
    return ClassTarget(labels)


def _is_quick(stream: FileStream) -> bool:
    """Whether all labels are soon known."""
    packed = any(PurePath(file).suffix in (".gz", ".bz2", ".xz") for file in stream.files)
    return stream.repeatable and stream.size * (_EXPANSION if packed else 1) <= QUICK


def _scanned(stream: FileStream, limit: int | None) -> set[Label]:
    """All labels of a stream, from a reading of its own."""
    if not stream.repeatable:
        raise ValueError("Standard input can be read once only: name the classes with --classes instead of --scan.")
    # with all columns, so that labels in bad lines do not count
    rows = RowReader(FileStream(stream.files, stream.options, stream.schema), FilePosition(), SkipBad())
    labels: set[Label] = set()
    left = limit
    while left != 0 and (block := rows.take(_PORTION if left is None else min(left, _PORTION))) is not None:
        assert block.target is not None
        labels |= labels_in(block.target)
        left = None if left is None else left - len(block)
        if len(labels) > MANY:
            break
    rows.close()
    return labels
