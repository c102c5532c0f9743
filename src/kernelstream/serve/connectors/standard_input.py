"""Standard input: CSV or JSON lines. A pipe cannot be read again, so it has no positions."""

from collections.abc import Iterator, Mapping

from ...readers import STANDARD_INPUT, Options
from ...readers.dict_rows import read_dicts
from .source import SourceBatch

ROWS = 1000  # of a batch


class PipeSource:
    """Rows as they come. What was read and not yet committed when the process ends is lost."""

    def __init__(self, options: Options = Options()):
        self.options = options

    def seek(self, positions: Mapping[str, str]) -> None:
        """It begins with what comes."""

    def batches(self) -> Iterator[SourceBatch]:
        for found in read_dicts(STANDARD_INPUT, self.options):
            places = [f"standard input, line {line:,}" for line in found.lines]
            if found.bad:
                yield SourceBatch(bad=list(map(str, found.bad)))
            for at in range(0, len(found.rows), ROWS):
                yield SourceBatch(found.rows[at : at + ROWS], places[at : at + ROWS])

    def close(self) -> None:
        """It stays open."""
