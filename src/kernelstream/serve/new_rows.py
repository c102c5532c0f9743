"""Rows that are not known already, by their ids."""

from typing import Any

import numpy as np

from .event_log import Transaction


def new_rows(transaction: Transaction, content: Any, names: list[str] | None, key: str | None) -> tuple[Any, list[int]]:
    """What of the rows is not known already, and their numbers among all of them."""
    count = 0 if content is None else len(content)
    if key is not None and transaction.known([f"key:{key}"]):
        return None, []
    if names is None:
        return content, list(range(count))
    taken, new = transaction.known(names), list[int]()
    for i, name in enumerate(names):
        if name not in taken:
            taken.add(name)
            new.append(i)
    if not new or len(new) == count:
        return content, new
    return [content[i] for i in new] if isinstance(content, list) else content.take(_mask(new, count)), new


def _mask(numbers: list[int], count: int) -> np.ndarray:
    found = np.zeros(count, bool)
    found[numbers] = True
    return found
