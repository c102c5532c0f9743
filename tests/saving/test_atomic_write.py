"""Saving over a file: there is always a whole one."""

import errno
import os
import stat

import pytest

from kernelstream.saving.atomic_write import replace_file, replacing

OLD, NEW = b"the old model", b"the new model, which is longer"


@pytest.fixture
def path(tmp_path):
    (tmp_path / "m.ks").write_bytes(OLD)
    return tmp_path / "m.ks"


def full(*arguments):
    raise OSError(errno.ENOSPC, "No space left on device")


class FullDisk:
    """A file that takes some bytes and then no more."""

    def __init__(self, *arguments):
        self.file = open(*arguments)  # noqa: SIM115  closed by __exit__

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.file.close()

    def write(self, data):
        self.file.write(data[:5])
        full()


@pytest.mark.parametrize("call", ["replace", "fsync"])
def test_a_failure_leaves_the_old_file_and_nothing_else(path, monkeypatch, call):
    monkeypatch.setattr(os, call, full)
    with pytest.raises(OSError, match="No space left"):
        replace_file(path, NEW)
    assert path.read_bytes() == OLD and os.listdir(path.parent) == ["m.ks"]


def test_a_disk_that_fills_up_half_way(path, monkeypatch):
    monkeypatch.setattr("kernelstream.saving.atomic_write.open", FullDisk, raising=False)
    with pytest.raises(OSError, match="No space left"):
        replace_file(path, NEW)
    assert path.read_bytes() == OLD and os.listdir(path.parent) == ["m.ks"]


def test_an_interrupt_too(path, monkeypatch):
    def interrupt(*arguments):
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "replace", interrupt)
    with pytest.raises(KeyboardInterrupt):
        replace_file(path, NEW)
    assert path.read_bytes() == OLD and os.listdir(path.parent) == ["m.ks"]


def test_data_is_on_the_disk_before_its_name_is(path, monkeypatch):
    calls = []
    for name in ("fsync", "replace"):
        true = getattr(os, name)
        monkeypatch.setattr(os, name, lambda *a, name=name, true=true: (calls.append(name), true(*a))[1])
    replace_file(path, NEW)
    assert calls == ["fsync", "replace", "fsync"]  # the data, the name, the folder
    assert path.read_bytes() == NEW and os.listdir(path.parent) == ["m.ks"]


def test_modes_and_links_stay(path):
    path.chmod(0o640)
    link = path.with_name("latest.ks")
    link.symlink_to("m.ks")
    replace_file(link, NEW)
    assert link.is_symlink() and path.read_bytes() == NEW
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    before = os.umask(0o022)
    os.umask(before)
    replace_file(path.with_name("other.ks"), NEW)
    assert stat.S_IMODE(path.with_name("other.ks").stat().st_mode) == 0o666 & ~before


def test_a_link_to_a_file_that_does_not_exist_yet_stays_a_link(tmp_path):
    (tmp_path / "models").mkdir()
    link = tmp_path / "latest.ks"
    link.symlink_to("models/new.ks")
    replace_file(link, NEW)
    assert link.is_symlink() and (tmp_path / "models" / "new.ks").read_bytes() == NEW


def test_a_link_that_leads_to_itself_is_not_replaced(tmp_path):
    (tmp_path / "a.ks").symlink_to("b.ks")
    (tmp_path / "b.ks").symlink_to("a.ks")
    with pytest.raises(ValueError, match=r"a\.ks is a symbolic link that leads to no file"):
        replace_file(tmp_path / "a.ks", NEW)
    assert (tmp_path / "a.ks").is_symlink() and len(os.listdir(tmp_path)) == 2


def test_a_file_written_in_parts_appears_when_it_is_complete(path):
    with replacing(path) as file:
        file.write(NEW[:5])
        file.flush()
        assert path.read_bytes() == OLD
        file.write(NEW[5:])
    assert path.read_bytes() == NEW
    with pytest.raises(RuntimeError, match="half way"), replacing(path) as file:
        file.write(OLD)
        raise RuntimeError("half way")
    assert path.read_bytes() == NEW and os.listdir(path.parent) == ["m.ks"]


def test_what_is_not_a_file_is_not_replaced(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for target in (tmp_path, pipe):
        with pytest.raises(ValueError, match="is not a file"):
            replace_file(target, NEW)
    assert stat.S_ISFIFO(pipe.stat().st_mode)
    with pytest.raises(FileNotFoundError):
        replace_file(tmp_path / "no" / "m.ks", NEW)
