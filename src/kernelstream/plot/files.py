"""Figures written to files."""

import io
import os
from pathlib import Path
from typing import Any

from ..saving.atomic_write import replace_file


def save_figure(figure: Any, path: str | os.PathLike[str], **options: Any) -> None:
    """Write a figure in the format of the path's suffix. An existing file is replaced only by a complete one."""
    drawn = io.BytesIO()
    figure.savefig(drawn, format=Path(path).suffix[1:].lower(), **options)
    replace_file(path, drawn.getvalue())
