"""`load`: a pipeline, an estimator or a model, whichever a file holds."""

import os
from typing import TYPE_CHECKING

from ..saving import read
from ..saving.load_model import PIPELINE
from .stream_pipeline import StreamPipeline

if TYPE_CHECKING:
    from ..saving.save_model import Saveable


def load(path: str | os.PathLike[str]) -> "Saveable | StreamPipeline":
    """Load a model file, to predict or to train further.

    A file that `kernelstream train` or `StreamPipeline.save` wrote gives a `StreamPipeline`, which takes raw rows; one
    that `kernelstream.save` wrote gives the estimator or model that was saved. Nothing in the file is executed. A file
    that is truncated, altered, newer than this version or not a model file raises a ValueError.
    """
    found = read(path)
    if PIPELINE in found.description.extra:
        return StreamPipeline.restored(found, str(os.fspath(path)))
    return found.model
