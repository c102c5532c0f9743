"""Adds compiled code to a wheel, if there is some: `tools/build_wheel.py` names its folder in KERNELSTREAM_COMPILED.

The wheel is then for one Python and one platform. It contains no shared libraries: LLVM links the code when it is
loaded, against numba's own. So it runs wherever the numba that compiled it does, and has the platform tags of numba's
wheel.
"""

import os
import sys
from importlib.metadata import distribution
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


def platform_tags() -> str:
    """The platforms of the installed numba, as in the name of its wheel."""
    lines = (distribution("numba").read_text("WHEEL") or "").splitlines()
    return ".".join(sorted({line.rpartition("-")[2] for line in lines if line.startswith("Tag: ")}))


class CompiledCode(BuildHookInterface):
    """The hook that `pyproject.toml` names."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        folder = os.environ.get("KERNELSTREAM_COMPILED")
        if not folder or version == "editable":
            return
        python = f"cp{sys.version_info.major}{sys.version_info.minor}"
        build_data["pure_python"] = False
        build_data["tag"] = f"{python}-{python}-{platform_tags()}"
        build_data["force_include"][folder] = "kernelstream/compiled"
