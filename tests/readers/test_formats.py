"""Every format against the library that others read it with."""

import io
from decimal import Decimal

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from sklearn.datasets import load_svmlight_file

from kernelstream.readers import BadLine, ChangedInput, FileStream, Options, RowReader, SkipBad, lines

from .data import COMPRESSIONS, TABLES, TYPED, dense, everything, notes, table, texts, write

NUMBERS = ["size", "count", "ratio"]


@pytest.mark.parametrize("suffix", TABLES)
def test_tables(tmp_path, suffix, arrow, chunk):
    frame = table()
    block = everything([write(frame, tmp_path / f"data{suffix}")])
    np.testing.assert_array_equal(block.numeric, frame[NUMBERS].to_numpy(float))
    assert texts(block.categorical[0]) == frame["colour"].to_list()
    assert texts(block.target) == frame["y"].to_list()
    first = 1 if suffix in TYPED else 2
    assert block.lines.tolist() == list(range(first, first + len(frame)))


@pytest.mark.parametrize("compression", COMPRESSIONS)
def test_libsvm(tmp_path, compression, chunk):
    path = write(table(), tmp_path / "data.svm")
    packed = tmp_path / f"data.svm{compression}"
    packed.write_bytes(COMPRESSIONS[compression](path.read_bytes()))
    block = everything([packed])
    X, y = load_svmlight_file(str(path))
    np.testing.assert_array_equal(dense(block.numeric, X.shape[1]), X.toarray())
    np.testing.assert_array_equal(block.target, y)


LINES = """# a comment
+1 qid:3 1:0.5 3:-2e-3 # another
-1.5\t2:7
2 1:12345678901234567 2:.5 3:1E+30
-0 1:+4. 2:0.1234567890123456789 3:9007199254740993

7
1e0 1:nan 2:1e-320 3:00000000000000000000012
"""


def test_the_notations_of_libsvm(tmp_path):
    path = tmp_path / "data"
    path.write_text(LINES)
    block = everything([path], Options(format="libsvm"))
    X, y = load_svmlight_file(io.BytesIO(LINES.encode()))
    np.testing.assert_array_equal(dense(block.numeric, 3), X.toarray())
    np.testing.assert_array_equal(block.target, y)
    assert block.lines.tolist() == [2, 3, 4, 5, 7, 8]


def test_what_libsvm_refuses(tmp_path):
    text = ["1 1:2", "1 2:1 1:1", "1 0:5", "1 1:", "1 1:2x", "1 two", "1 99999999999:1", "1 1:2 2", "0 3:1"]
    (tmp_path / "data.svm").write_text("\n".join(text))
    policy = SkipBad()
    assert len(everything([tmp_path / "data.svm"], policy=policy)) == 2
    assert policy.count == 7
    # five are kept
    assert [message.partition("data.svm, ")[2] for message in policy.first] == [
        "line 2, character 7: the index in '1:1' is not larger than the previous one; indices must ascend.",
        "line 3, character 3: the index in '0:5' is 0, and LIBSVM indices start at 1. If this file's start at 0, use --zero-based.",  # noqa: E501
        "line 4, character 3: the value in '1:' is not a number.",
        "line 5, character 3: the value in '1:2x' is not a number.",
        "line 6, character 3: 'two' is not an index:value pair.",
    ]
    with pytest.raises(BadLine, match="line 2, character 7"):
        everything([tmp_path / "data.svm"])


def test_rows_of_libsvm_may_lack_a_label(tmp_path):
    (tmp_path / "data.svm").write_text("1:2 3:4\n5 1:2\n")
    block = everything([tmp_path / "data.svm"])
    np.testing.assert_array_equal(block.target, [5.0])
    assert dense(block.numeric, 3).tolist() == [[2, 0, 0]]
    assert [bad.line for bad in block.bad] == [1]


def test_labels_of_libsvm_may_be_words_and_indices_may_count_from_0(tmp_path):
    (tmp_path / "data.svm").write_text("cat 0:1\ndog 3:2\ncat\n")
    block = everything([tmp_path / "data.svm"], Options(zero_based=True))
    assert texts(block.target) == ["cat", "dog", "cat"]
    assert dense(block.numeric, 4).tolist() == [[1, 0, 0, 0], [0, 0, 0, 2], [0, 0, 0, 0]]


@pytest.mark.parametrize("order", "CF")
def test_matrices(tmp_path, order):
    X = np.asarray(table()[NUMBERS].to_numpy(float), order=order)
    np.save(tmp_path / "data.npy", X)
    block = everything([tmp_path / "data.npy"], Options(target="-1"))
    np.testing.assert_array_equal(np.column_stack([block.numeric, block.target]), X)


@pytest.mark.parametrize(("save", "order"), [(np.savez, "C"), (np.savez, "F"), (np.savez_compressed, "C")])
def test_archives(tmp_path, save, order):
    X, y = np.asarray(table()[NUMBERS].to_numpy(float), order=order), table()["y"].to_numpy(str)
    save(tmp_path / "data.npz", X=X, y=y, note=np.arange(3))
    block = everything([tmp_path / "data.npz"])
    np.testing.assert_array_equal(block.numeric, X)
    assert texts(block.target) == y.tolist()


def test_tables_of_numpy(tmp_path):
    frame = table().astype({"colour": "U20", "y": "U3"})
    np.save(tmp_path / "data.npy", np.array(list(frame.itertuples(index=False)), "f8,i4,f4,U20,U3"))
    block = everything([tmp_path / "data.npy"], Options(target="f4"))
    np.testing.assert_array_equal(block.numeric[:, 1:], frame[["count", "ratio"]])
    assert texts(block.categorical[0]) == frame["colour"].to_list()


def test_a_csv_as_pandas_reads_it(tmp_path, arrow):
    text = 'a, b ,c,y\r\n1, 2.5,"x\r\ny",0\r\n\r\n-3e2,,"""q""",1\r\n+4,NaN,,0'
    (tmp_path / "data.csv").write_text(text, newline="")
    block = everything([tmp_path / "data.csv"])
    frame = pd.read_csv(tmp_path / "data.csv")
    np.testing.assert_array_equal(block.numeric, frame[["a", " b "]].to_numpy(float))
    assert texts(block.categorical[0]) == ["x\r\ny", '"q"', None]
    assert block.target.tolist() == frame["y"].to_list()
    assert block.lines.tolist() == [2, 5, 6]


@pytest.mark.parametrize(
    ("text", "header"),
    [("a,b\n1,2\n", True), ("1,x\n2,y\n", False), ("p,x\ne,x\np,y\n", False), ("kind,form\ne,x\np,y\n", True)],
)
def test_headers_are_told_from_rows(tmp_path, text, header):
    (tmp_path / "data.csv").write_text(text)
    stream = FileStream([str(tmp_path / "data.csv")], Options(target="1"))
    assert stream.schema.header == header
    stream.close()


def test_headers_of_files_that_were_appended_are_passed_over(tmp_path):
    (tmp_path / "data.csv").write_text("a,b\n1,2\n" * 3)
    block = everything([tmp_path / "data.csv"], Options(target="b"))
    assert block.numeric.tolist() == [[1.0]] * 3
    assert block.lines.tolist() == [2, 4, 6]


def test_columns_are_chosen_by_name_or_position(tmp_path):
    path = write(table(), tmp_path / "data.csv")
    options = Options(target="3", ignore=("size", "-1"), categorical=("count",))
    block = everything([path], options)
    assert block.target.tolist() == table()["ratio"].to_list()
    assert block.numeric.shape == (60, 0)
    assert texts(block.categorical[0]) == table()["count"].astype(str).to_list()
    assert texts(block.categorical[1]) == table()["colour"].to_list()


def test_other_encodings(tmp_path, arrow):
    (tmp_path / "data.csv").write_bytes("farbe,y\ngrün,1\nrot,2\n".encode("latin-1"))
    assert texts(everything([tmp_path / "data.csv"], Options(encoding="latin-1")).categorical[0]) == ["grün", "rot"]
    with pytest.raises(BadLine, match=r"line 2, column 1 \('farbe'\): .* is not utf-8 text. Specify the encoding"):
        everything([tmp_path / "data.csv"])
    (tmp_path / "data.csv").write_bytes(b"\xef\xbb\xbfx,y\n1,2\n")
    assert everything([tmp_path / "data.csv"]).numeric.tolist() == [[1.0]]
    (tmp_path / "data.jsonl").write_bytes(b'\xef\xbb\xbf{"x": 1, "y": 2}\n')
    assert everything([tmp_path / "data.jsonl"]).numeric.tolist() == [[1.0]]


def test_parquet_takes_what_is_a_number_and_names_what_is_not(tmp_path):
    frame = pd.DataFrame({"flag": [True, False], "kind": pd.Categorical(["a", "b"]), "gap": [1.0, None], "y": [1, 2]})
    (tmp_path / "part=3").mkdir()
    frame.to_parquet(tmp_path / "part=3" / "x.parquet")
    block = everything([tmp_path])
    np.testing.assert_array_equal(block.numeric, [[1, 1, 3], [0, np.nan, 3]])
    assert texts(block.categorical[0]) == ["a", "b"]
    frame["odd"] = [b"a", b"b"]
    frame.to_parquet(tmp_path / "t.parquet")
    assert everything([tmp_path / "t.parquet"]).numeric.shape == (2, 2)
    found = notes(tmp_path / "t.parquet", Options())
    assert found == ("'odd' is left out: it is of type binary, neither numbers nor text.",)
    for options in (Options(target="odd"), Options(target="y", numeric=("odd",))):
        with pytest.raises(ValueError, match=r"column 'odd' is of type binary, neither .* text: it cannot be used\."):
            everything([tmp_path / "t.parquet"], options)


def test_long_lines_are_parsed_together(tmp_path):
    """A parser spends time on every column of a chunk: a row at a time would take a second for each."""
    width = lines.LONG_LINE // 4
    names = ",".join(f"c{i}" for i in range(width))
    row = ",".join(str(i % 7) for i in range(width))
    path = tmp_path / "wide.csv"
    path.write_text(f"{names},y\n" + f"{row},1\n" * 200)
    stream = FileStream([str(path)], Options(target="y"))
    blocks = list(stream.blocks())
    assert sum(map(len, blocks)) == 200 and len(blocks) < 4
    assert all((block.numeric[:, 6] == 6.0).all() for block in blocks)


@pytest.mark.parametrize("suffix", TABLES)
def test_missing_values(tmp_path, suffix, arrow):
    frame = table().astype({"count": float})
    frame.loc[::3, "count"], frame.loc[1::4, "colour"], frame.loc[2::5, "y"] = np.nan, None, None
    block = everything([write(frame, tmp_path / f"data{suffix}")])
    known = frame[frame.y.notna()]  # nothing can be learned from the other rows
    np.testing.assert_array_equal(block.numeric, known[NUMBERS].to_numpy(float))
    for column, name in ((block.categorical[0], "colour"), (block.target, "y")):
        assert texts(column) == known[name].astype(object).where(known[name].notna(), None).to_list()
    assert block.bad and all("the label is missing" in str(bad) for bad in block.bad)


@pytest.mark.parametrize("suffix", TABLES)
def test_reading_continues_anywhere(tmp_path, suffix, chunk):
    """The rows after a position are those that an uninterrupted reader gets, and the digest knows other rows."""
    path = write(table(), tmp_path / f"data{suffix}")
    whole = everything([path])
    for count in (1, 7, 25, 59, 60):
        rows = RowReader(FileStream([str(path)], digests=True))
        rows.take(count)
        position = rows.position._replace(digest=rows.digest())
        rows.close()
        assert position.digest is not None
        again = RowReader(FileStream([str(path)], digests=True), position)
        rest = again.take(100)
        assert (0 if rest is None else len(rest)) == 60 - count
        if rest is not None:
            assert rest.lines.tolist() == whole.lines[count:].tolist()
            np.testing.assert_array_equal(rest.numeric, whole.numeric[count:])
            assert texts(rest.target) == texts(whole.target)[count:]
        again.close()
    changed = table()
    changed.loc[0, "ratio"] += 1
    path.unlink()
    write(changed, path)
    again = RowReader(FileStream([str(path)], digests=True), position)
    with pytest.raises(ChangedInput, match=r"data\S* is not the data that the run to resume has learned from"):
        again.take(100)
    again.close()


@pytest.mark.parametrize("suffix", [suffix for suffix in TYPED if suffix not in (".parquet", ".db", ".duckdb")])
@pytest.mark.parametrize("compression", [".gz", ".zst"])
def test_compressed_tables_of_types(tmp_path, suffix, compression):
    path = write(table(), tmp_path / f"data{suffix}")
    packed = tmp_path / f"packed{suffix}{compression}"
    packed.write_bytes(COMPRESSIONS[compression](path.read_bytes()))
    np.testing.assert_array_equal(everything([packed]).numeric, table()[NUMBERS].to_numpy(float))


@pytest.mark.parametrize("suffix", [".parquet", ".db", ".duckdb", ".npz"])
def test_formats_that_need_a_file_say_so(tmp_path, suffix):
    if suffix == ".npz":
        np.savez(tmp_path / "data.npz", X=np.ones((3, 2)), y=np.ones(3))
    path = write(table(), tmp_path / f"data{suffix}")
    packed = tmp_path / f"data{suffix}.gz"
    packed.write_bytes(COMPRESSIONS[".gz"](path.read_bytes()))
    with pytest.raises(ValueError, match=r"needs a file that is neither compressed nor in an archive\. Save or"):
        everything([packed])


def test_columns_of_arrow(tmp_path):
    """What Parquet takes, Arrow files take too: categories, decimals, columns without a value, long text."""
    found = pa.table(
        {
            "kind": pa.array(["a", None, "b"]).dictionary_encode(),
            "price": pa.array([Decimal("1.5"), None, Decimal("2.25")]),
            "nothing": pa.nulls(3),
            "text": pa.array(["x", "y", None], pa.large_string()),
            "y": [True, False, True],
        }
    )
    with pa.ipc.new_file(str(tmp_path / "a.arrow"), found.schema) as file:
        file.write_table(found)
    pq.write_table(found, tmp_path / "a.parquet")
    for name in ("a.arrow", "a.parquet"):
        block = everything([tmp_path / name])
        np.testing.assert_array_equal(block.numeric, [[1.5, np.nan], [np.nan, np.nan], [2.25, np.nan]])
        assert [texts(column) for column in block.categorical] == [["a", None, "b"], ["x", "y", None]]
        assert block.target.tolist() == [1, 0, 1]


def test_a_large_batch_is_read_in_parts(tmp_path, monkeypatch):
    monkeypatch.setattr("kernelstream.readers.arrow_ipc.rows_at_once", lambda columns: 7)
    path = write(table(), tmp_path / "data.feather")
    blocks = list(FileStream([str(path)]).blocks())
    assert [len(block) for block in blocks] == [7] * 8 + [4]
    np.testing.assert_array_equal(np.concatenate([b.numeric for b in blocks]), table()[NUMBERS].to_numpy(float))


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
@pytest.mark.parametrize("name", ["t.csv", "t.dat"])
def test_comments_above_a_table_are_skipped(tmp_path, mark, name):
    path = tmp_path / name
    path.write_bytes(mark + b"# made by an instrument, v3\r\n#\r\nx\ty\r\n1.5\ta\r\n2.5\tb\r\n3\ta\tz\r\n")
    stream = FileStream([str(path)], Options(target="y"))
    assert stream.schema.numeric == ("x",) and stream.schema.target == "y"
    assert stream.schema.notes == ("The first 2 lines, which begin with #, are not part of the table.",)
    (block,) = list(stream.blocks())
    assert block.numeric.tolist() == [[1.5], [2.5]] and block.lines.tolist() == [4, 5]
    assert [bad.line for bad in block.bad] == [6]
    path.write_bytes(mark + b"#x,y\n1.5,a\n2.5,b\n")
    stream = FileStream([str(path)], Options(target="y"))
    assert stream.schema.numeric == ("x",) and stream.schema.notes == ()
    (block,) = list(stream.blocks())
    assert block.lines.tolist() == [2, 3]
    path.write_bytes(mark + b"# no header\n1.5,a\n2.5,b\n")
    stream = FileStream([str(path)], Options(target="2"))
    (block,) = list(stream.blocks())
    assert block.numeric.tolist() == [[1.5], [2.5]] and block.lines.tolist() == [2, 3]


def test_columns_aligned_by_spaces(tmp_path, monkeypatch):
    monkeypatch.setattr(lines, "CHUNK", 64)  # several chunks
    X = np.arange(40).reshape(20, 2) - 7.25
    rows = "".join(f"{a:10.3f}\t {b:8.2f}   {'yes' if a > 9 else 'no '}\r\n" for a, b in X)
    path = tmp_path / "t.dat"
    path.write_bytes(b"      x        z   class\r\n" + rows.encode())
    stream = FileStream([str(path)], Options())
    assert stream.schema.numeric == ("x", "z") and stream.schema.target == "class"
    blocks = list(stream.blocks())
    assert len(blocks) > 3 and blocks[-1].end.offset == path.stat().st_size
    np.testing.assert_array_equal(np.concatenate([block.numeric for block in blocks]), X)
    assert [line for block in blocks for line in block.lines.tolist()] == list(range(2, 22))
    again = list(FileStream([str(path)], Options()).blocks(blocks[1].end))  # goes on where it was left
    np.testing.assert_array_equal(again[0].numeric, blocks[2].numeric)
    path.write_bytes(path.read_bytes() + b"  1.0 2.0\r\n")
    bad = [bad for block in FileStream([str(path)], Options()).blocks() for bad in block.bad]
    assert [(one.line, one.reason) for one in bad] == [(22, "expected 3 columns, found 2.")]
