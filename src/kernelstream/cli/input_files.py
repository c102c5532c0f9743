"""Files that a command reads: a missing one is named at once, before anything slow is imported."""

import glob
import os
from collections.abc import Iterable
from pathlib import Path


def check_inputs(model: Path | None, data: Iterable[str] = ()) -> None:
    """A FileNotFoundError if the model, or a data file that is named without a pattern, is not there."""
    if model is not None:
        os.stat(model)
    for name in data:
        if name != "-" and not glob.has_magic(name) and not os.path.exists(name):
            raise FileNotFoundError(f"File {name!r} not found.")
