"""Bad rows, as answers name them."""

from typing import Any

import numpy as np

from ..readers import RowBlock
from .refused_request import RefusedRequest
from .row_checks import RefusedRow

SHOWN = 100  # named in an answer
_WAYS = {
    "learned": "Nothing of the request was learned; ?bad_rows=skip learns the other rows.",
    "labelled": "None of the labels was taken.",
}


def listed(bad: list[RefusedRow]) -> list[dict[str, Any]]:
    return [row._asdict() for row in bad[:SHOWN]]


def refuse_bad(bad: list[RefusedRow], skip: bool, done: str) -> None:
    """A refusal that names the bad rows, unless they are to be left out."""
    if skip:
        return
    more = f" {len(bad) - 1:,} more rows are bad." if len(bad) > 1 else ""
    raise RefusedRequest(422, f"{bad[0]}{more} {_WAYS.get(done, '')}".strip(), rows=listed(bad))


def cannot_be(block: RowBlock, wrong: np.ndarray, reasons: list[tuple[str, str]]) -> RowBlock:
    raise RefusedRequest(422, f"row {int(block.lines[wrong[0]]) - 1:,}, {reasons[0][0]}: {reasons[0][1]}")
