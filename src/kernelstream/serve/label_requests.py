"""Predictions with ids, and labels that come later."""

from collections.abc import Sequence
from concurrent.futures import Future
from typing import TYPE_CHECKING, Any

import numpy as np

from ..core.precision import HEAVIEST
from ..readers import RowBlock
from ..readers.blocks import categorical_column, concatenate
from .block_bytes import block_from_bytes, block_of, block_to_bytes
from .event_log import Transaction
from .pending_labels import Label
from .refused_request import RefusedRequest
from .refused_rows import refuse_bad
from .row_checks import RefusedRow, RowChecker

if TYPE_CHECKING:
    from .logged_model import LoggedModel


class LabelRequests:
    """What requests ask of the labels of a model."""

    def __init__(self, model: "LoggedModel"):
        self.model = model

    def keep(self, block: RowBlock, reader: RowChecker, ids: Sequence[str]) -> "Future[list[str]]":
        """Keep the features of predictions until their labels come; the outcome of each id."""
        if len(ids) != len(block):
            raise RefusedRequest(422, f"There are {len(block):,} rows, but {len(ids):,} ids.")
        features = [block_to_bytes(one_row(block, i)) for i in range(len(block))]

        def work(transaction: Transaction) -> list[str]:
            self.model.check_columns(transaction, reader)
            self.model.pending.purge(transaction)
            found, labels = list[str](), list[tuple[bytes, Label]]()
            for name, data in zip(ids, features, strict=True):
                outcome, label = self.model.pending.keep(transaction, name, data)
                found.append(outcome)
                if label is not None:
                    labels.append((data, label))
            if labels:
                _append_labelled(transaction, reader, labels)
            return found

        return self.model.submit(work, 0)

    def label(self, labels: Sequence[tuple[str, Label]]) -> "Future[list[str]]":
        """Labels of predictions with ids; the outcome of each."""
        self.model.check_open()
        checker = self.model.learner.checker
        if checker is None:
            raise self.model.not_yet()
        bad = checker.targets([label.value for _, label in labels]).bad
        bad += _wrong_weights([label.weight for _, label in labels], checker.intake.schema.weight)
        if bad:
            refuse_bad(sorted(bad, key=lambda wrong: wrong.row), False, "labelled")

        def work(transaction: Transaction) -> list[str]:
            self.model.check_columns(transaction, checker)
            self.model.pending.purge(transaction)
            found, learned = list[str](), list[tuple[bytes, Label]]()
            for name, label in labels:
                outcome, features = self.model.pending.label(transaction, name, label)
                found.append(outcome)
                if features is not None:
                    learned.append((features, label))
            if learned:
                _append_labelled(transaction, checker, learned)
            return found

        return self.model.submit(work, len(labels))


def _append_labelled(transaction: Transaction, checker: RowChecker, some: list[tuple[bytes, Label]]) -> None:
    target = checker.targets([label.value for _, label in some]).block.target
    weight: np.ndarray | None = None
    if checker.intake.schema.weight is not None:
        weight = np.array([1.0 if label.weight is None else label.weight for _, label in some])
    features = concatenate([block_from_bytes(data) for data, _ in some])
    assert isinstance(features.numeric, np.ndarray)
    block = block_of(features.numeric, features.categorical, target, weight)
    checker.note_labels(block)
    transaction.append_rows(block)


def _wrong_weights(weights: Sequence[Any], column: str | None) -> list[RefusedRow]:
    """Weights that cannot be used."""
    if column is None:
        why = "the model has no weights; leave it out, or create the model with the name of a column of weights."
        return [RefusedRow(i, "weight", why) for i, weight in enumerate(weights) if weight is not None]
    why = f"the weight must be a number from 0 to {HEAVIEST:g}."
    return [
        RefusedRow(i, column, why) for i, weight in enumerate(weights) if weight is not None and not _is_weight(weight)
    ]


def _is_weight(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and 0.0 <= value <= HEAVIEST


def one_row(block: RowBlock, i: int) -> RowBlock:
    """One row, with its own categories only."""
    row = block.take(slice(i, i + 1))
    texts = [[column.categories[code] if code >= 0 else None for code in column.codes] for column in row.categorical]
    assert isinstance(row.numeric, np.ndarray)
    return block_of(row.numeric, tuple(map(categorical_column, texts)), None)
