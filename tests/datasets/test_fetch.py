"""Where a data set is looked for, in which order, and that nothing but the right rows is ever taken or kept."""

import os
import re
import sys
from pathlib import Path

import numpy as np
import pytest

from kernelstream.datasets import DataUnavailable, available, fetch, unavailable
from kernelstream.datasets.real.data_set import DataSetInfo
from kernelstream.datasets.real.local_files import cache_folder
from kernelstream.datasets.real.published_sets import SETS
from tests.datasets.tiny import PACKED, TEXT, Answer, X, Y, serving, tiny

DOCUMENT = Path(__file__).parents[2] / "docs" / "guide" / "datasets.md"


@pytest.fixture(scope="module")
def server():
    with serving() as running:
        yield running


@pytest.fixture
def cache(server, monkeypatch, tmp_path):
    """An empty cache, no folder, and the tiny set on a server that has nothing yet."""
    monkeypatch.delenv("KERNELSTREAM_DATA", raising=False)
    monkeypatch.setenv("KERNELSTREAM_CACHE", str(tmp_path / "cache"))
    monkeypatch.setitem(SETS, "tiny", tiny(f"{server.url}/tiny"))
    server.answers.clear()
    server.asked.clear()
    return tmp_path / "cache"


@pytest.fixture
def folder(cache, monkeypatch, tmp_path):
    """A folder for KERNELSTREAM_DATA that has the set."""
    path = tmp_path / "folder"
    path.mkdir()
    (path / "tiny.bz2").write_bytes(PACKED)
    monkeypatch.setenv("KERNELSTREAM_DATA", str(path))
    return path


def files(folder):
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())


def has_tiny(table):
    np.testing.assert_array_equal(table.X, X)
    np.testing.assert_array_equal(table.y, Y)
    assert table.X.dtype == np.float64 and table.y.dtype == np.int64
    return table.X_test is None and table.y_test is None and (table.task, table.description) == ("binary", "made up")


@pytest.mark.parametrize("body", [TEXT, PACKED], ids=["text", "bzip2"])
def test_a_download_is_kept_and_not_repeated(server, cache, body):
    server.answers["/tiny"] = Answer(body)
    assert available()["tiny"].location == "download"
    assert has_tiny(fetch("tiny"))
    assert available()["tiny"] == (12, 0, 3, "binary", "cache")
    assert has_tiny(fetch("tiny")) and has_tiny(fetch("Tiny", download=False))
    assert server.asked == ["/tiny"]
    assert [name.split("-")[0] for name in files(cache)] == ["arrays/tiny", "files/tiny"]


BAD = {
    "other values": (Answer(b"2" + TEXT[1:]), "digest"),
    "fewer rows": (Answer(b"1 3:1\n" * 7), "it has 7 rows and 3 features, not 12 and 3"),
    "a web page": (Answer(b"<html>Please log in</html>"), "cannot be parsed"),
    "cut bzip2": (Answer(PACKED[:-20]), "cannot be parsed"),
    "empty": (Answer(b""), "it is empty"),
    "broken off": (Answer(TEXT[:50], promised=len(TEXT)), "the connection was interrupted"),
    "absent": (Answer(b"no", 404), "the server returned status 404"),
    "ill": (Answer(TEXT, 503), "the server returned status 503"),
}


@pytest.mark.parametrize("answer, complaint", BAD.values(), ids=BAD)
def test_what_is_wrong_is_refused_and_leaves_nothing_behind(server, cache, answer, complaint):
    server.answers["/tiny"] = answer
    with pytest.raises(DataUnavailable, match=complaint) as refused:
        fetch("tiny")
    message = str(refused.value)
    assert all(part in message for part in ("data set tiny", f"{server.url}/tiny", "tiny.bz2", "KERNELSTREAM_DATA"))
    assert files(cache) == [] and not list(cache.glob("download-*"))
    server.answers["/tiny"] = Answer(TEXT)
    assert has_tiny(fetch("tiny"))


def test_a_file_with_another_hash_than_its_own_is_refused(server, cache, monkeypatch):
    server.answers["/tiny"] = Answer(TEXT)
    monkeypatch.setitem(SETS, "tiny", tiny(f"{server.url}/tiny", sha256="0" * 64))
    with pytest.raises(DataUnavailable, match=f"SHA-256 is .*, not {'0' * 64}"):
        fetch("tiny")
    assert files(cache) == []


def test_without_a_network_the_error_tells_the_ways_out(cache, monkeypatch):
    with serving() as gone:
        pass
    monkeypatch.setitem(SETS, "tiny", tiny(f"{gone.url}/tiny"))
    with pytest.raises(OSError, match=rf"tiny could not be downloaded: {gone.url}/tiny \(no connection\)") as no:
        fetch("tiny")
    assert "Try again with a network connection" in str(no.value) and "put tiny.bz2" in str(no.value)
    with pytest.raises(DataUnavailable, match=r"allow download=True, from http"):
        fetch("tiny", download=False)


def test_the_next_address_is_tried(server, cache, monkeypatch):
    server.answers["/right"] = Answer(TEXT)
    monkeypatch.setitem(SETS, "tiny", tiny(f"{server.url}/wrong", f"{server.url}/right"))
    assert has_tiny(fetch("tiny")) and has_tiny(fetch("tiny"))
    assert server.asked == ["/wrong", "/right"]


def test_without_pooch_the_error_names_the_extra(cache, monkeypatch):
    monkeypatch.setitem(sys.modules, "pooch", None)
    with pytest.raises(ImportError, match=r'pip install "kernelstream\[data\]"'):
        fetch("tiny")
    assert not cache.exists()


def test_a_damaged_file_in_the_cache_comes_again(server, cache):
    server.answers["/tiny"] = Answer(TEXT)
    fetch("tiny")
    (cache / "files" / "tiny-0").write_bytes(TEXT[:40])
    assert has_tiny(fetch("tiny"))
    assert server.asked == ["/tiny", "/tiny"]


def test_the_folder_comes_first(server, cache, folder):
    server.answers["/tiny"] = Answer(b"not looked at")
    assert available()["tiny"].location == "folder"
    assert has_tiny(fetch("tiny")) and server.asked == []
    (folder / "tiny.bz2").unlink()
    assert available()["tiny"].location == "download"


def test_arrays_are_kept_until_the_file_changes(cache, folder, monkeypatch):
    fetch("tiny")
    (kept,) = (cache / "arrays").iterdir()
    with monkeypatch.context() as patch:
        patch.setattr("sklearn.datasets.load_svmlight_file", None)
        assert has_tiny(fetch("tiny"))  # without reading the file
    kept.write_bytes(kept.read_bytes()[:100])
    assert has_tiny(fetch("tiny"))
    os.utime(folder / "tiny.bz2", ns=(1, 1))
    assert has_tiny(fetch("tiny"))
    (now,) = (cache / "arrays").iterdir()
    assert now != kept


def test_a_cache_that_cannot_be_written_does_no_harm(cache, folder):
    cache.write_text("a file where a folder should be")
    assert has_tiny(fetch("tiny"))


def test_a_wrong_file_in_the_folder_is_named_and_stays(cache, folder):
    path = folder / "tiny.bz2"
    path.write_bytes(b"1 1:1\n")
    with pytest.raises(DataUnavailable, match="it has 1 rows and 3 features") as refused:
        fetch("tiny")
    assert str(path) in str(refused.value) and path.exists() and files(cache.parent) == ["folder/tiny.bz2"]


def test_a_folder_that_is_none_is_an_error(cache, folder, monkeypatch):
    monkeypatch.setenv("KERNELSTREAM_DATA", str(folder / "tiny.bz2"))
    with pytest.raises(DataUnavailable, match="is not a folder"):
        fetch("tiny")


def test_test_rows_have_a_file_of_their_own(cache, folder, monkeypatch):
    first = tiny()
    both = DataSetInfo(*first[:5], first.train._replace(file="tiny.t.bz2"))
    monkeypatch.setitem(SETS, "tiny", both)
    assert available()["tiny"] == (12, 12, 3, "binary", "download")  # one of two files is absent
    (folder / "tiny.t.bz2").write_bytes(PACKED)
    np.testing.assert_array_equal(fetch("tiny").X_test, X)
    assert available()["tiny"].location == "folder"


@pytest.mark.skipif(not DOCUMENT.exists(), reason="docs/ is not here")
def test_the_table_of_the_documentation_is_right():
    pattern = r"\| `(\w+)` \| ([\d,]+) \+ ([\d,]+) \| (\d+) \| (\w+) \|"
    found = re.findall(pattern, DOCUMENT.read_text(encoding="utf-8"))
    listed = {name: (*(int(size.replace(",", "")) for size in sizes), task) for name, *sizes, task in found}
    assert listed == {name: offer[:4] for name, offer in available().items()}


def test_sets_that_are_not_there():
    with pytest.raises(ValueError, match=r"unknown data set 'letters'\. Available: a9a"):
        fetch("letters")
    assert {"gisette", "vehicle", "emgpa", "exam"} == set(unavailable())
    for name in ("gisette", "SensIT Vehicle", "EMGPA", "exam"):
        with pytest.raises(DataUnavailable, match=rf"The data set '{name}' is not provided \(.*\)\. Available: a9a,"):
            fetch(name)


def test_the_cache_is_where_pooch_would_have_it(monkeypatch):
    pooch = pytest.importorskip("pooch")
    monkeypatch.delenv("KERNELSTREAM_CACHE", raising=False)
    assert cache_folder() == pooch.os_cache("kernelstream")


def test_a_bar_shows_how_far_it_is():
    from rich.progress import Progress

    from kernelstream.datasets.real.download import DownloadBar

    progress = Progress(disable=True)
    bar = DownloadBar(progress, "file")
    bar.total = 100
    bar.update(60)
    (task,) = progress.tasks
    assert (task.completed, task.total) == (60, 100)
    bar.reset()
    bar.update(100)
    bar.close()
    assert task.finished
