"""What a connector is."""

import threading
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple, Protocol


class SourceBatch(NamedTuple):
    """Rows that were read together; a batch without positions says only that there is nothing at the moment."""

    rows: list[dict[str, Any]] = []  # noqa: RUF012  a default that nobody changes
    places: list[str] = []  # noqa: RUF012  #: where each row comes from, for messages
    positions: Mapping[str, str] = {}  #: where to continue after these rows, by the name of each part of the source
    bad: list[str] = []  # noqa: RUF012  #: what is no row, and why
    origins: list[dict[str, Any]] = []  # noqa: RUF012  #: the same for programs, if the source has it

    def at(self, numbers: Sequence[int]) -> "SourceBatch":
        """With some of the rows only."""
        rows, places = [self.rows[i] for i in numbers], [self.places[i] for i in numbers]
        return self._replace(rows=rows, places=places, origins=[self.origins[i] for i in numbers])


class Source(Protocol):
    """Rows in an order that is the same each time, as far as each part (a partition, a file) goes."""

    def seek(self, positions: Mapping[str, str]) -> None:
        """Continue at the positions that were stored, and at the beginning of parts that have none."""

    def batches(self) -> Iterator[SourceBatch]:
        """Rows as they come; now and then an empty batch while there are none, so that whoever reads can stop."""

    def close(self) -> None: ...


class PredictionSink(Protocol):
    """Where predictions of a stream are written."""

    def write(self, origins: Sequence[Mapping[str, Any]], predictions: Sequence[Any], stop: threading.Event) -> bool:
        """Write predictions of the rows that `origins` name; whether they are safe. False only if `stop` was set."""
