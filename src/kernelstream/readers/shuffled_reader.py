"""Rows of files in a random order, within a memory budget: sorted by a seeded hash of their numbers.

The order depends on nothing but the seed, the epoch and the number of each row: not on the memory, the format, how rows
are divided among files, or where a run was interrupted. Data that fits in memory is read once for each epoch. Larger
data is read several times, each time for the rows with the next larger keys that fit: a true shuffle of data of any
size, whatever order it has.
"""

from collections import deque
from collections.abc import Callable, Generator, Iterator
from contextlib import closing
from dataclasses import dataclass, replace

import numpy as np

from .bad_lines import BadLine, BadLinePolicy, RaiseOnBad
from .blocks import CategoricalColumn, RowBlock, concatenate
from .digests import changed
from .file_stream import FileStream
from .row_reader import refuse_rows
from .shuffle_keys import LOWEST, shuffle_keys
from .sorted_rows import LARGEST, Part, SortedRows

MEMORY = 1 << 30  # bytes for rows at most, if nothing else is said


@dataclass(frozen=True)
class Shuffle:
    """The order of rows, and where to continue in it."""

    seed: int
    epoch: int = 0
    after: int = LOWEST  #: key of the last row taken
    #: rows with keys up to this are held out: those of the first epoch, in every epoch
    held: int = LOWEST
    last: int = LARGEST  #: rows with a larger key of the first epoch are left out


class ShuffledReader:
    """Reads a repeatable stream in a random order, any number of rows at a time.

    `first` is called with every block when the data is read for the first time, and the policy gets all bad lines then;
    without it, the run has seen them before. `digests` are those of the files, if they are known from before.

    Parameters
    ----------
    stream : FileStream
        What to read; it must be possible to read it again.
    shuffle : Shuffle
        Seed and epoch of the order, and where to continue.
    policy : BadLinePolicy or None, default None
        What is done with bad lines; None raises an error.
    first : function or None
        Gets every block when the data is read for the first time.
    digests : list of str or None, default None
        The digests of the files, if they are known.
    memory : int
        Bytes for the rows that are held at a time.
    least : int, default 2
        The number of rows that are held at a time, at least.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "a.csv"
    >>> _ = path.write_text("x,y\\n" + "".join(f"{i},{i % 2}\\n" for i in range(6)))
    >>> rows = ShuffledReader(FileStream([str(path)]), Shuffle(seed=0))
    >>> rows.take(4).numeric.ravel().tolist(), rows.take(4).numeric.ravel().tolist(), rows.take(4)
    ([1.0, 2.0, 0.0, 5.0], [4.0, 3.0], None)
    """

    def __init__(
        self,
        stream: FileStream,
        shuffle: Shuffle,
        policy: BadLinePolicy | None = None,
        *,
        first: Callable[[RowBlock], None] | None = lambda block: None,
        digests: list[str] | None = None,
        memory: int = MEMORY,
        least: int = 2,
    ):
        self.stream, self.shuffle, self.first, self.memory, self.least = stream, shuffle, first, memory, least
        self.policy: BadLinePolicy = RaiseOnBad() if policy is None else policy
        self.fraction = 0.0  #: of the data that was read so far, while it is read
        self.after, self.total = shuffle.after, 0  #: key of the last row taken; rows of the data
        self.digests = digests
        self.held: RowBlock | None = None  #: the rows held out, in order
        self._read_to = shuffle.after  # keys up to this have been read
        self._buffer: SortedRows | None = None
        self._portions: Iterator[Part] | None = None
        self._waiting: deque[Part] = deque()

    @property
    def whole(self) -> bool:
        """Whether all rows that are left are in memory."""
        return self._read_to >= LARGEST

    def read(self) -> Generator[float]:
        """Read what the next rows need, if that is to be read first; yields the fraction of the data read so far."""
        while self._portions is None and self._read_to < LARGEST:
            yield from self._fill()

    def take(self, count: int, *, wait: bool = True) -> RowBlock | None:
        """The next `count` rows, fewer at the end; None if there are no more."""
        parts, missing = [], count
        while missing > 0 and (self._waiting or self._fetch()):
            part = self._waiting.popleft()
            if len(part.keys) > missing:
                self._waiting.appendleft(part.take(slice(missing, None)))
                part = part.take(slice(0, missing))
            missing -= len(part.keys)
            self.after = int(part.keys[-1])
            parts.append(_compact(part.rows))
        return concatenate(parts) if parts else None

    def peek(self, count: int) -> RowBlock | None:
        """The rows that `take` would return."""
        while sum(len(part.keys) for part in self._waiting) < count and self._fetch():
            pass
        blocks = [_compact(part.rows) for part in self._waiting]
        return concatenate(blocks).take(slice(0, count)) if blocks else None

    def hold(self, count: int) -> int:
        """Hold out the next `count` rows; the key of the last of them."""
        self.held = self.take(count)
        return self.after

    def refuse(
        self, block: RowBlock, wrong: np.ndarray, reasons: list[tuple[str, str]], policy: BadLinePolicy | None = None
    ) -> RowBlock:
        """A block without the rows `wrong` (ascending), which the policy handles; `reasons` is (where, why) of each."""
        return refuse_rows(self.stream, block, wrong, reasons, self.policy if policy is None else policy)

    def check_ahead(self, count: int) -> None:
        """Bad lines have been handled before any row was given out."""

    def where(self) -> dict[str, int]:
        """The fields of a position from which `Shuffle` continues."""
        return {"after": self.after}

    def close(self) -> None:
        """Stop reading, and free the memory."""
        self._waiting.clear()
        self._buffer = self._portions = None
        self.stream.close()

    def _fetch(self) -> bool:
        """The next portion of rows; False at the end."""
        while True:
            for _ in self.read():
                pass
            part = None if self._portions is None else next(self._portions, None)
            if part is not None:
                self._waiting.append(part)
                return True
            self._buffer = self._portions = None
            if self._read_to >= LARGEST:
                return False

    def _fill(self) -> Generator[float]:
        """Read all data, and keep the rows with the next larger keys that fit."""
        shuffle, buffer, held = self.shuffle, SortedRows(self.memory, self.least), list[Part]()
        found, last, count = list[str](), None, 0
        with closing(self.stream.blocks()) as reading:
            for block in reading:
                if last is not None and last.start.file != block.start.file:
                    found.append(_digest(last))
                last = block
                self._note(block)
                block = replace(block, digest=None)  # which holds the text of its rows
                numbers = np.arange(count, count + len(block))
                base = shuffle_keys(numbers, shuffle.seed)
                keys = base if shuffle.epoch == 0 else shuffle_keys(numbers, shuffle.seed, shuffle.epoch)
                wanted = (keys > self._read_to) & (base > shuffle.held) & (base <= shuffle.last)
                buffer.add(*(Part(block, keys) if wanted.all() else Part(block, keys).take(wanted)))
                if self.held is None and shuffle.held > LOWEST:
                    out = np.flatnonzero(base <= shuffle.held)
                    held.append(Part(_compact(block.take(out)), base[out]))
                count += len(block)
                self.fraction = block.fraction
                yield self.fraction
        found += [] if last is None else [_digest(last)]
        self._check(found)
        if held:
            keys = np.concatenate([part.keys for part in held])
            self.held = concatenate([part.rows for part in held]).take(np.argsort(keys))
        self.total, self.first = count, None
        self._buffer, self._portions = buffer, buffer.portions()
        self._read_to = buffer.top

    def _note(self, block: RowBlock) -> None:
        for bad in block.bad:
            self._handle(bad)
        if self.first is not None:
            self.first(block)

    def _handle(self, bad: BadLine) -> None:
        if self.first is not None or (self.policy.raises and not bad.unlabelled):
            self.policy.handle(bad)

    def _check(self, digests: list[str]) -> None:
        """A `ChangedInput` if the files differ from what was read before."""
        if self.digests is None:
            self.digests = digests
        for location, now, before in zip(self.stream.locations, digests, self.digests, strict=False):
            if now != before:
                raise changed(location.name, "the file differs, and rows that are shuffled come from all of it")


def _digest(block: RowBlock) -> str:
    return (None if block.digest is None else block.digest(None)) or ""


def _compact(block: RowBlock) -> RowBlock:
    """Without categories that no row has, if there are many of them."""
    columns = tuple(
        _used(column) if len(column.categories) > 2 * len(block) else column for column in block.categorical
    )
    return replace(block, categorical=columns) if columns else block


def _used(column: CategoricalColumn) -> CategoricalColumn:
    codes, index = np.unique(column.codes, return_inverse=True)
    missing = int(codes[0] < 0) if len(codes) else 0
    return CategoricalColumn(index - missing, [column.categories[code] for code in codes[missing:].tolist()])
