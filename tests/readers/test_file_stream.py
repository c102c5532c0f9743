"""Which files are read, in which order, and what is said of those that cannot be."""

import bz2
import io
import os
import threading

import numpy as np
import pytest

from kernelstream.readers import BadLine, FileStream, Options, RowReader, Schema, lines
from kernelstream.readers.file_stream import expand_names
from kernelstream.readers.read_ahead import read_ahead

from .data import everything, table, write


def numbered(folder, names, rows=3):
    for i, name in enumerate(names):
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text("x,y\n" + "".join(f"{10 * i + j},0\n" for j in range(rows)))


def test_patterns_and_folders_in_order(tmp_path):
    numbered(tmp_path, ["b.csv", "a.csv", "in/c.csv", "_notes.csv", "in/.hidden.csv", "read.me"])
    assert everything([tmp_path / "*b.csv", tmp_path / "a.csv"]).numeric[:, 0].tolist() == [0, 1, 2, 10, 11, 12]
    assert everything([tmp_path]).numeric[:, 0].tolist() == [10, 11, 12, 0, 1, 2, 20, 21, 22]
    assert expand_names([str(tmp_path / "**" / "c.csv")]) == [str(tmp_path / "in" / "c.csv")]


def standard_input(monkeypatch, data):
    class Input:
        buffer = io.BufferedReader(io.BytesIO(data))

    monkeypatch.setattr("sys.stdin", Input())


@pytest.mark.parametrize("pack", [bytes, bz2.compress])
def test_standard_input(monkeypatch, pack):
    standard_input(monkeypatch, pack(b"x\ty\n1\ta\n2\tb\n"))
    assert everything(["-"]).numeric.tolist() == [[1.0], [2.0]]


def test_a_pipe_gives_what_has_come(monkeypatch):
    """Predictions must not wait for a pipe to fill a buffer."""
    read, written = os.pipe()
    with os.fdopen(read, "rb") as pipe, os.fdopen(written, "wb", buffering=0) as other:

        class Input:
            buffer = pipe

        monkeypatch.setattr("sys.stdin", Input())
        schema = Schema(("x", "z"), target="y").without_target()
        rows = RowReader(FileStream(["-"], schema=schema))
        for text, expected in ((b"x,z\n1,2\n3,4\n", [[1.0, 2.0], [3.0, 4.0]]), (b"5,6\n", [[5.0, 6.0]])):
            other.write(text)
            assert rows.take(100, wait=False).numeric.tolist() == expected
        other.close()
        assert rows.take(100, wait=False) is None


def test_a_named_pipe_is_read_once(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    threading.Thread(target=(tmp_path / "pipe").write_text, args=("x,y\n1,2\n",), daemon=True).start()
    stream = FileStream([str(tmp_path / "pipe")])
    assert not stream.repeatable
    assert RowReader(stream).take(5).numeric.tolist() == [[1.0]]


def test_the_fraction_of_all_files_is_known(tmp_path, monkeypatch):
    monkeypatch.setattr(lines, "CHUNK", 64)
    paths = [write(table(), tmp_path / name) for name in ("a.csv", "b.csv")]
    fractions = [block.fraction for block in FileStream([str(path) for path in paths]).blocks()]
    assert fractions[0] < 0.05 and fractions[-1] == 1.0
    assert fractions == sorted(fractions)


@pytest.mark.parametrize(
    ("name", "data", "says"),
    [
        ("a.csv", b"", "is empty."),
        ("a.csv", b"\n\n", "is empty."),
        ("a.csv", b"a,b\n1,2\n", "which column is the target? Give its name or position with --target. Columns: 'a', 'b'."),
        ("a.csv", b"y\n1\n", "there are no feature columns besides the target. Columns: 'y'."),
        ("a.csv", b"x,y\r1,2\r", "has lines that end in CR only. Convert it: tr '\\r' '\\n' < FILE | kernelstream … -"),
        ("a.json", b'[{"x": 1, "y": 2}, {"x"', "ends before its JSON array does. Get the file again."),
        ("a.json", b'[{"x": 1, "y": 2}] {}', "there is text after the end of its JSON array, or a bracket too many."),
        ("a.json", b"[]", "its first rows contain no JSON object."),
        ("a.jsonl", b"nothing\n", "its first lines contain no JSON object."),
        ("a.txt", b"hello\nworld\n", "the format cannot be detected from its first line, 'hello'. Specify --format (csv, tsv, jsonl, json, libsvm, parquet, arrow, avro, numpy, sqlite, duckdb), and for csv the column separator (--delimiter)."),
        ("a.txt", b"\x28\xb5\x2f\xfd123", "is damaged or truncated: its compressed data ends after 0 uncompressed bytes"),
        ("a.txt", "x,y\n".encode("utf-16"), "is UTF-16 text. Convert it: iconv -f UTF-16 -t UTF-8 FILE | kernelstream … -"),
        ("a.txt", b"\x7fELF\x00\x00", "is a binary file of unknown format. Available formats: csv, tsv, jsonl, json, libsvm, parquet, arrow, avro, numpy, sqlite, duckdb."),
        ("a.bz2", bz2.compress(b"x,y\n" * 999)[:-20], "is damaged or truncated: its compressed data ends after 0 uncompressed bytes (Compressed file ended before the end-of-stream marker was reached). Get the file again."),
        ("a.parquet", b"PAR1 and no more", "is damaged or not Parquet: "),
        ("a.arrow", b"ARROW1\0\0 and no more", "is damaged or not an Arrow file: "),
        ("a.feather", b"FEA1 and no more", "is a Feather file of version 1. Convert it: python -c "),
        ("a.avro", b"Obj\x01 and no more", "is damaged or not an Avro file: "),
        ("a.db", b"SQLite format 3\0 and no more", "it cannot be opened: file is not a database."),
        ("a.duckdb", b"12345678DUCK and no more", "it cannot be opened: "),
        ("a.zip", b"PK\x03\x04 and no more", "is damaged, encrypted or not a zip archive: File is not a zip file."),
        ("a.npy", b"\x93NUMPY and no more", "is damaged or not a NumPy file: "),
        ("a.npz", b"PK\x03\x04 and no more", "is damaged or not a NumPy file: File is not a zip file."),
    ],
)  # fmt: skip
def test_what_is_said_of_a_file_that_cannot_be_read(tmp_path, name, data, says):
    (tmp_path / name).write_bytes(data)
    with pytest.raises(ValueError) as caught:
        everything([tmp_path / name])
    assert says in str(caught.value)
    assert name in str(caught.value)


def test_an_empty_file_of_a_given_format(tmp_path):
    (tmp_path / "a").write_bytes(b"")
    with pytest.raises(ValueError, match=r"a is empty\."):
        everything([tmp_path / "a"], Options(format="csv"))


def test_blank_lines_before_a_last_line_without_end(tmp_path):
    (tmp_path / "a.txt").write_bytes(b"\n\n1,2")
    assert everything([tmp_path / "a.txt"], Options(target="1")).numeric.tolist() == [[2.0]]


def test_what_is_said_of_a_file_that_is_not_there(tmp_path):
    for name, says in [("no.csv", "File '.*' not found"), ("*.csv", "No file matches '"), ("", "The folder '")]:
        with pytest.raises(FileNotFoundError, match=says):
            expand_names([f"{tmp_path}/{name}"])
    with pytest.raises(ValueError, match="No data given"):
        expand_names([])
    with pytest.raises(ValueError, match="- was given twice"):
        expand_names(["-", "-"])


def test_a_file_of_another_kind_is_refused(tmp_path):
    numbered(tmp_path, ["a.csv"])
    (tmp_path / "b.csv").write_text("z,y\n1,2\n")
    (tmp_path / "c.svm").write_text("1 1:2\n")
    with pytest.raises(ValueError, match=r"b.csv has no column 'x', which is required. Columns: 'z', 'y'."):
        everything([tmp_path / "a.csv", tmp_path / "b.csv"])
    with pytest.raises(ValueError, match=r"c.svm has index:value pairs, but the model or the first file has columns"):
        everything([tmp_path / "a.csv", tmp_path / "c.svm"])
    with pytest.raises(ValueError, match=r"unknown format 'xml'\. Available: csv, "):
        FileStream([str(tmp_path / "a.csv")], Options(format="xml"))


def test_rows_to_predict_need_no_target(tmp_path):
    (tmp_path / "a.csv").write_text("1,5,2\n3,6,4\n")
    schema = Schema(("1", "3"), target="2", header=False, width=3).without_target()
    (tmp_path / "b.csv").write_text("1,2\n3,4\n")
    for name in ("a.csv", "b.csv"):
        (block,) = FileStream([str(tmp_path / name)], schema=schema).blocks()
        np.testing.assert_array_equal(block.numeric, [[1, 2], [3, 4]])
        assert block.target is None


def test_a_line_without_end_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(lines, "MAX_LINE", 1 << 10)
    monkeypatch.setattr(lines, "CHUNK", 1 << 8)
    (tmp_path / "a.csv").write_text('x,z,y\n1,1,0\n"2,1,1\n' + "3,1,0\n" * 1000)
    with pytest.raises(BadLine, match=r"line 3: the line is longer than .* never closed, use --no-quotes"):
        everything([tmp_path / "a.csv"], Options(target="y", header=True))
    options = Options(target="y", header=True, quotes=False, ignore=("x",))
    assert len(everything([tmp_path / "a.csv"], options)) == 1002


def test_reading_ahead_stops_with_its_reader():
    made, closed = [], threading.Event()

    def endless():
        try:
            while True:
                made.append(len(made))
                yield len(made)
        finally:
            closed.set()

    items = read_ahead(endless(), 2)
    assert next(items) == 1
    items.close()
    assert closed.wait(10)
    assert len(made) <= 5


def test_an_error_comes_where_its_item_would_have():
    def failing():
        yield 1
        raise ValueError("over")

    items = read_ahead(failing(), 5)
    assert next(items) == 1
    with pytest.raises(ValueError, match="over"):
        next(items)
