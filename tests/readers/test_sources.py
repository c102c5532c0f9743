"""Archives, compressions, URLs: the same rows, wherever they are."""

import io
import re
import threading
import zipfile
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

import numpy as np
import pytest

from kernelstream.readers import FileStream, Options, RowReader
from kernelstream.readers.source_names import check_reopened, expand_names, local_files

from .data import COMPRESSIONS, everything, table, write

fsspec = pytest.importorskip("fsspec")
NUMBERS = ["size", "count", "ratio"]
CSV = table().to_csv(index=False).encode()


def archive(path, members, method=zipfile.ZIP_DEFLATED):
    with zipfile.ZipFile(path, "w", method) as found:
        for name, data in members.items():
            found.writestr(name, data)
    return path


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
@pytest.mark.parametrize("compression", COMPRESSIONS)
def test_compressed_members(tmp_path, method, compression):
    path = archive(tmp_path / "a.zip", {f"d/data.csv{compression}": COMPRESSIONS[compression](CSV)}, method)
    blocks = list(FileStream([str(path)]).blocks())
    np.testing.assert_array_equal(blocks[0].numeric, table()[NUMBERS])
    assert blocks[-1].fraction == 1.0


def test_which_member(tmp_path):
    members = {
        "__MACOSX/._a.csv": b"",
        "a.csv": CSV,
        "names.txt": b"about",
        "d/b.csv": CSV,
        "c.jsonl": b'{"x": 1, "y": 2}',
    }
    path = str(archive(tmp_path / "Many.ZIP", members))
    with pytest.raises(ValueError) as caught:
        expand_names([path])
    assert str(caught.value) == (
        f"{path} has 3 data files. Name one, or a pattern: '{path}::a.csv'. Its files: 'a.csv', 'names.txt', "
        "'d/b.csv', 'c.jsonl'."
    )
    assert expand_names([f"{path}::d/b.csv"]) == [f"{path}::d/b.csv"]
    assert expand_names([f"{path}::*.csv"]) == [f"{path}::a.csv", f"{path}::d/b.csv"]
    assert len(everything([f"{path}::*.csv"])) == 120
    assert everything([f"{path}::c.jsonl"]).numeric.tolist() == [[1.0]]
    with pytest.raises(FileNotFoundError, match=r"has no file 'e\.csv'\. Its files: 'a.csv', "):
        expand_names([f"{path}::e.csv"])
    assert local_files([f"{path}::*.csv"]) == [path, path]


def test_archives_of_numpy_stay_numpy(tmp_path):
    np.savez(tmp_path / "a.npz", X=np.eye(3), y=np.arange(3))
    (tmp_path / "a.npz").rename(tmp_path / "a.zip")
    assert everything([tmp_path / "a.zip"]).numeric.tolist() == np.eye(3).tolist()


def test_archives_that_cannot_be_read(tmp_path, monkeypatch):
    path = archive(tmp_path / "a.zip", {})
    with pytest.raises(ValueError, match=r"a\.zip has 0 data files\. Its files: none\."):
        expand_names([str(path)])
    path = archive(tmp_path / "a.zip", {"a.csv": CSV})
    data = bytearray(path.read_bytes())
    data[6] |= 1  # encrypted, in the member's header,
    data[data.rindex(b"PK\x01\x02") + 8] |= 1  # and in the table of contents
    path.write_bytes(data)
    with pytest.raises(ValueError, match=r"a\.zip is damaged, encrypted or not a zip archive: .*encrypted"):
        everything([path])
    path = archive(tmp_path / "a.zip", {"a.parquet": write(table(), tmp_path / "a.parquet").read_bytes()})
    with pytest.raises(ValueError, match=r"a\.zip::a\.parquet: Parquet is read at several positions, .* Save or"):
        everything([path])


def test_errors_name_the_member(tmp_path):
    path = archive(tmp_path / "a.zip", {"a.csv": b"x,y\n1,0\n2\n"})
    with pytest.raises(ValueError, match=r"a\.zip::a\.csv, line 3: expected 2 columns, found 1"):
        everything([path])


def test_sources_of_all_kinds_together(tmp_path):
    for compression, pack in COMPRESSIONS.items():
        (tmp_path / f"a.csv{compression}").write_bytes(pack(CSV))
    names = [tmp_path / f"a.csv{compression}" for compression in COMPRESSIONS]
    names += [write(table(), tmp_path / f"b{suffix}") for suffix in (".zip", ".arrow", ".avro", ".jsonl", ".parquet")]
    fsspec.filesystem("memory").pipe("/together.csv", CSV)
    block = everything([*names, "memory://together.csv"])
    np.testing.assert_array_equal(block.numeric, np.tile(table()[NUMBERS].to_numpy(float), (len(names) + 1, 1)))
    assert block.files.tolist() == np.repeat(np.arange(len(names) + 1), 60).tolist()


@pytest.fixture
def memory():
    system = fsspec.filesystem("memory")
    yield system
    system.store.clear()


@pytest.mark.parametrize("suffix", [".csv", ".parquet", ".arrow", ".avro", ".json", ".zip"])
def test_remote_files(tmp_path, memory, suffix):
    memory.pipe(f"/d/a{suffix}", write(table(), tmp_path / f"a{suffix}").read_bytes())
    stream = FileStream([f"memory://d/a{suffix}"], digests=True)
    assert stream.repeatable and stream.size > 0
    rows = RowReader(stream)
    rows.take(20)
    position = rows.position._replace(digest=rows.digest())
    rows.close()
    again = RowReader(FileStream([f"memory://d/a{suffix}"], digests=True), position)
    np.testing.assert_array_equal(again.take(100).numeric, table()[NUMBERS].to_numpy(float)[20:])
    again.close()


def test_remote_patterns_folders_and_digests(tmp_path, memory):
    for name in ("b.csv", "a.csv", "notes.md"):
        memory.pipe(f"/d/{name}", CSV)
    both = ["memory:///d/a.csv", "memory:///d/b.csv"]
    assert expand_names(["memory://d/*.csv"]) == expand_names(["memory://d/"]) == both
    assert local_files(both) == []
    with pytest.raises(FileNotFoundError, match=r"memory://d/\*\.tsv not found\."):
        expand_names(["memory://d/*.tsv"])
    with pytest.raises(FileNotFoundError, match=r"memory://no\.csv not found\."):
        FileStream(["memory://no.csv"])
    (tmp_path / "a.csv").write_bytes(CSV)
    remote, local = FileStream(both[:1]), FileStream([str(tmp_path / "a.csv")])
    assert remote.locations[0].digest() == local.locations[0].digest() != ""
    remote.close()
    local.close()


def test_files_that_must_be_local(memory, tmp_path):
    memory.pipe("/a.db", write(table(), tmp_path / "a.db").read_bytes())
    with pytest.raises(ValueError, match=r"memory://a\.db: a SQLite database is read from local files only\. Downl"):
        FileStream(["memory://a.db"])


def test_secrets_of_urls_are_not_kept(memory):
    memory.pipe("/a.csv", CSV)
    stream = FileStream(["memory://a.csv"])
    stream.files = ["https://me:secret@host:80/a.csv?key=secret#secret"]
    assert stream.names == ["https://host:80/a.csv"]
    stream.close()
    with pytest.raises(ValueError, match=r"The run to resume read https://host/a\.csv\. .* name the data again"):
        check_reopened(["a.csv", "https://host/a.csv?secret"])


class Handler(SimpleHTTPRequestHandler):
    """Answers requests for a range of bytes, as most servers do, except in the folder /plain."""

    def do_HEAD(self):
        return self.send_error(500) if self.path.startswith("/fails") else super().do_HEAD()

    def do_GET(self):
        wanted = re.fullmatch(r"bytes=(\d+)-(\d+)", self.headers.get("Range", ""))
        if self.path.startswith("/fails"):
            return self.send_error(500)
        if wanted is None or self.path.startswith("/plain"):
            return super().do_GET()
        with open(self.translate_path(self.path), "rb") as file:
            data = file.read()
        first, last = int(wanted[1]), min(int(wanted[2]), len(data) - 1)
        self.send_response(206)
        self.send_header("Content-Range", f"bytes {first}-{last}/{len(data)}")
        self.send_header("Content-Length", str(last + 1 - first))
        self.end_headers()
        self.wfile.write(data[first : last + 1])

    def log_message(self, *args):
        pass


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    pytest.importorskip("aiohttp")
    folder = tmp_path_factory.mktemp("served")
    (folder / "plain").mkdir()
    for suffix in (".csv", ".zip", ".parquet", ".arrow"):
        write(table(), folder / f"a{suffix}")
        write(table(), folder / "plain" / f"a{suffix}")
    (folder / "cut.csv.gz").write_bytes(COMPRESSIONS[".gz"](CSV * 50)[:-100])
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Handler, directory=str(folder))) as found:
        threading.Thread(target=found.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{found.server_port}"
        found.shutdown()


@pytest.mark.parametrize("name", ["a.csv", "plain/a.csv", "a.zip", "a.parquet", "a.arrow", "plain/a.arrow"])
def test_http(server, name):
    url = f"{server}/{name}" + ("" if name.endswith(".zip") else "?token=1")
    np.testing.assert_array_equal(everything([url]).numeric, table()[NUMBERS].to_numpy(float))


def test_errors_of_servers(server):
    with pytest.raises(FileNotFoundError, match=rf"{server}/no\.csv not found\."):
        everything([f"{server}/no.csv?secret"])
    with pytest.raises(OSError, match=rf"{server}/fails\.csv cannot be read: the server answers 500"):
        everything([f"{server}/fails.csv?secret"])
    with pytest.raises(OSError, match=r"http://127\.0\.0\.1:9/a\.csv cannot be read: "):
        everything(["http://127.0.0.1:9/a.csv"])
    with pytest.raises(OSError, match=r"strange://a\.csv cannot be read: Protocol not known: strange"):
        everything(["strange://a.csv"])
    with pytest.raises(ValueError, match=r"cut\.csv\.gz is damaged or truncated"):
        everything([f"{server}/cut.csv.gz"])


def test_missing_packages_are_named(tmp_path, monkeypatch):
    files = {suffix: str(write(table(), tmp_path / f"a{suffix}")) for suffix in (".avro", ".duckdb", ".arrow")}
    (tmp_path / "a.csv.zst").write_bytes(COMPRESSIONS[".zst"](CSV))
    for module in ("fsspec.core", "fastavro", "duckdb", "pyarrow", "compression"):
        monkeypatch.setitem(__import__("sys").modules, module, None)
    monkeypatch.setattr("kernelstream.readers.arrow_ipc.import_pyarrow", lambda name: None)
    for name, says in {
        "https://host/a.csv?secret": 'https://host/a.csv is read with fsspec: pip install "kernelstream[remote]"',
        files[".avro"]: 'Avro files are read with fastavro: pip install "kernelstream[avro]"',
        files[".duckdb"]: 'DuckDB databases are read with duckdb: pip install "kernelstream[duckdb]"',
        files[".arrow"]: 'Arrow files are read with pyarrow: pip install "kernelstream[files]"',
        str(
            tmp_path / "a.csv.zst"
        ): 'a.csv.zst is compressed with zstd, which pyarrow reads: pip install "kernelstream[files]". '
        "Or decompress it: zstd -dc FILE | kernelstream … -",
    }.items():
        with pytest.raises(ImportError) as caught:
            FileStream([name])
        assert str(caught.value).endswith(says)


def test_a_file_system_without_its_package(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "s3fs", None)
    says = 's3://b/a.csv: s3:// is read with s3fs: pip install "kernelstream[remote]" s3fs'
    with pytest.raises(ImportError, match=re.escape(says)):
        FileStream(["s3://b/a.csv"])


@pytest.mark.parametrize("suffix", [".arrow", ".arrows", ".avro", ".json"])
def test_formats_in_a_pipe(tmp_path, monkeypatch, suffix):
    class Input:
        buffer = io.BufferedReader(io.BytesIO(write(table(), tmp_path / f"a{suffix}").read_bytes()))

    monkeypatch.setattr("sys.stdin", Input())
    np.testing.assert_array_equal(everything(["-"], Options()).numeric, table()[NUMBERS].to_numpy(float))
