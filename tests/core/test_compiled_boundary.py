"""What compiled code is made of decides when it is compiled again, and nothing else does."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import kernelstream
from kernelstream.core.numba.cache import COMPILED

PACKAGE = Path(kernelstream.__file__).parent
FINGERPRINT = """
import numpy as np
from kernelstream import Model, recipes
from kernelstream.core.numba.cache import fingerprint
print(fingerprint(Model.from_recipe(recipes.default(), np.eye(3), np.ones(3)).recipe)[0])
"""
COMPILE = """
import numpy as np
from kernelstream import Model, kernels, recipes
X, y = np.eye(3), np.array([1.0, -1.0, 1.0])
model = Model.from_recipe(recipes.perceptron(kernels.Linear()), X, y).learn_many(X, y)
model.scores_many(X)
for entry in (model._learn, model._bound.predict):
    print(sum(entry.stats.cache_misses.values()))
"""


def edited(package: Path, *files: str) -> None:
    for name in files:
        path = package / name
        path.write_text(path.read_text() + "\n# an edit\n")


def run(code: str, folder: Path, **environment: str) -> list[str]:
    # the user's own cache, which other runs on this machine may have filled, is out of sight
    paths = {
        "PYTHONPATH": str(folder),
        "NUMBA_CACHE_DIR": str(folder / "cache"),
        "XDG_CACHE_HOME": str(folder / "user"),
    }
    done = subprocess.run(
        [sys.executable, "-c", code], env=os.environ | paths | environment, capture_output=True, text=True, check=True
    )
    return done.stdout.split()


@pytest.fixture
def copied(tmp_path):
    package = tmp_path / "kernelstream"
    shutil.copytree(PACKAGE, package, ignore=shutil.ignore_patterns("__pycache__"))
    return package


ABOVE = [
    "refit/solver.py",
    "cli/train.py",
    "export/portable_model.py",
    "model/learning.py",
    "recipes/bsgd.py",
    "recipe.py",
]
BELOW = ["core/engine.py", "core/numba/math.py", "output/refit.py", "kernels/gaussian.py", "maintenance/merge/loss.py"]


def test_the_fingerprint_is_of_the_compiled_rooms(copied):
    pure = {"NUMBA_DISABLE_JIT": "1"}
    before = run(FINGERPRINT, copied.parent, **pure)
    edited(copied, *ABOVE)
    assert run(FINGERPRINT, copied.parent, **pure) == before
    seen = {*before}
    for name in BELOW:
        edited(copied, name)
        seen |= {*run(FINGERPRINT, copied.parent, **pure)}
    assert len(seen) == 1 + len(BELOW)


def test_an_edit_above_the_compiled_rooms_compiles_nothing(copied):
    assert run(COMPILE, copied.parent) == ["1", "1"]
    edited(copied, *ABOVE)
    assert run(COMPILE, copied.parent) == ["0", "0"]
    edited(copied, "losses/perceptron_loss.py")
    assert run(COMPILE, copied.parent) == ["1", "1"]


def test_code_is_found_again_when_the_package_moves(copied, tmp_path):
    """As in an image whose cache was filled by another user, from another folder, at another time."""
    cache = {"NUMBA_CACHE_DIR": "", "KERNELSTREAM_CACHE": str(tmp_path / "shared")}
    assert run(COMPILE, copied.parent, **cache) == ["1", "1"]
    moved = tmp_path / "elsewhere" / "kernelstream"
    shutil.copytree(copied, moved, copy_function=shutil.copy)  # the files are new
    shutil.rmtree(copied)
    assert run(COMPILE, moved.parent, **cache) == ["0", "0"]


def test_no_other_room_has_code_for_the_loop():
    marked = re.compile(r"^@(compiled|inlined|lowered|callable_anywhere|compiled_nnan)\b", re.MULTILINE)
    rooms = {path.relative_to(PACKAGE).parts[0] for path in PACKAGE.rglob("*.py") if marked.search(path.read_text())}
    assert rooms <= set(COMPILED) and all((PACKAGE / room).is_dir() for room in COMPILED)
