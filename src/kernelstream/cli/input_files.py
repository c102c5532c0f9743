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
        if "://" in name or "::" in name:
            continue  # of a server, or in an archive: looked for when it is opened
        if name != "-" and not glob.has_magic(name) and not os.path.exists(name):
            raise FileNotFoundError(f"File {name!r} not found.")
