"""Readers: whatever the bytes are, rows or a sentence; the same rows by every path and from every position."""

import gzip
import json
import math
import tempfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kernelstream.readers import FileStream, Options, RowReader, SkipBad, lines
from tests.readers.data import texts

CSV = b'size,colour,y\n1.5,red,0\n-2,"light\nblue",1\n3e2,"a ""b""",0\n,green,1\n5,red,0\n'
JSON = b'{"size": 1.5, "colour": "red", "y": 0}\n{"size": null, "colour": "blue", "y": 1}\n{"colour": "red", "y": 0}\n'
LIBSVM = b"1 1:0.5 2:3\n-1 2:1e-3 # note\n+1 qid:4 7:12345678901234567890\n"
TEXTS = {"csv": CSV, "jsonl": JSON, "libsvm": LIBSVM}
SPICE = [b"\x00", b"\xff", b'"', b",", b"\n", b"\r", b"\r\n", b":", b" ", b"#", b"{", b"}", b"[", b"1e999", b"nan"]
SPICE += [b"-", b"inf", b"1_0", b"\xef\xbb\xbf", b"\xed\xa0\x80", b"abc", b'\\ud800"', b"0x1p3", b"\x1f\x8b", b"PAR1"]


@st.composite
def malformed(draw):
    """A good text with some bytes removed and some inserted."""
    kind = draw(st.sampled_from(sorted(TEXTS)))
    data = TEXTS[kind]
    for _ in range(draw(st.integers(1, 4))):
        at = draw(st.integers(0, len(data)))
        data = data[:at] + draw(st.sampled_from(SPICE) | st.binary(max_size=4)) + data[at + draw(st.integers(0, 9)) :]
    return kind, gzip.compress(data)[: draw(st.integers(4, 60))] if draw(st.integers(0, 9)) == 0 else data


@pytest.fixture(scope="module")
def folder():
    with tempfile.TemporaryDirectory() as name:
        yield Path(name)


def read(path, kind, policy, portion=3):
    """Everything that is read, as Python values; or the sentence that says why not."""
    try:
        rows = RowReader(
            FileStream([str(path)], Options(format=kind, target="1" if kind == "libsvm" else "y")), policy=policy
        )
        found = []
        while (block := rows.take(portion)) is not None:
            found += zip(*_columns(block), strict=True)
        rows.close()
    except ValueError as error:
        return str(error)
    return found


def _columns(block):
    if isinstance(block.numeric, np.ndarray):
        yield [[None if math.isnan(v) else v for v in row] for row in block.numeric.tolist()]
    else:
        yield [repr((p.indices, p.values)) for p in (block.numeric.take(slice(i, i + 1)) for i in range(len(block)))]
    for column in [*block.categorical, block.target]:
        yield [repr(v) for v in column] if isinstance(column, np.ndarray) else texts(column)
    yield block.lines.tolist()


def without_pyarrow(monkeypatch):
    monkeypatch.setattr("kernelstream.readers.arrow.import_pyarrow", lambda name: None)


@given(malformed())
@settings(max_examples=200, deadline=None)
def test_rows_or_a_sentence(folder, case):
    kind, data = case
    path = folder / "data"
    path.write_bytes(data)
    policy = SkipBad()
    found = read(path, kind, policy)
    for sentence in [*policy.first, *([found] if isinstance(found, str) else [])]:
        assert sentence[-1] in ".-)" and len(sentence) > 20 and "Error" not in sentence
    with pytest.MonkeyPatch.context() as patch:
        without_pyarrow(patch)
        other = SkipBad()
        assert read(path, kind, other) == found
        assert (other.count, other.first) == (policy.count, policy.first)


cells = st.sampled_from(["1", "-2.5", "+3", ".5", "6.", "1e5", "1E-310", "0.1", "123456789012345678", "", " 7 ", "NA"])
decimals = st.floats(allow_nan=False, allow_infinity=False).map(repr) | st.decimals(
    allow_nan=False, allow_infinity=False
).filter(lambda d: abs(d) < 10**300).map(str)


texts_with_marks = st.text('ab ,"\n', max_size=5)


@given(st.lists(st.tuples(cells | decimals, texts_with_marks), min_size=1, max_size=20), st.integers(1, 99))
@settings(max_examples=30, deadline=None)
def test_numbers_and_categories_as_python_reads_them(folder, table, chunk):
    path = folder / "data.csv"
    quoted = ['"' + word.replace('"', '""') + '"' for _, word in table]
    rows = [f"{cell},{word},0" for (cell, _), word in zip(table, quoted, strict=True)]
    path.write_text("size,colour,y\n" + "\n".join(rows), newline="")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lines, "CHUNK", chunk)
        options = Options(target="y", categorical=("colour",), header=True)
        taken = RowReader(FileStream([str(path)], options)).take(100)
    expected = [math.nan if cell in ("", "NA") else float(cell) for cell, _ in table]
    np.testing.assert_array_equal(taken.numeric[:, 0], expected)
    assert texts(taken.categorical[0]) == [word.strip() or None for _, word in table]


@given(st.lists(decimals, min_size=1, max_size=30))
@settings(max_examples=30, deadline=None)
def test_decimals_of_libsvm_as_python_reads_them(folder, numbers):
    path = folder / "data.svm"
    path.write_text("1 " + " ".join(f"{i + 1}:{text}" for i, text in enumerate(numbers)))
    found = RowReader(FileStream([str(path)])).take(1).numeric.values
    np.testing.assert_array_equal(found, [float(text) for text in numbers])


@given(st.lists(st.integers(1, 7), min_size=1, max_size=8), st.sampled_from(["a.csv", "a.jsonl", "a.svm", "a.csv.gz"]))
@settings(max_examples=25, deadline=None)
def test_reading_goes_on_from_any_position(folder, portions, name):
    """With bad lines on the way, over two files, in chunks of a few lines."""
    rows = {"a.csv": "{i},{i}\n", "a.jsonl": '{{"x": {i}, "y": {i}}}\n', "a.svm": "{i} 1:{i}\n"}
    row = rows[name.removesuffix(".gz")]
    bad = "1 what\n"
    text = "".join(bad if i % 5 == 3 else row.format(i=i) for i in range(25))
    paths = []
    for part in ("1", "2"):
        paths.append(folder / (part + name))
        data = (("x,y\n" if ".csv" in name else "") + text).encode()
        paths[-1].write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
    names = [str(path) for path in paths]
    options = Options(target="y" if "svm" not in name else None)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lines, "CHUNK", 50)
        whole = RowReader(FileStream(names, options), policy=SkipBad())
        every = whole.take(1000)
        first = RowReader(FileStream(names, options), policy=SkipBad())
        taken = [first.take(portion) for portion in portions]
        first.close()
        position, policy = first.position, SkipBad(first.policy.count, first.policy.first)
        again = RowReader(FileStream(names, options), json_round_trip(position), policy).take(1000)
    targets = [t for block in [*taken, again] if block is not None for t in block.target.tolist()]
    assert targets == every.target.tolist()
    assert (policy.count, policy.first) == (whole.policy.count, whole.policy.first)


def json_round_trip(position):
    return type(position)(*json.loads(json.dumps(position)))
