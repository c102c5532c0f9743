"""All streams and learners by name, and how a command names some of them."""

from collections.abc import Mapping
from typing import TypeVar

from benchmarks.streams import files, generated
from benchmarks.streams.learner import Learner, imported
from benchmarks.streams.moa_peers import MOA
from benchmarks.streams.ours import OURS
from benchmarks.streams.river_peers import PEERS
from benchmarks.streams.stream import Stream

STREAMS: dict[str, Stream] = {
    stream.name: stream
    for stream in (
        *files.DRIFTING, *generated.DRIFTING, *generated.STATIONARY, *files.SHUFFLED, *files.REGRESSIONS,
    )
}  # fmt: skip

LEARNERS: dict[str, Learner] = {learner.name: learner for learner in (*OURS, *PEERS, *MOA)}

T = TypeVar("T")


def streams(names: str | None) -> list[Stream]:
    """Streams by names or groups, with commas between them; None is all.

    >>> [stream.name for stream in streams("sea,regression")]
    ['sea', 'bike', 'fried']
    """
    found: dict[str, Stream] = {}
    for name in STREAMS if names is None else names.split(","):
        group = {stream.name: stream for stream in STREAMS.values() if stream.group == name}
        found |= group or {name: _named(STREAMS, name, "stream")}
    return list(found.values())


def learners(names: str | None) -> list[Learner]:
    """Learners by names, with commas between them, in any case; `module:function` is one of your own.

    >>> [learner.name for learner in learners("arf,kernelstream")]
    ['ARF', 'kernelstream']
    """
    return [learner(name) for name in (LEARNERS if names is None else dict.fromkeys(names.split(",")))]


def learner(name: str) -> Learner:
    return imported(name) if ":" in name else _named(LEARNERS, name, "learner")


def _named(known: Mapping[str, T], name: str, what: str) -> T:
    for candidate, value in known.items():
        if candidate.lower() == name.strip().lower():
            return value
    raise ValueError(f"unknown {what} {name}. Available: {', '.join(known)}.")
