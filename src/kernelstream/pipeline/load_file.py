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

    Parameters
    ----------
    path : str or path
        A model file, written by `save`, by `kernelstream train` or by a server.

    Returns
    -------
    KernelClassifier, KernelRegressor, Model or StreamPipeline
        What was saved.

    See Also
    --------
    save : Write a model file.
    kernelstream.saving.describe : What a file contains, without loading it.

    Examples
    --------
    >>> import kernelstream, pathlib, tempfile
    >>> from kernelstream.datasets import checkerboard
    >>> X, y = checkerboard(2000, seed=0)
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "board.ks"
    >>> kernelstream.save(kernelstream.KernelClassifier(gamma=4.0, budget=50, random_state=0).fit(X, y), path)
    >>> kernelstream.load(path).n_support_
    50
    """
    found = read(path)
    if PIPELINE in found.description.extra:
        return StreamPipeline.restored(found, str(os.fspath(path)))
    return found.model
