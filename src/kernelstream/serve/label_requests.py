"""Predictions with ids, and labels that come later."""

from collections.abc import Sequence
from concurrent.futures import Future
from typing import TYPE_CHECKING, Any

import numpy as np

from ..readers import RowBlock
from ..readers.blocks import categorical_column, concatenate
from .block_bytes import block_from_bytes, block_of, block_to_bytes
from .event_log import Transaction
from .refused_request import RefusedRequest
from .refused_rows import refuse_bad
from .row_checks import RowChecker

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
            found, labels = list[str](), list[tuple[bytes, Any]]()
            for name, data in zip(ids, features, strict=True):
                outcome, label = self.model.pending.keep(transaction, name, data)
                found.append(outcome)
                if outcome == "learned":
                    labels.append((data, label))
            if labels:
                _append_labelled(transaction, reader, labels)
            return found

        return self.model.submit(work, 0)

    def label(self, labels: Sequence[tuple[str, Any]]) -> "Future[list[str]]":
        """Labels of predictions with ids; the outcome of each."""
        self.model.check_open()
        checker = self.model.learner.checker
        if checker is None:
            raise self.model.not_yet()
        bad = checker.targets([label for _, label in labels]).bad
        if bad:
            refuse_bad(bad, False, "learned")

        def work(transaction: Transaction) -> list[str]:
            self.model.check_columns(transaction, checker)
            self.model.pending.purge(transaction)
            found, learned = list[str](), list[tuple[bytes, Any]]()
            for name, label in labels:
                outcome, features = self.model.pending.label(transaction, name, label)
                found.append(outcome)
                if features is not None:
                    learned.append((features, label))
            if learned:
                _append_labelled(transaction, checker, learned)
            return found

        return self.model.submit(work, len(labels))


def _append_labelled(transaction: Transaction, checker: RowChecker, some: list[tuple[bytes, Any]]) -> None:
    target = checker.targets([label for _, label in some]).block.target
    weight = None if checker.intake.schema.weight is None else np.ones(len(some))  # a label has none of its own
    features = concatenate([block_from_bytes(data) for data, _ in some])
    assert isinstance(features.numeric, np.ndarray)
    block = block_of(features.numeric, features.categorical, target, weight)
    checker.note_labels(block)
    transaction.append_rows(block)


def one_row(block: RowBlock, i: int) -> RowBlock:
    """One row, with its own categories only."""
    row = block.take(slice(i, i + 1))
    texts = [[column.categories[code] if code >= 0 else None for code in column.codes] for column in row.categorical]
    assert isinstance(row.numeric, np.ndarray)
    return block_of(row.numeric, tuple(map(categorical_column, texts)), None)
