"""Versions of numba: those that kernelstream is tested with (`make matrix`), and a sentence for all others.

kernelstream uses parts of numba that may change with any release. `pyproject.toml` has the same range.
"""

import re
import warnings

import numba

OLDEST, NEWEST = (0, 60), (0, 68)


def check_numba(version: str = numba.__version__) -> None:
    """An ImportError for a numba that is too old, a warning for one that is newer than those tested."""
    found = re.match(r"(\d+)\.(\d+)", version)
    if found is None:  # a build of its own
        return
    number = int(found[1]), int(found[2])
    low, high = (".".join(map(str, bound)) for bound in (OLDEST, NEWEST))
    if number < OLDEST and number > (0, 0):
        raise ImportError(
            f"kernelstream needs numba {low} or newer, and this is {version}: pip install 'numba>={low}'.", name="numba"
        )
    if number > NEWEST:
        warnings.warn(
            f"kernelstream is tested with numba {low} to {high}, and this is {version}: if something fails, "
            f"pip install 'numba<{NEWEST[0]}.{NEWEST[1] + 1}'.",
            RuntimeWarning,
            stacklevel=2,
        )
