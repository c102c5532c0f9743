"""Model files in memory: what a backup is, and what an import takes."""

import tempfile
from pathlib import Path

from ..pipeline import StreamPipeline
from ..saving.load_model import unpacked


def pipeline_from_bytes(data: bytes) -> StreamPipeline:
    """The pipeline in the bytes of a model file; a ValueError if there is none."""
    return StreamPipeline.restored(unpacked(data, "The file"), "The file")


def pipeline_to_bytes(pipeline: StreamPipeline) -> bytes:
    """The bytes of its model file."""
    with tempfile.TemporaryDirectory(prefix="kernelstream-") as folder:
        path = Path(folder) / "model.ks"
        pipeline.save(path)
        return path.read_bytes()
