"""Run a few tests with the oldest and the newest numba of the range in `core/numba/versions.py`: `make matrix`.

Each gets an environment of its own in .cache/matrix, with the newest of the other packages that it accepts. The tests
chosen touch what depends on numba: types, layouts in memory, the cache, and one fit of each kind.
"""

import ast
import os
import subprocess
import sys
import venv
from pathlib import Path

ROOT = Path(__file__).parents[1]
TESTS = (
    "tests/core/test_compiled_files.py",
    "tests/core/test_folders.py",
    "tests/core/test_shipped.py",
    "tests/core/test_notice.py",
    "tests/core/test_strategy.py",
    "tests/core/test_lowering.py",
    "tests/estimators/test_regressor.py",
    "tests/model/test_sparse_input.py",
)


def bounds() -> tuple[tuple[int, int], tuple[int, int]]:
    """The range, read from the source: this Python may have no numba."""
    tree = ast.parse((ROOT / "src/kernelstream/core/numba/versions.py").read_text(encoding="utf-8"))
    (values,) = (
        node.value for node in tree.body if isinstance(node, ast.Assign) and "OLDEST" in ast.unparse(node.targets[0])
    )
    low, high = ast.literal_eval(values)
    return low, high


def run(numba: str, tests: list[str]) -> bool:
    """Whether the tests pass with this numba."""
    folder = ROOT / ".cache" / "matrix" / numba.removesuffix(".*")
    python = folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    if not python.exists():
        venv.create(folder, with_pip=True)
    packages = [f"numba=={numba}", "-e", f"{ROOT}[cli]", "pytest", "pytest-xdist", "hypothesis", "pandas"]
    subprocess.run([python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *packages], check=True)
    settings = {"NUMBA_CACHE_DIR": str(folder / "cache"), "OMP_NUM_THREADS": "1"}
    command = [python, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-m", "not slow", *tests]
    print(f"numba {numba}", flush=True)
    return subprocess.run(command, cwd=ROOT, env=os.environ | settings).returncode == 0


def main() -> int:
    tests = sys.argv[1:] or [*TESTS]
    versions = [f"{major}.{minor}.*" for major, minor in bounds()]
    failed = [version for version in versions if not run(version, tests)]
    print(f"failed with numba {', '.join(failed)}" if failed else f"passed with numba {' and '.join(versions)}")
    return len(failed)


if __name__ == "__main__":
    raise SystemExit(main())
