"""Warnings that point at the line of the user's program which called the library."""

import sys
import warnings


def warn_caller(message: str) -> None:
    """A UserWarning at the innermost line that is not the library's own."""
    package, frame, level = __name__.partition(".")[0], sys._getframe(), 1
    while frame.f_back is not None and str(frame.f_globals.get("__name__")).partition(".")[0] == package:
        frame, level = frame.f_back, level + 1
    warnings.warn(message, UserWarning, stacklevel=level)
