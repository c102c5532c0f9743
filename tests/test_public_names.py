"""The public names: complete, documented, and imported on first use, so that `import kernelstream` waits for none."""

import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from types import FunctionType, ModuleType

import pytest

import kernelstream

PACKAGE = Path(kernelstream.__file__).parent
ROOMS = sorted(path.parent.name for path in PACKAGE.glob("*/__init__.py"))
INTERNAL = {"cli", "core", "refit"}
NEEDS = {"client": "httpx", "river": "river", "distributed": "distributed", "plot": "matplotlib"}  # rooms of an extra
PUBLIC = [room for room in ROOMS if room not in INTERNAL]


def public_room(name):
    if name in NEEDS and find_spec(NEEDS[name]) is None:
        pytest.skip(f"{NEEDS[name]} is not installed")
    return kernelstream.__getattr__(name)  # as on first use, whatever was imported before


def test_slow_imports_come_on_first_use():
    code = """if True:
        import sys, kernelstream
        assert not {"numpy", "sklearn", "safetensors", "matplotlib", "kernelstream.evaluate"} & set(sys.modules)
        kernelstream.datasets.fetch, kernelstream.datasets.load
        assert not {"sklearn", "pooch", "rich"} & set(sys.modules)
        kernelstream.KernelRegressor.fit, kernelstream.save, kernelstream.saving.describe
        kernelstream.evaluate.progressive
        assert "matplotlib" not in sys.modules
        kernelstream.plot.FrontierDisplay
    """
    subprocess.run([sys.executable, "-c", code], check=True)


def test_names():
    later = {"KernelClassifier", "KernelRegressor", "evaluate", "saving", "load", "plot", "save"}
    assert later <= set(dir(kernelstream)) & set(kernelstream.__all__)
    optional = {room for room, package in NEEDS.items() if find_spec(package) is None}
    assert all(getattr(kernelstream, name) is not None for name in kernelstream.__all__ if name not in optional)
    with pytest.raises(AttributeError, match="module 'kernelstream' has no attribute 'KernelGuesser'"):
        kernelstream.KernelGuesser  # noqa: B018


def test_dir_shows_public_names_only():
    assert sorted(dir(kernelstream)) == sorted([*kernelstream.__all__, "__version__"])
    assert [name for name in kernelstream.__all__ if name.startswith("_")] == []
    assert set(PUBLIC) <= set(kernelstream.__all__)
    assert not INTERNAL & set(kernelstream.__all__)


@pytest.mark.parametrize("name", PUBLIC)
def test_a_room_comes_on_first_use(name):
    room = public_room(name)
    assert isinstance(room, ModuleType)
    assert room.__name__ == f"kernelstream.{name}"
    assert room.__doc__


@pytest.mark.parametrize("name", PUBLIC)
def test_the_names_of_a_room_exist(name):
    room = public_room(name)
    names = getattr(room, "__all__", [])
    assert [n for n in names if n.startswith("_")] == []
    assert len(names) == len(set(names))
    if name == "export":  # rooms of their own, tested below; one of them needs a package
        names = []
    for n in names:
        value = getattr(room, n)
        if isinstance(value, type | FunctionType):  # of ours, and listed on purpose
            assert value.__module__.partition(".")[0] == "kernelstream", n


@pytest.mark.parametrize("name", ["c", "onnx"])
def test_an_exporter_comes_on_first_use(name):
    if name == "onnx":
        pytest.importorskip("onnx")
    room = kernelstream.export.__getattr__(name)
    assert room.__name__ == f"kernelstream.export.{name}"
    assert room.__doc__
    assert all(hasattr(room, n) for n in room.__all__)


def test_internal_rooms_say_what_they_are():
    for room in INTERNAL:
        assert (PACKAGE / room / "__init__.py").read_text(encoding="utf-8").startswith('"""'), room
