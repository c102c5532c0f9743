"""Compiled code that comes with the package: used where all of its manifest fits, and nowhere else."""

import json
import logging
import platform
import shutil

import numpy as np
import pytest
from numba import config

from kernelstream.core.numba import disk
from kernelstream.core.numba import shipped as shipping
from kernelstream.core.numba.cache import _package_source, direct, specialise
from kernelstream.core.numba.host import cpu_features, host
from kernelstream.core.rows import narrow
from tools.build_wheel import LEVELS, USUAL, describe, run

CPU = USUAL.get(platform.machine(), "generic")
NAME = _package_source().hex()[:16]
COMPILE = f"""
import numpy as np
from kernelstream.core.numba.cache import direct, specialise
from kernelstream.core.rows import narrow
direct(specialise(narrow, {NAME!r}, True), np.zeros(3), np.zeros(3, np.float32), 1e30)
"""

pytestmark = [
    pytest.mark.skipif(config.DISABLE_JIT, reason="nothing is compiled"),
    pytest.mark.skipif(not cpu_features() >= set(LEVELS[CPU]), reason=f"this CPU is older than {CPU}"),
    pytest.mark.skipif(config.BOUNDSCHECK, reason="compiled without bounds checks"),
]


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """A folder as a wheel has it, with one function."""
    folder = tmp_path_factory.mktemp("built")
    (folder / "cache").mkdir()
    run(COMPILE, CPU, folder / "cache")
    manifest = describe(CPU, folder / "cache", folder / "compiled")
    assert len(manifest["files"]) == 1
    return folder / "compiled"


@pytest.fixture
def folder(built, tmp_path, monkeypatch, caplog):
    """A copy of that folder, in a process that has compiled nothing yet."""
    shutil.copytree(built, tmp_path / "compiled" / CPU)
    monkeypatch.setattr(disk, "shipped", lambda: shipping.shipped.__wrapped__(tmp_path / "compiled"))
    monkeypatch.setattr(disk, "_told", set())
    monkeypatch.setattr(config, "CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.delenv("KERNELSTREAM_CACHE", raising=False)
    monkeypatch.delenv("KERNELSTREAM_NO_CACHE", raising=False)
    disk.tally.clear()
    caplog.set_level(logging.DEBUG, "kernelstream")
    return tmp_path / "compiled" / CPU


def works(name=NAME) -> None:
    """Round a row, by the code of another process or by our own."""
    out, row = np.zeros(3, np.float32), np.array([1.0, 1e-9, -3.5])
    limit = 1e30
    direct(specialise.__wrapped__(narrow, name, True), row, out, limit)(row, out, limit)
    assert out.tolist() == row.astype(np.float32).tolist()


def change(folder, **values) -> None:
    path = folder / "manifest.json"
    manifest = json.loads(path.read_text())
    path.write_text(json.dumps(manifest | values))


def test_used_where_it_fits(folder):
    works()
    assert disk.tally == {"shipped": 1}
    assert not (folder.parents[1] / "cache").exists()


def test_the_target_is_that_of_the_manifest(folder):
    """An ordinary process compiles for its own CPU, and would look under another key."""
    (store,) = shipping.shipped.__wrapped__(folder.parent)
    assert store.magic[1:] == (CPU, "")
    change(folder, cpu={"name": "another", "features": "", "needs": []})
    works()
    assert disk.tally["compiled"] == 1


@pytest.mark.parametrize("what", [*host()])
def test_not_used_with_another(folder, caplog, what):
    change(folder, **{what: "0.67.9"})
    works()
    assert disk.tally["shipped"] == 0 and disk.tally["compiled"] == 1
    assert any(f"is not used: it was compiled with {what} 0.67.9" in message for message in caplog.messages)


def test_not_used_by_a_cpu_that_lacks_something(folder, caplog, monkeypatch):
    change(folder, cpu={"name": CPU, "features": "", "needs": ["avx2", "fma", "sse2"]})
    monkeypatch.setattr(shipping, "cpu_features", lambda: frozenset({"sse2", "fma"}))
    works()
    assert disk.tally["shipped"] == 0 and disk.tally["compiled"] == 1
    assert any(f"compiled for {CPU}, and this CPU lacks avx2" in message for message in caplog.messages)


def test_not_used_if_numba_is_told_to_compile_for_another_cpu(folder, caplog, monkeypatch):
    monkeypatch.setattr(config, "CPU_NAME", "x86-64")
    assert shipping.shipped.__wrapped__(folder.parent) == ()
    assert any("NUMBA_CPU_NAME asks for 'x86-64'" in message for message in caplog.messages)


def test_the_most_capable_level_that_fits_comes_first(folder, monkeypatch):
    for name, needs in (("less", ["sse2"]), ("more", ["sse2", "fma"]), ("most", ["sse2", "fma", "amx"])):
        shutil.copytree(folder, folder.parent / name)
        change(folder.parent / name, cpu={"name": name, "features": "", "needs": needs})
    shutil.rmtree(folder)
    monkeypatch.setattr(shipping, "cpu_features", lambda: frozenset({"sse2", "fma"}))
    assert [store.path.name for store in shipping.shipped.__wrapped__(folder.parent)] == ["more", "less"]


def test_code_of_another_source_is_not_found(folder, caplog):
    works(NAME[::-1])
    assert disk.tally["shipped"] == 0 and disk.tally["compiled"] == 1
    assert any("is not among the compiled code in" in message for message in caplog.messages)


def test_a_file_that_was_changed_is_compiled_again(folder, caplog):
    (file,) = folder.glob("*.nbc")
    file.write_bytes(file.read_bytes()[:-1] + b"?")
    works()
    assert disk.tally["shipped"] == 0 and disk.tally["compiled"] == 1
    warnings = [record.getMessage() for record in caplog.records if record.levelno == logging.WARNING]
    assert len(warnings) == 1 and "is not the file that the wheel was built with" in warnings[0]


@pytest.mark.parametrize("content", ["", "{", "[]", '{"numba": 1}'])
def test_a_manifest_that_makes_no_sense(folder, caplog, content):
    (folder / "manifest.json").write_text(content)
    works()
    assert disk.tally["shipped"] == 0 and disk.tally["compiled"] == 1
    assert any("is not used: " in message for message in caplog.messages)


def test_a_file_that_is_listed_and_absent(folder):
    for file in folder.glob("*.nbc"):
        file.unlink()
    works()
    assert disk.tally["shipped"] == 0 and disk.tally["compiled"] == 1


def test_without_a_manifest(folder, caplog):
    (folder / "manifest.json").unlink()
    works()
    assert any("has no compiled code" in message for message in caplog.messages)
