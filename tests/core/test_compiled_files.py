"""Compiled code on disk: what is damaged, missing or cannot be written costs a compilation and nothing else."""

import errno
import logging
import os
import pickle
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from numba import config

from kernelstream.core.numba import disk
from kernelstream.core.numba.cache import specialise
from kernelstream.core.numba.lowering import exact_entry

pytestmark = pytest.mark.skipif(config.DISABLE_JIT, reason="nothing is compiled")


def doubled(value):
    return 2 * value


def tripled(value):
    return 3 * value


@pytest.fixture
def folder(tmp_path, monkeypatch, caplog):
    """An empty folder for compiled code, in a process that has not complained about one yet."""
    monkeypatch.setattr(config, "CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setattr(disk, "_told", set())
    monkeypatch.delenv("KERNELSTREAM_NO_CACHE", raising=False)
    caplog.set_level(logging.WARNING, "kernelstream")
    return tmp_path / "cache"


def fresh(function=doubled):
    """An entry point as another process would make it."""
    return specialise.__wrapped__(function, "of_a_test", True)


def hits(entry) -> int:
    return sum(entry.stats.cache_hits.values())


def files(folder) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.is_file())


DAMAGES = {
    "empty": lambda path: path.write_bytes(b""),
    "cut short": lambda path: path.write_bytes(path.read_bytes()[: path.stat().st_size // 2]),
    "short of one byte": lambda path: path.write_bytes(path.read_bytes()[:-1]),
    "noise": lambda path: path.write_bytes(np.random.default_rng(0).bytes(5000)),
    "one bit": lambda path: path.write_bytes(bytes(b ^ (i == 3000) for i, b in enumerate(path.read_bytes()))),
    "something else": lambda path: path.write_bytes(pickle.dumps("something else")),
}


@pytest.mark.parametrize("make", [fresh, lambda: exact_entry(doubled)], ids=["entry point", "parser"])
@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_a_damaged_file_is_compiled_again_and_overwritten(folder, caplog, damage, make):
    assert make()(21) == 42
    for path in files(folder):
        damage(path)
    again = make()
    assert again(21) == 42 and hits(again) == 0
    assert len(caplog.messages) == 1 and "it is compiled again" in caplog.messages[0]
    restored = make()
    assert restored(21) == 42 and hits(restored) == 1


def test_a_file_under_the_name_of_another_signature_is_not_loaded(folder):
    """A float's code run on an integer's bits would return nonsense, and on an array's crash."""
    entry = fresh()
    entry(21)
    (integer,) = files(folder)
    entry(1.5)
    (other,) = set(files(folder)) - {integer}
    shutil.copy(other, integer)
    again = fresh()
    assert again(21) == 42 and hits(again) == 0
    assert again(1.5) == 3.0 and hits(again) == 1


@pytest.mark.parametrize("made_of", [("0.0.0", None), (None, "other source")])
def test_code_of_another_numba_or_source_is_not_loaded(folder, monkeypatch, made_of):
    saved = disk.CodeFiles.__init__

    def older(self, *arguments):
        saved(self, *arguments)
        self.made_of = tuple(new or old for old, new in zip(self.made_of, made_of, strict=True))

    with monkeypatch.context() as patch:
        patch.setattr(disk.CodeFiles, "__init__", older)
        fresh()(21)
    again = fresh()
    assert again(21) == 42 and hits(again) == 0
    assert len(files(folder)) == 1


def test_a_full_disk_is_logged_once(folder, caplog, monkeypatch):
    def full(*paths):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(disk.os, "replace", full)
    assert fresh()(21) == 42 and fresh()(1.5) == 3.0 and fresh(tripled)(5) == 15
    assert len(caplog.messages) == 1
    assert "compiled code cannot be kept on disk" in caplog.messages[0] and "No space left" in caplog.messages[0]
    assert files(folder) == []


def test_without_any_folder_nothing_is_kept(folder, caplog, monkeypatch):
    folder.write_text("a file, where the folder should be")
    assert fresh()(21) == 42 and exact_entry(tripled)(5) == 15
    assert len(caplog.messages) == 1 and "or NUMBA_CACHE_DIR to a folder" in caplog.messages[0]


@pytest.mark.parametrize("spoil", [shutil.rmtree, lambda path: (shutil.rmtree(path), path.write_text(""))])
def test_a_folder_that_disappears_while_code_runs(folder, caplog, spoil):
    entry = fresh()
    assert entry(21) == 42
    spoil(folder)
    assert entry(1.5) == 3.0 and entry(21) == 42
    assert len(files(folder)) == 1 if folder.is_dir() else len(caplog.messages) == 1


def test_flushing_forgets_one_function(folder):
    fresh()(21), fresh(tripled)(5)
    fresh().recompile()
    assert len(files(folder)) == 1
    other = fresh(tripled)
    assert other(5) == 15 and hits(other) == 1


FORK = """
import logging, os, signal, sys, threading, time
from numba.core.codegen import CPUCodeLibrary
from kernelstream.core.numba.cache import specialise

untouched = CPUCodeLibrary._optimize_final_module
compiling = threading.Event()

class Slow(logging.Handler):
    def emit(self, record):
        if record.getMessage().startswith("compiling slow"):
            compiling.set()
            time.sleep(1.0)

logging.getLogger("kernelstream").addHandler(Slow())
logging.getLogger("kernelstream").setLevel(logging.INFO)

def slow(value):
    return value + 1

def doubled(value):
    return 2 * value

thread = threading.Thread(target=specialise(slow, "a", False), args=(1,))
thread.start()
compiling.wait()
child = os.fork()
if child == 0:
    signal.alarm(20)
    right = specialise(doubled, "b", False)(21) == 42 and specialise(slow, "c", False)(1) == 2
    os._exit(0 if right and CPUCodeLibrary._optimize_final_module is untouched else 1)
thread.join()
print(os.waitpid(child, 0)[1], specialise(doubled, "d", False)(21))
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the system does not fork")
def test_a_child_forked_while_a_thread_compiles_can_compile():
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", FORK], capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stdout.split() == ["0", "42"]
