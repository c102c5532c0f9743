"""Dates, truth values, numbers as text, marks of missing values and kept columns: the same in every format."""

import json

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from kernelstream.readers import BadLine, FileStream, Options, RowReader, SkipBad

from .data import TABLES, TYPED, everything, texts, write

BINARY = [".parquet", ".arrow", ".avro", ".db", ".duckdb"]
NA = Options(na=("unknown", "-99"))


def dated(rows=30):
    """A date, a truth value, numbers as text, and two columns with marks of missing values."""
    at = np.arange(rows)
    return pd.DataFrame(
        {
            "when": pd.to_datetime("2024-01-31 13:05") + pd.to_timedelta(at * 90, "min"),
            "flag": at % 3 == 0,
            "price": [f"1.{i:03},5" for i in at],
            "count": np.where(at % 4 == 0, -99, at),
            "colour": np.where(at % 5 == 0, "unknown", "red"),
            "y": np.where(at % 2 == 0, "yes", "no"),
        }
    )


def expected(frame):
    seconds = (frame["when"] - pd.Timestamp(0)).dt.total_seconds()
    prices = 1000.5 + np.arange(len(frame))
    return np.column_stack([seconds, frame["flag"], prices, frame["count"].where(frame["count"] != -99).astype(float)])


@pytest.mark.parametrize("suffix", TABLES)
def test_kinds_and_marks(tmp_path, suffix, arrow, chunk):
    frame = dated()
    frame.loc[7, "when"] = pd.NaT
    block = everything([write(frame, tmp_path / f"data{suffix}")], NA)
    np.testing.assert_array_equal(block.numeric, expected(frame))
    assert texts(block.categorical[0]) == [None if text == "unknown" else text for text in frame["colour"]]
    assert texts(block.target) == frame["y"].to_list()


@pytest.mark.parametrize("suffix", TABLES)
@pytest.mark.parametrize("learned", [".csv", ".json", ".arrow", ".avro", ".db"])
def test_a_model_of_one_format_reads_the_others(tmp_path, learned, suffix, arrow):
    """Text and types have the same kinds; a database without truth values has 0 and 1."""
    frame = dated()
    stream = FileStream([str(write(frame, tmp_path / f"data{learned}"))], NA)
    stream.close()
    if learned == ".db":
        frame["flag"] = frame["flag"].astype(int)
    rows = RowReader(FileStream([str(write(frame, tmp_path / f"other{suffix}"))], NA, stream.schema))
    np.testing.assert_array_equal(rows.take(100).numeric, expected(frame))
    rows.close()


@pytest.mark.parametrize("suffix", TABLES)
def test_columns_are_kept(tmp_path, suffix, arrow, chunk):
    frame = dated().assign(note=[" a", 'say "so"', "x,y", "é", "two\nlines"] * 6)
    options = Options(keep=("note", "count", "when"), ignore=("note", "count"))
    block = everything([write(frame, tmp_path / f"data{suffix}")], options)
    assert block.numeric.shape[1] == 3  # they need not be features
    note, count, when = (column.tolist() for column in block.kept)
    assert note == frame["note"].to_list()
    assert count == frame["count"].astype(str).to_list()
    assert [pd.Timestamp(text).tz_localize(None) for text in when] == frame["when"].to_list()
    with pytest.raises(ValueError, match=r"has no column 'noted'\. Columns: 'when', 'flag', "):
        everything([tmp_path / f"data{suffix}"], Options(keep=("noted",)))


@pytest.mark.parametrize("suffix", TABLES)
def test_bad_dates_are_skipped_with_what_is_kept_of_their_rows(tmp_path, suffix, arrow):
    frame = dated()[["when", "count", "y"]].astype({"when": str})
    frame.loc[[3, 20], "when"] = ["soon", "2024-02-30"]
    path = write(frame, tmp_path / f"data{suffix}")
    policy = SkipBad()
    block = everything([path], Options(keep=("count",)), policy=policy)
    assert block.kept[0].tolist() == frame["count"].drop([3, 20]).astype(str).to_list()
    assert policy.count == 2 and "soon" in policy.first[0] and "not a date year-month-day" in policy.first[0]
    first = 1 if suffix in TYPED else 2
    with pytest.raises(BadLine, match=rf"(line|row) {first + 3}, (column|key) .*when"):
        everything([path])


@pytest.mark.parametrize("suffix", BINARY)
def test_reading_continues_with_fewer_columns(tmp_path, suffix):
    """A run leaves columns out after its first rows: where it continues, what it has read is the same."""
    path = write(dated(), tmp_path / f"data{suffix}")
    rows = RowReader(FileStream([str(path)], digests=True))
    rows.take(11)
    position = rows.position._replace(digest=rows.digest())
    rows.close()
    fewer = FileStream([str(path)], Options(ignore=("count", "price")))
    fewer.close()
    again = RowReader(FileStream([str(path)], Options(), fewer.schema, digests=True), position)
    assert again.take(100).lines.tolist() == list(range(12, 31))
    again.close()


NESTED = [
    {"id": f"{i:03}", "at": {"day": f"2024-01-{i + 1:02}", "ok": i % 2 == 0, "x": [1.0, {"a": i}]}, "y": i}
    for i in range(9)
]


@pytest.mark.parametrize("name", ["a.jsonl", "a.json"])
def test_nested_json(tmp_path, name, arrow, chunk):
    lines = "".join(f"{json.dumps(row)}\n" for row in NESTED)
    (tmp_path / name).write_text(lines if name == "a.jsonl" else json.dumps(NESTED, indent=1))
    keep = ("id", "at.x", "at.day", "at")
    block = everything([tmp_path / name], Options(ignore=("id", "at.x"), keep=keep))
    first = pd.Timestamp("2024-01-01", tz="UTC").timestamp()
    assert block.numeric.tolist() == [[first + 86400 * i, i % 2 == 0] for i in range(9)]
    ids, x, day, at = (column.tolist() for column in block.kept)
    assert ids == [row["id"] for row in NESTED] and day == [row["at"]["day"] for row in NESTED]
    assert x == [f'[1.0, {{"a": {i}}}]' for i in range(9)] and json.loads(at[3]) == NESTED[3]["at"]
    with pytest.raises(ValueError, match=r"has no column 'at\.z'\. Columns: 'id', 'at\.day', 'at\.ok', 'at\.x', 'y'"):
        everything([tmp_path / name], Options(ignore=("id", "at.x"), keep=("at.z",)))


def test_text_and_numbers_in_one_column_of_json(tmp_path, arrow):
    (tmp_path / "a.jsonl").write_text('{"a": 1, "b": 1, "y": 0}\n{"a": "NA", "b": "x", "y": 1}\n{"a": "2.5", "y": 1}\n')
    block = everything([tmp_path / "a.jsonl"])
    np.testing.assert_array_equal(block.numeric, [[1], [np.nan], [2.5]])
    assert texts(block.categorical[0]) == ["1", "x", None]


@pytest.mark.parametrize("suffix", [".arrow", ".parquet"])
def test_two_columns_of_arrow_with_one_name(tmp_path, suffix):
    found = pa.table([[1], [2], [3]], names=["x", "x", "y"])
    if suffix == ".arrow":
        with pa.ipc.new_file(str(tmp_path / "a.arrow"), found.schema) as file:
            file.write_table(found)
    else:
        pq.write_table(found, tmp_path / "a.parquet")
    with pytest.raises(ValueError, match=r"two columns are named 'x'\. Rename one\."):
        everything([tmp_path / f"a{suffix}"])


def test_values_of_arrow_that_python_has_not(tmp_path):
    """They are kept as pyarrow writes them."""
    late = pa.array([2**62, 0], pa.timestamp("ms"))
    found = pa.table({"late": late, "bytes": [b"a\xff", b"b"], "x": [1, 2], "y": [0, 1]})
    pq.write_table(found, tmp_path / "a.parquet")
    options = Options(ignore=("late", "bytes"), keep=("late", "bytes"))
    late, raw = (column.tolist() for column in everything([tmp_path / "a.parquet"], options).kept)
    assert late[1].startswith("1970-01-01") and raw == ["a\ufffd", "b"]


def test_marks_in_numpy_files(tmp_path):
    np.savez(tmp_path / "a.npz", X=np.array([[1.0, 4.0], [2.0, -99.0]]), y=np.array(["unknown", "a"]))
    block = everything([tmp_path / "a.npz"], NA)
    np.testing.assert_array_equal(block.numeric, [[2, np.nan]])
    assert texts(block.target) == ["a"] and len(block.bad) == 1
