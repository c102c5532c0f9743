"""Whether the values of a target are labels or numbers, and what is unusual about them."""

from dataclasses import replace

import numpy as np

from ..prepare.target_column import MAX_CLASSES, ClassTarget, Target
from ..readers import CategoricalColumn, FileStream, RowBlock, RowReader, SkipBad
from ..readers.blocks import Column
from ..readers.schema import listed
from .settings import Settings, make_estimator

_MOST_LABELS = 20  # different decimals that may be labels
_MANY, _RARE = 10, 10  # classes that may well be counts, if a fifth of them have fewer rows
_SEVERAL = 0.2
_LOOKED_AT = 8192


def task_of(target: Column) -> str:
    """classification or regression, by the first values.

    >>> task_of(np.array([1.0, 2.0, 2.0])), task_of(np.arange(500.0)), task_of(np.arange(30) / 4)
    ('classification', 'regression', 'regression')
    """
    if isinstance(target, CategoricalColumn):
        return "classification"
    levels = np.unique(target[np.isfinite(target)])
    decimals = bool((np.mod(levels, 1.0) != 0.0).any())
    return "regression" if len(levels) > (_MOST_LABELS if decimals else MAX_CLASSES) else "classification"


def with_task(settings: Settings, stream: FileStream) -> Settings:
    """The settings with the task that the first rows of files show, if nothing that was said is against it. Then a
    note is added to the schema of the stream. The first rows of a pipe cannot be read twice."""
    schema, said = stream.schema, settings.classes is not None or settings.class_weight is not None
    if not stream.repeatable or schema.target is None or schema.more_targets or schema.target_categorical or said:
        return settings
    rows = RowReader(FileStream(stream.files[:1], stream.options, schema), policy=SkipBad())
    try:
        first = rows.peek(min(settings.first, _LOOKED_AT))
    finally:
        rows.close()
    if first is None or first.target is None or task_of(first.target) == "classification":
        return settings
    found = replace(settings, task="regression")
    try:
        make_estimator(found)
    except ValueError:  # a recipe for classes
        return settings
    assert isinstance(first.target, np.ndarray)
    note = (
        f"{schema.target!r} has {len(np.unique(first.target)):,} different values in the first {len(first):,} rows, so "
        "it is predicted as a number (--task regression). If these are labels: --task classification."
    )
    stream.schema = schema._replace(notes=(*schema.notes, note))
    return found


def label_notes(name: str | None, target: Target, first: RowBlock) -> list[str]:
    """Sentences about labels that are probably meant otherwise."""
    if not isinstance(target, ClassTarget) or target.fixed or name is None or first.target is None:
        return []
    if target.is_text:
        same: dict[str, list[str]] = {}
        for label in target.classes.tolist():
            same.setdefault(" ".join(label.casefold().split()), []).append(label)
        return [
            f"The labels {listed(labels, 5)} of {name!r} differ only in capitals or blanks. They are different "
            "classes: if they mean the same, correct them first."
            for labels in same.values() if len(labels) > 1
        ]  # fmt: skip
    assert isinstance(first.target, np.ndarray)
    counts = np.unique(first.target[np.isfinite(first.target)], return_counts=True)[1]
    if len(counts) <= _MANY or np.count_nonzero(counts < _RARE) < _SEVERAL * len(counts):
        return []
    return [
        f"{name!r} has {len(counts)} different integers, many of them rare. They are learned as classes, in no order; "
        "to predict a number, such as a count: --task regression."
    ]
