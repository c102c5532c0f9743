"""Lines longer than the 64 KiB that are inspected first."""

import io
import json
import sys

import numpy as np
import pytest

from kernelstream.readers import FileStream, Options, RowReader

from .data import COMPRESSIONS, everything, texts

WIDE = 8000
NAMES = [f"a column with number {i}" for i in range(WIDE)]


def rows(count=30):
    """The last two columns tell the rows apart."""
    return [["0.5"] * (WIDE - 2) + [str(i), "red" if i % 3 else "blue"] for i in range(count)]


def csv_text(quoted=False):
    first = ['"kind of\na quoted name"', *NAMES[1:]] if quoted else NAMES
    return "\n".join(",".join(line) for line in [[*first, "y"], *([*row, "1"] for row in rows())]) + "\n"


@pytest.mark.parametrize("compression", COMPRESSIONS)
@pytest.mark.parametrize("quoted", [False, True])
def test_a_long_header(tmp_path, compression, quoted):
    path = tmp_path / f"wide.csv{compression}"
    path.write_bytes(COMPRESSIONS[compression](csv_text(quoted).encode()))
    block = everything([path])
    assert block.numeric.shape == (30, WIDE - 1)
    assert block.numeric[:, -1].tolist() == list(range(30))
    assert texts(block.categorical[0])[:4] == ["blue", "red", "red", "blue"]
    assert block.lines.tolist() == list(range(3 if quoted else 2, 33 if quoted else 32))


def test_a_header_longer_than_many_heads_has_each_name_once(tmp_path):
    """Cut anywhere, the last name could be the beginning of another, and so occur twice."""
    names = [f"c{i}" for i in range(100_000)]
    (tmp_path / "a.csv").write_text(",".join([*names, "y"]) + "\n" + ",".join("1" * 100_001) + "\n")
    stream = FileStream([str(tmp_path / "a.csv")])
    stream.close()
    assert stream.schema.numeric == tuple(names) and stream.schema.target == "y"
    (tmp_path / "a.csv").write_text(",".join([*names, "c7", "y"]) + "\n" + ",".join("1" * 100_002) + "\n")
    stream = FileStream([str(tmp_path / "a.csv")])
    stream.close()
    assert stream.schema.numeric == (*names, "c7_2") and "2 columns are named 'c7'" in stream.schema.notes[0]


def test_long_lines_of_json(tmp_path):
    lines = (json.dumps(dict(zip(NAMES, [*map(float, row[:-1]), row[-1]], strict=True), y=1)) for row in rows())
    (tmp_path / "a.jsonl").write_text("\n".join(lines))
    block = everything([tmp_path / "a.jsonl"])
    assert block.numeric.shape == (30, WIDE - 1) and len(block.categorical) == 1


@pytest.mark.parametrize("name", ["a.svm", "no suffix"])
def test_long_lines_of_libsvm(tmp_path, name):
    """Their labels are words, which the first 64 KiB do not show; nor whether it is LIBSVM."""
    pairs = " ".join(f"{i}:0.25" for i in range(1, 12_001))
    (tmp_path / name).write_text("".join(f"{label} {pairs}\n" for label in ("cat", "dog", "cat")))
    block = everything([tmp_path / name])
    assert texts(block.target) == ["cat", "dog", "cat"] and block.numeric.width == 12_000


class Slow(io.RawIOBase):
    """A pipe that gives what it has, and complains if more is wanted."""

    def __init__(self, parts):
        self.parts = list(parts)

    def readable(self):
        return True

    def read(self, size=-1):
        assert self.parts, "read more than was needed"
        found, self.parts[0] = self.parts[0][:size], self.parts[0][size:]
        if not self.parts[0]:
            self.parts.pop(0)
        return found


def test_a_long_header_from_a_pipe_waits_for_no_more_than_its_line(tmp_path, monkeypatch):
    text = csv_text().encode()
    (tmp_path / "a.csv").write_bytes(text)
    stream = FileStream([str(tmp_path / "a.csv")])
    stream.close()
    first = text.index(b"\n") + 1
    second = text.index(b"\n", first) + 1
    monkeypatch.setattr("sys.stdin", type("Input", (), {"buffer": Slow([text[:first], text[first:second]])})())
    monkeypatch.setattr("kernelstream.readers.file_stream.read_ahead", lambda items, depth: items)
    reader = RowReader(FileStream(["-"], Options(), stream.schema.without_target()))
    block = reader.take(1, wait=False)
    assert len(block) == 1 and block.numeric[0, -1] == 0.0
    assert sys.stdin.buffer.parts == []


def test_binary_files_are_not_searched_for_lines(tmp_path, monkeypatch):
    np.save(tmp_path / "a.npy", np.zeros((100_000, 4)))
    stream = FileStream([str(tmp_path / "a.npy")], Options(target="-1"))
    assert len(stream._first.source.head) == 1 << 16
    stream.close()
