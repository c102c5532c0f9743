"""Snapshots of a model: model files named after the last event that they have learned."""

import logging
from pathlib import Path

from ..pipeline import StreamPipeline
from ..saving import read

log = logging.getLogger(__name__)
KEY = "serve"  # in the `extra` of the file
_DIGITS = 16


class Snapshots:
    """Those of one model, in one folder."""

    def __init__(self, folder: Path, kept: int):
        self.folder, self.kept = folder, max(kept, 1)
        folder.mkdir(exist_ok=True)
        for left in folder.glob(".*.tmp"):  # by a process that was killed while it wrote
            left.unlink(missing_ok=True)

    def write(self, pipeline: StreamPipeline, seq: int) -> Path:
        """A snapshot of a model that has learned all events up to `seq`; older ones than those to keep are deleted."""
        path = self.folder / f"{seq:0{_DIGITS}d}.ks"
        pipeline.save(path, extra={KEY: {"seq": seq}})
        for old in self.numbers()[: -self.kept]:
            (self.folder / f"{old:0{_DIGITS}d}.ks").unlink(missing_ok=True)
        return path

    def numbers(self) -> list[int]:
        """The last event of each, ascending."""
        return sorted(int(path.stem) for path in self.folder.glob("*.ks") if path.stem.isdigit())

    def newest(self) -> tuple[StreamPipeline, int] | None:
        """The newest that can be read, and its last event. A damaged one is renamed, so that nobody takes it again."""
        for seq in reversed(self.numbers()):
            path = self.folder / f"{seq:0{_DIGITS}d}.ks"
            try:
                found = read(path)
                about = found.description.extra.get(KEY)
                if not isinstance(about, dict) or about.get("seq") != seq:
                    raise ValueError(f"{path} is no snapshot of event {seq}.")
                return StreamPipeline.restored(found, str(path)), seq
            except (ValueError, OSError) as error:
                log.error("a snapshot cannot be used, so the one before it is: %s", error)
                path.rename(path.with_suffix(".damaged"))
        return None
