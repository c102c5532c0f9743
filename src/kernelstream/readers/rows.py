"""Rows taken from a stream, so many at a time, and what is done about bad ones."""

from collections import deque
from dataclasses import replace
from typing import Protocol

import numpy as np

from .blocks import Block, joined
from .place import BadLine, Place
from .stream import Stream

_SHOWN = 5


class Policy(Protocol):
    """What is done about a bad line."""

    count: int
    first: list[str]

    def meet(self, bad: BadLine) -> None: ...


class Refuse:
    """A bad line is an error."""

    def __init__(self) -> None:
        self.count, self.first = 0, list[str]()

    def meet(self, bad: BadLine) -> None:
        raise bad


class Skip:
    """Bad lines are left out and counted; the first few are kept for a report."""

    def __init__(self, count: int = 0, first: list[str] | None = None):
        self.count, self.first = count, list(first or ())

    def meet(self, bad: BadLine) -> None:
        self.count += 1
        if len(self.first) < _SHOWN:
            self.first.append(str(bad))


class Rows:
    """A stream from a place on, taken in portions of any size. `place` is where to go on after those taken.

    >>> import tempfile, pathlib
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "a.csv"
    >>> _ = path.write_text("x,y\\n1,0\\n2,1\\n3\\n4,1\\n")
    >>> rows = Rows(Stream([str(path)]), policy=Skip())
    >>> rows.take(1).numbers.tolist(), rows.take(5).numbers.tolist(), rows.take(5)
    ([[1.0]], [[2.0], [4.0]], None)
    >>> rows.policy.first
    ['...a.csv, line 4: it has 1 columns, and 2 are expected.']
    """

    def __init__(self, stream: Stream, start: Place = Place(), policy: Policy | None = None):
        self.stream, self.place, self.share = stream, start, 0.0
        self.policy: Policy = Refuse() if policy is None else policy
        self._blocks = stream.blocks(start)
        self._waiting: deque[Block] = deque()  # blocks, or what is left of them

    def take(self, count: int, *, wait: bool = True) -> Block | None:
        """The next rows, fewer at the end, or, if `wait` is false, fewer than have come; None if there are no more."""
        parts: list[Block] = []
        missing = count
        while missing > 0 and (wait or not parts) and (self._waiting or self._fetch()):
            block = self._waiting.popleft()
            part = block.take(slice(0, missing))
            if len(part) < len(block):
                last = int(part.lines[-1])
                self._meet([bad for bad in block.bad if bad.line < last])
                rest = block.take(slice(missing, None))
                self._waiting.appendleft(replace(rest, bad=tuple(bad for bad in block.bad if bad.line > last)))
                self.place = block.start._replace(after=last)
            else:
                self._meet(block.bad)
                self.place = block.end._replace(after=block.end.line - 1)
            self.share = block.share
            missing -= len(part)
            if len(part):
                parts.append(part)
        return joined(parts) if parts else None

    def peek(self, count: int) -> Block | None:
        """The rows that `take` would give; bad lines among them are met when they are taken."""
        while sum(map(len, self._waiting)) < count and self._fetch():
            pass
        blocks = [block for block in self._waiting if len(block)]
        return joined(blocks).take(slice(0, count)) if blocks else None

    def _fetch(self) -> bool:
        """Let one more block wait, without the lines taken before; False at the end."""
        block = next(self._blocks, None)
        if block is None:
            return False
        if block.start.file == self.place.file and self.place.after >= block.start.line:
            after = self.place.after
            block = replace(block.take(block.lines > after), bad=tuple(b for b in block.bad if b.line > after))
        self._waiting.append(block)
        return True

    def _meet(self, bad: tuple[BadLine, ...] | list[BadLine]) -> None:
        for line in bad:
            self.policy.meet(line)

    def refuse(
        self, block: Block, wrong: np.ndarray, reasons: list[tuple[str, str]], policy: Policy | None = None
    ) -> Block:
        """The rows of a block but those in `wrong`, ascending, which the policy meets; (where, why) for each."""
        policy = self.policy if policy is None else policy
        for row, (where, why) in zip(wrong.tolist(), reasons, strict=True):
            file = int(block.files[row])
            name = "standard input" if self.stream.files[file] == "-" else self.stream.files[file]
            policy.meet(BadLine(name, int(block.lines[row]), why, where, self.stream.nouns[file]))
        return block.take(~np.isin(np.arange(len(block)), wrong))

    def close(self) -> None:
        """Stop reading."""
        self._blocks.close()
        self.stream.close()
