"""Read rows from a stream, any number at a time; bad lines go to a policy."""

from collections import deque
from collections.abc import Callable, Generator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Protocol

import numpy as np

from .bad_lines import BadLine, BadLinePolicy, RaiseOnBad
from .blocks import FilePosition, RowBlock, concatenate
from .locations import Location


class RowStream(Protocol):
    """What rows are read from: files, or rows in memory."""

    @property
    def names(self) -> Sequence[str]:
        """Those of its parts, as the output of predictions has them."""

    @property
    def locations(self) -> Sequence[Location]:
        """Where each of its parts is."""

    @property
    def nouns(self) -> Sequence[str]:
        """What errors call the rows of each: line, or row."""

    def blocks(self, start: FilePosition = FilePosition()) -> Generator[RowBlock]: ...

    def close(self) -> None: ...


class RowReader:
    """Reads a stream from a position on, any number of rows at a time. `position` is where to continue after them.

    Parameters
    ----------
    stream : RowStream
        What to read.
    start : FilePosition, default FilePosition()
        Where to start.
    policy : BadLinePolicy or None, default None
        What is done with bad lines; None raises an error.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> from kernelstream.readers import FileStream, SkipBad
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "a.csv"
    >>> _ = path.write_text("x,y\\n1,0\\n2,1\\n3\\n4,1\\n")
    >>> rows = RowReader(FileStream([str(path)]), policy=SkipBad())
    >>> rows.take(1).numeric.tolist(), rows.take(5).numeric.tolist(), rows.take(5)
    ([[1.0]], [[2.0], [4.0]], None)
    >>> rows.policy.first
    ['...a.csv, line 4: expected 2 columns, found 1.']
    """

    def __init__(self, stream: RowStream, start: FilePosition = FilePosition(), policy: BadLinePolicy | None = None):
        self.stream, self.position, self.fraction = stream, start, 0.0
        self.policy: BadLinePolicy = RaiseOnBad() if policy is None else policy
        self._blocks = stream.blocks(start)
        self._waiting: deque[RowBlock] = deque()  # blocks, or the remainder of them
        #: computes the digest of what was read of the file at `position`; None if it has none
        self.digest: Callable[[], str | None] = lambda: start.digest
        self.held: RowBlock | None = None  #: no rows are held out
        self.whole = False  #: all rows are never in memory

    def take(self, count: int, *, wait: bool = True) -> RowBlock | None:
        """The next `count` rows, fewer at the end, or those read so far if not `wait`; None if there are no more."""
        parts: list[RowBlock] = []
        missing = count
        while missing > 0 and (wait or not parts) and (self._waiting or self._fetch()):
            block = self._waiting.popleft()
            part = block.take(slice(0, missing))
            if len(part) < len(block):
                last = int(part.lines[-1])
                self._handle([bad for bad in block.bad if bad.line < last])
                rest = block.take(slice(missing, None))
                self._waiting.appendleft(replace(rest, bad=tuple(bad for bad in block.bad if bad.line > last)))
                self.position = block.start._replace(after=last)
                self.digest = partial(_digest, block, last)
            else:
                self._handle(block.bad)
                self.position = block.end._replace(after=block.end.line - 1)
                self.digest = partial(_digest, block, None)
            self.fraction = block.fraction
            missing -= len(part)
            if len(part):
                parts.append(part)
        return concatenate(parts) if parts else None

    def peek(self, count: int) -> RowBlock | None:
        """The rows that `take` would return; the policy handles bad lines when they are taken."""
        while sum(map(len, self._waiting)) < count and self._fetch():
            pass
        blocks = [block for block in self._waiting if len(block)]
        return concatenate(blocks).take(slice(0, count)) if blocks else None

    def _fetch(self) -> bool:
        """Read one more block, without the lines taken before; False at the end."""
        block = next(self._blocks, None)
        if block is None:
            return False
        if block.start.file == self.position.file and self.position.after >= block.start.line:
            after = self.position.after
            block = replace(block.take(block.lines > after), bad=tuple(b for b in block.bad if b.line > after))
        self._waiting.append(block)
        return True

    def _handle(self, bad: tuple[BadLine, ...] | list[BadLine]) -> None:
        for line in bad:
            self.policy.handle(line)

    def refuse(
        self, block: RowBlock, wrong: np.ndarray, reasons: list[tuple[str, str]], policy: BadLinePolicy | None = None
    ) -> RowBlock:
        """A block without the rows `wrong` (ascending), which the policy handles; `reasons` is (where, why) of each."""
        return refuse_rows(self.stream, block, wrong, reasons, self.policy if policy is None else policy)

    def read(self) -> Generator[float]:
        """Rows are read as they are taken, so there is nothing to read first."""
        yield from ()

    def check_ahead(self, count: int) -> None:
        """Raise the error of the first bad line before or among the next `count` rows, which have been peeked at, if
        bad lines are errors."""
        if not self.policy.raises:
            return
        for block in self._waiting:
            if len(block) >= count:
                last = int(block.lines[count - 1])
                self._handle([bad for bad in block.bad if bad.line < last and not bad.unlabelled])
                return
            self._handle([bad for bad in block.bad if not bad.unlabelled])
            count -= len(block)

    def where(self) -> dict[str, Any]:
        """The fields of a position from which reading continues."""
        return {"place": self.position, "digest": self.digest}

    def close(self) -> None:
        """Stop reading."""
        self._blocks.close()
        self.stream.close()


def _digest(block: RowBlock, line: int | None) -> str | None:
    return None if block.digest is None else block.digest(line)


def refuse_rows(
    stream: RowStream, block: RowBlock, wrong: np.ndarray, reasons: list[tuple[str, str]], policy: BadLinePolicy
) -> RowBlock:
    """A block without the rows `wrong` (ascending), which the policy handles; `reasons` is (where, why) of each."""
    for row, (where, why) in zip(wrong.tolist(), reasons, strict=True):
        file, line = int(block.files[row]), int(block.lines[row])
        policy.handle(BadLine(stream.locations[file].name, line, why, where, stream.nouns[file]))
    return block.take(~np.isin(np.arange(len(block)), wrong))
