"""Whether the data of a run to resume is still what the run has read."""

from pathlib import PurePath
from typing import TYPE_CHECKING, Any

from ..readers import FileStream, RowStream
from ..readers.digests import changed

if TYPE_CHECKING:
    from .position import Position


def with_digests(position: "Position", stream: RowStream, count: int) -> list[list[Any]]:
    """[size, digest] of the first `count` files, which were read to their ends; size 0 for pipes."""
    known = list(position.digests)
    for location in stream.locations[len(known) : count]:
        size = location.size if location.repeatable else 0
        known.append([size, location.digest(size)])
    return known


def check_same_input(position: "Position", stream: FileStream) -> None:
    """A ValueError if a file is shorter than it was, or if one that was read to its end has changed.

    The part that was read of the file at `position.place` is checked when reading continues there. That file, and those
    after it, may have grown.
    """
    for i, (location, size) in enumerate(zip(stream.locations, stream.sizes, strict=True)):
        name = location.name
        if not size or i >= len(position.sizes):
            continue  # a pipe, or a model file of an earlier version
        # a file that was compressed in the meantime is shorter
        same_form = PurePath(name).suffix == PurePath(position.sources[i]).suffix
        if same_form and size < position.sizes[i]:
            raise changed(name, f"it has {size:,} bytes, and had {position.sizes[i]:,}")
        if position.shuffled:
            continue  # all of it is read again, and compared then
        if i >= len(position.digests) or not position.digests[i][1]:
            continue
        before, digest = position.digests[i]
        if location.digest(before) != digest or (size != before and i != position.place.file):
            raise changed(name, "the file differs")
