"""What a connector is."""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple, Protocol


class SourceBatch(NamedTuple):
    """Rows that were read together; a batch without positions says only that there is nothing at the moment."""

    rows: list[dict[str, Any]] = []  # noqa: RUF012  a default that nobody changes
    places: list[str] = []  # noqa: RUF012  #: where each row comes from, for messages
    positions: Mapping[str, str] = {}  #: where to continue after these rows, by the name of each part of the source
    bad: list[str] = []  # noqa: RUF012  #: what is no row, and why


class Source(Protocol):
    """Rows in an order that is the same each time, as far as each part (a partition, a file) goes."""

    def seek(self, positions: Mapping[str, str]) -> None:
        """Continue at the positions that were stored, and at the beginning of parts that have none."""

    def batches(self) -> Iterator[SourceBatch]:
        """Rows as they come; now and then an empty batch while there are none, so that whoever reads can stop."""

    def close(self) -> None: ...
