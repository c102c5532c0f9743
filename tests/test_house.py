"""The layout: which modules stand alone, what is private to a room, one name for one thing."""

from pathlib import Path

import kernelstream
from tools.check_seams import reach_ins

PACKAGE = Path(kernelstream.__file__).parent


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
