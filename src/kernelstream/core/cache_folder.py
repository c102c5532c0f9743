"""The folder for caches: data sets and compiled code, each in a folder of its own below it."""

import os
import sys
from pathlib import Path


def cache_folder() -> Path:
    """The folder that KERNELSTREAM_CACHE names, or else the one that the platform has for caches (as pooch has it)."""
    named = os.environ.get("KERNELSTREAM_CACHE")
    return Path(named).expanduser() if named else platform_cache()


def platform_cache() -> Path:
    """The user's folder for caches; a RuntimeError for a user without a home."""
    if sys.platform == "win32":
        home = os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local"
        return Path(home) / "kernelstream" / "kernelstream" / "Cache"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "kernelstream"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "kernelstream"
