"""Folders of compiled code: where they are, who may write them, and what happens if nobody can."""

import os
import sys
import tempfile
from pathlib import Path

import pytest
from numba import config

from kernelstream.core import cache_folder
from kernelstream.core.numba import disk
from kernelstream.core.numba.folders import folders
from tests.core.test_compiled_files import doubled, files, fresh, hits, tripled

pytestmark = [
    pytest.mark.skipif(config.DISABLE_JIT, reason="nothing is compiled"),
    pytest.mark.skipif(os.name != "posix", reason="owners and modes are POSIX's"),
]
NOBODY = 65534
root_only = pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="needs root, to be two users")


@pytest.fixture
def home(tmp_path, monkeypatch, caplog):
    """The caches of a user: none yet, and no folder of numba's."""
    tmp_path.chmod(0o755)
    monkeypatch.setattr(config, "CACHE_DIR", "")
    monkeypatch.setattr(disk, "_told", set())
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "home"))
    for name in ("KERNELSTREAM_CACHE", "KERNELSTREAM_NO_CACHE"):
        monkeypatch.delenv(name, raising=False)
    caplog.set_level("WARNING", "kernelstream")
    return tmp_path / "home"


def as_user(user: int, work) -> bool:
    """Whether `work` is true in a child process of another user."""
    child = os.fork()
    if child == 0:
        try:
            if user:
                os.setgroups([])
                os.setgid(user)
                os.setuid(user)
            os._exit(0 if work() else 1)
        except BaseException:
            os._exit(2)
    return os.waitpid(child, 0)[1] == 0


def found() -> bool:
    entry = fresh()
    return entry(21) == 42 and hits(entry) == 1


def compiled() -> bool:
    entry = fresh()
    return entry(21) == 42 and hits(entry) == 0


@pytest.mark.parametrize(
    "platform, variables, folder",
    [
        ("linux", {"XDG_CACHE_HOME": "/x"}, "/x/kernelstream"),
        ("linux", {"XDG_CACHE_HOME": "", "HOME": "/h"}, "/h/.cache/kernelstream"),
        ("darwin", {"HOME": "/h"}, "/h/Library/Caches/kernelstream"),
        ("win32", {"LOCALAPPDATA": "/l"}, "/l/kernelstream/kernelstream/Cache"),
        ("linux", {"KERNELSTREAM_CACHE": "/k"}, "/k"),
    ],
)
def test_the_platform_decides(home, monkeypatch, platform, variables, folder):
    monkeypatch.setattr(sys, "platform", platform)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert cache_folder.cache_folder() == Path(folder)


def test_the_users_cache_is_the_default(home):
    assert compiled() and found()
    (file,) = files(home)
    assert file.parent.parent == home / "kernelstream" / "compiled"


def test_a_shared_folder_is_written_by_who_can_and_then_used(home, tmp_path, monkeypatch):
    monkeypatch.setenv("KERNELSTREAM_CACHE", str(tmp_path / "shared"))
    assert compiled() and found()
    assert len(files(tmp_path / "shared")) == 1 and files(home) == []


def test_a_shared_folder_that_cannot_be_written_is_passed_over(home, tmp_path, monkeypatch, caplog):
    (tmp_path / "shared").write_text("a file, where the folder should be")
    monkeypatch.setenv("KERNELSTREAM_CACHE", str(tmp_path / "shared"))
    assert compiled() and found()
    assert len(files(home)) == 1 and caplog.messages == []


def test_numbas_folder_replaces_the_users(home, tmp_path, monkeypatch):
    assert compiled()
    monkeypatch.setattr(config, "CACHE_DIR", str(tmp_path / "numba"))
    monkeypatch.setenv("KERNELSTREAM_CACHE", str(tmp_path / "shared"))
    assert [folder.root.name for folder in folders()] == ["numba", "shared"]
    assert compiled() and found()
    assert len(files(tmp_path / "numba")) == 1 and files(tmp_path / "shared") == []


@pytest.mark.parametrize("mode", [0o664, 0o646])
def test_a_file_that_others_can_write_is_not_loaded(home, caplog, mode):
    assert compiled()
    (file,) = files(home)
    file.chmod(mode)
    assert compiled()
    assert len(caplog.messages) == 1
    assert "compiled code is not read" in caplog.messages[0] and "other than its owner can write" in caplog.messages[0]
    assert found(), "it is written again, by us alone"


@pytest.mark.parametrize("level", [0, 1])
def test_a_folder_that_others_can_write_is_neither_read_nor_written(home, caplog, level):
    assert compiled()
    (file,) = files(home)
    file.parents[level].chmod(0o777)
    assert compiled() and compiled()
    entry = fresh(tripled)
    assert entry(5) == 15 and files(home) == [file]
    assert any(str(file.parents[level]) in message for message in caplog.messages)
    file.parents[level].chmod(0o755)
    assert found()


@root_only
@pytest.mark.parametrize("which", ["file", "folder"])
def test_what_belongs_to_another_user_is_not_loaded(home, caplog, which):
    assert compiled()
    (file,) = files(home)
    os.chown(file if which == "file" else file.parent, NOBODY, NOBODY)
    assert compiled()
    assert any(f"it belongs to user {NOBODY}" in message for message in caplog.messages)


@root_only
def test_root_warms_and_another_user_reads(home, monkeypatch):
    mask = os.umask(0o077)
    try:
        with tempfile.TemporaryDirectory() as shared:  # pytest's folders are its user's alone
            os.chmod(shared, 0o755)
            monkeypatch.setenv("KERNELSTREAM_CACHE", f"{shared}/new")
            assert compiled()
            monkeypatch.setenv("XDG_CACHE_HOME", "/nonexistent")
            assert as_user(NOBODY, found)
    finally:
        os.umask(mask)


@root_only
def test_a_user_who_can_write_nothing(home, monkeypatch, caplog):
    monkeypatch.setenv("XDG_CACHE_HOME", "/proc/1")
    monkeypatch.setenv("KERNELSTREAM_CACHE", "/proc/1")

    def once_told() -> bool:
        both = compiled() and compiled()
        return both and len(caplog.messages) == 1 and "cannot be kept on disk" in caplog.messages[0]

    assert as_user(NOBODY, once_told)


def test_ten_processes_at_once(home):
    """All compile and write the same file; whoever comes later reads one that is whole."""
    children = []
    for _ in range(10):
        child = os.fork()
        if child == 0:
            try:
                os._exit(0 if all(fresh(f)(21) == 21 * by for f, by in ((doubled, 2), (tripled, 3))) else 1)
            except BaseException:
                os._exit(2)
        children.append(child)
    assert [os.waitpid(child, 0)[1] for child in children] == [0] * 10
    assert found() and len(files(home)) == 2


def test_no_home_at_all(home, monkeypatch):
    def nobody(*_):
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setattr(Path, "home", nobody)
    assert folders() == [] and compiled()
