"""The columns of data, as far as its first rows show them, and what training would do with each."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple

import numpy as np

from ..prepare import ColumnPlan
from ..prepare.column_treatment import TreatedColumn
from ..prepare.date_parts import seconds_of, unit_of, written_as_digits
from ..readers import CategoricalColumn, FileStream, Pairs, RowBlock, RowReader, Schema, SkipBad
from ..readers.blocks import Column
from .first_rows import MAX_CLASSES, column_plan
from .settings import Settings
from .task_of_target import task_of


class DataDescription(NamedTuple):
    """What the first rows show."""

    rows: int
    bad_lines: int
    first_bad: list[str]
    columns: list[
        dict[str, Any]
    ]  #: of each feature column: name, type, missing, distinct, range or values, what is done
    targets: list[dict[str, Any]]
    notes: list[str]
    warnings: list[str]


def describe_data(sources: Sequence[str], settings: Settings, *, task: str | None = None) -> DataDescription:
    """Read the first rows of files; bad lines among them are counted. `task` is guessed if it is None."""
    stream = FileStream(sources, settings.reading._replace(target_needed=False))
    rows = RowReader(stream, policy=SkipBad())
    try:
        first = rows.take(settings.first)
    finally:
        rows.close()
    if first is None:
        why = f" {rows.policy.count:,} lines are bad, the first: {rows.policy.first[0]}" if rows.policy.count else ""
        raise ValueError(f"There are no rows in {', '.join(stream.names)}.{why}")
    targets = _targets(first, stream.schema, task)
    task = targets[0]["task"] if targets else None
    plan = column_plan(settings, first, stream.schema, task, drawn=stream.repeatable)
    columns = _of_pairs(first.numeric) if isinstance(first.numeric, Pairs) else _of_table(plan)
    return DataDescription(
        len(first), rows.policy.count, rows.policy.first, columns, targets, plan.notes, plan.warnings
    )  # fmt: skip


def _of_table(plan: ColumnPlan) -> list[dict[str, Any]]:
    if not plan.columns:
        kinds = [*zip(plan.schema.numeric, ["number"] * len(plan.schema.numeric), strict=True)]
        kinds += zip(plan.schema.categorical, ["category"] * len(plan.schema.categorical), strict=True)
        return [{"name": name, "type": kind, "done": "as it is: too many columns to inspect"} for name, kind in kinds]
    return [_of_column(column) for column in plan.columns]


def _of_column(column: TreatedColumn) -> dict[str, Any]:
    facts = column.facts
    found: dict[str, Any] = {
        "name": facts.name,
        "type": "integer" if facts.kind == "number" and facts.whole and facts.distinct else facts.kind,
        "missing": facts.missing / max(facts.rows, 1),
        "distinct": facts.distinct,
    }
    if facts.values is not None and facts.distinct:
        dates = column.use == "date" or facts.kind == "date"
        low, high = float(facts.levels[0]), float(facts.levels[-1])
        found |= (
            {"low": _date(low, facts.values), "high": _date(high, facts.values)}
            if dates
            else {"low": low, "high": high}
        )
    elif facts.distinct:
        found["top"] = {str(value): share for value, share in facts.top()}
    return found | {"use": column.use, "done": column.done}


def _date(value: float, values: np.ndarray) -> str:
    """A date as text; the number if it is beyond the calendar."""
    try:
        seconds = seconds_of(np.array([value]), unit_of(values), written_as_digits(values)).item()
        return (datetime(1970, 1, 1, tzinfo=UTC) + timedelta(seconds=seconds)).strftime("%Y-%m-%d %H:%M")
    except (OverflowError, ValueError):
        return f"{value:g}"


def _of_pairs(pairs: Pairs) -> list[dict[str, Any]]:
    shown = len(pairs.values) / max(len(pairs.ends) * pairs.width, 1)
    done = f"{pairs.width:,} features, {100 * shown:.1f} % of the values are given"
    missing = float(np.isnan(pairs.values).mean()) if len(pairs.values) else 0.0
    return [{"name": "index:value pairs", "type": "number", "missing": missing, "use": "number", "done": done}]


def _targets(first: RowBlock, schema: Schema, task: str | None) -> list[dict[str, Any]]:
    if first.target is None:
        return []
    if not schema.more_targets:
        return [_target(first.target, schema.target, task)]
    assert isinstance(first.target, np.ndarray)
    return [_target(first.target[:, i], name, "regression") for i, name in enumerate(schema.targets)]


def _target(column: Column, name: str | None, task: str | None) -> dict[str, Any]:
    text = isinstance(column, CategoricalColumn)
    values: Any = (
        np.array([*column.categories, ""], object)[column.codes] if isinstance(column, CategoricalColumn) else column
    )
    missing = column.codes < 0 if isinstance(column, CategoricalColumn) else ~np.isfinite(values)
    levels, counts = np.unique(values[~missing].astype(str) if text else values[~missing], return_counts=True)
    task = task or task_of(column)
    found: dict[str, Any] = {"name": name, "task": task, "missing": float(missing.mean()), "distinct": len(levels)}
    if task == "classification":
        order = np.argsort(-counts, kind="stable").tolist()
        label = (lambda i: str(levels[i])) if text else (lambda i: f"{levels[i]:.15g}")
        return found | {"classes": {label(i): float(counts[i] / counts.sum()) for i in order[:MAX_CLASSES]}}
    return found | ({} if text or not len(levels) else {"low": float(levels[0]), "high": float(levels[-1])})
