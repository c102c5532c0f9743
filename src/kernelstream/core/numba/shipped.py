"""Compiled code that came with the package: a wheel for one Python, one numba and one kind of CPU has some.

`kernelstream/compiled` has a folder for each level of CPU features. Its `manifest.json` says what the code was compiled
with and for, and lists the files with their sizes and checksums. The code is used only where all of that fits;
otherwise kernelstream compiles as it does without it, and the log says why at level DEBUG. A file's name contains the
fingerprint of the source, so that code of another source is not found. The folder is trusted as the Python files beside
it are: whoever can write there can change those.
"""

import hashlib
import json
import logging
from functools import cache
from pathlib import Path
from typing import Any

from numba import config

from .host import cpu_features, host

logger = logging.getLogger(__name__)
FOLDER = Path(__file__).parents[2] / "compiled"


def misfit(manifest: dict[str, Any]) -> str:
    """Why the code of a manifest cannot be used here; empty if it can."""
    for what, here in host().items():
        if manifest[what] != here:
            return f"it was compiled with {what} {manifest[what]}, and this is {here}"
    cpu = manifest["cpu"]
    lacking = sorted(set(cpu["needs"]) - cpu_features())
    if lacking:
        return f"it was compiled for {cpu['name']}, and this CPU lacks {', '.join(lacking)}"
    for name, asked, has in (
        ("NUMBA_CPU_NAME", config.CPU_NAME, cpu["name"]),
        ("NUMBA_CPU_FEATURES", config.CPU_FEATURES, cpu["features"]),
    ):
        if asked is not None and asked != has:
            return f"{name} asks for {asked!r}, and it was compiled for {has!r}"
    return ""


class Shipped:
    """The files of a manifest that fits."""

    def __init__(self, path: Path, manifest: dict[str, Any]):
        self.path, self.files = path, manifest["files"]
        # what numba calls the target of the code, part of the key of every file
        self.magic = manifest["triple"], manifest["cpu"]["name"], manifest["cpu"]["features"]

    def read(self, name: str) -> bytes | None:
        """The content of a file, None if there is none; a ValueError if it is not what was built."""
        listed = self.files.get(name)
        if listed is None:
            return None
        content = (self.path / name).read_bytes()
        if hashlib.sha256(content).hexdigest() != listed["sha256"]:
            raise ValueError(f"{self.path / name} is not the file that the wheel was built with")
        return content


@cache
def shipped(folder: Path = FOLDER) -> tuple[Shipped, ...]:
    """The compiled code of the package that fits, that for the most capable CPU first."""
    manifests = sorted(folder.glob("*/manifest.json"))
    if not manifests:
        logger.debug("this installation has no compiled code: it came as source, or as the wheel for all platforms")
    found = []
    for path in manifests:
        try:
            manifest = json.loads(path.read_text(encoding="utf-8"))
            why = misfit(manifest)
            found += [] if why else [(len(manifest["cpu"]["needs"]), Shipped(path.parent, manifest))]
        except (OSError, ValueError, KeyError, TypeError) as error:
            why = f"its manifest cannot be read ({error!r})"
        if why:
            logger.debug("the compiled code in %s is not used: %s", path.parent, why)
    return tuple(store for _, store in sorted(found, key=lambda pair: -pair[0]))
