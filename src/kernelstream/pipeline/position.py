"""How far a run has read: all that is needed to resume it exactly."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from ..readers import FilePosition
from ..readers.shuffle_keys import LOWEST
from ..readers.sorted_rows import LARGEST


@dataclass
class Position:
    """The position of a run. Rows are read in order from `place` on, or, if `shuffled`, from the key `after` on."""

    sources: list[str]
    place: FilePosition = field(default_factory=FilePosition)
    epoch: int = 0
    taken: int = 0  #: rows read in this epoch
    bad: int = 0  #: lines skipped
    first_bad: list[str] = field(default_factory=list)  #: messages about the first few of them
    finished: bool = False
    sizes: list[int] = field(default_factory=list)  #: of the files in bytes; 0 for pipes
    digests: list[list[Any]] = field(default_factory=list)  #: [size, digest] of each file that was read to its end
    digest: Callable[[], str | None] | None = None  #: computes that of what was read of the file at `place`
    shuffled: bool = False
    order: str = ""  #: why rows are shuffled or not, for a report
    after: int = LOWEST  #: key of the last row taken, if rows are shuffled
    last: int = LARGEST  #: key of the first epoch's last row, if it ended at a limit
    total: int = 0  #: rows of the data, if rows are shuffled
    held_rows: int = 0  #: held out until the end of the run
    held_key: int = LOWEST  #: key of the last of them
    held_taken: int = 0  #: of them, learned in the end
    held_score: float | None = None  #: of the model that had learned all other rows

    @property
    def shuffle(self) -> dict[str, int]:
        """The fields of `Shuffle` but the seed; rows that were held out and learned are not held out any more."""
        held = LOWEST if self.held_taken and self.epoch else self.held_key
        return {"epoch": self.epoch, "after": self.after, "held": held, "last": self.last if self.epoch else LARGEST}

    def as_dict(self) -> dict[str, Any]:
        """A dict that JSON can hold."""
        place = self.place if self.digest is None else self.place._replace(digest=self.digest())
        return {name: value for name, value in vars(self).items() if name != "digest"} | {"place": list(place)}

    @classmethod
    def from_dict(cls, saved: dict[str, Any]) -> "Position":
        return cls(**saved | {"place": FilePosition(*saved["place"])})
