"""The layout: which modules stand alone, what is private to a room, one name for one thing."""

import ast
from collections import defaultdict
from pathlib import Path

import kernelstream
from tools.check_seams import reach_ins

PACKAGE = Path(kernelstream.__file__).parent
SHARED = {"KernelClassifier", "KernelRegressor"}  # River's estimators are called as scikit-learn's are


def test_three_modules_stand_alone():
    assert {path.stem for path in PACKAGE.glob("*.py")} == {"__init__", "__main__", "recipe"}


def test_no_room_uses_private_names_of_another():
    assert reach_ins() == []


def test_a_reach_in_is_found(tmp_path):
    for room, source in {
        "one": "class A:\n    def _own(self): ...\n",
        "two": "def use(a):\n    return a._own()\n",
    }.items():
        (tmp_path / room).mkdir()
        (tmp_path / room / "module.py").write_text(source)
    assert reach_ins(tmp_path) == ["two/module.py:2: _own belongs to one"]


def test_no_two_classes_have_one_name():
    homes = defaultdict(list)
    for path in PACKAGE.rglob("*.py"):
        for node in ast.parse(path.read_text()).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                homes[node.name].append(path.relative_to(PACKAGE).as_posix())
    assert {name: files for name, files in homes.items() if len(files) > 1 and name not in SHARED} == {}
