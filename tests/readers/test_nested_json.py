"""Nested objects and arrays of objects: the same columns, whichever way they are read."""

import json

import numpy as np
import pytest

from kernelstream.readers import BadLine, FileStream, Options, Schema, SkipBad, lines
from kernelstream.readers.json_array import ArrayToLines

from .data import everything, notes, table, texts, write

ROWS = [
    {"user": {"age": 3, "home": {"city": "Ulm", "far": True}}, "y": 1},
    {"user": {"age": None, "home": None}, "y": 2},
    {"user": None, "y": 3},
    {"y": 4},
    {"user": {"age": 7.5, "home": {"city": "", "far": False}, "new": 5}, "y": 5},
] * 4


def write_lines(path, rows):
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    return path


def test_nested_objects_become_columns_with_dotted_names(tmp_path, arrow, chunk):
    path = write_lines(tmp_path / "a.jsonl", ROWS)
    stream = FileStream([str(path)])
    stream.close()
    schema = stream.schema
    assert schema.numeric == ("user.age", "user.home.far", "user.new")
    assert schema.categorical == ("user.home.city",) and schema.target == "y"
    block = everything([path])
    n = np.nan
    np.testing.assert_array_equal(block.numeric, [[3, 1, n], [n, n, n], [n, n, n], [n, n, n], [7.5, 0, 5]] * 4)
    assert texts(block.categorical[0]) == ["Ulm", None, None, None, None] * 4


@pytest.mark.parametrize("row", [{"a": {"b": {"c": 5}}}, {"a.b.c": 5}, {"a": {"b.c": 5}}])
def test_a_key_may_have_the_dots_itself(tmp_path, arrow, row):
    """A model that was trained on nested objects predicts flat ones, and the other way round."""
    schema = Schema(("a.b.c",), target="y").without_target()
    path = write_lines(tmp_path / "a.jsonl", [row, {"z": 1}])
    (block,) = FileStream([str(path)], schema=schema).blocks()
    np.testing.assert_array_equal(block.numeric, [[5], [np.nan]])


def test_a_column_whose_name_begins_with_another(tmp_path, arrow):
    path = write_lines(tmp_path / "a.jsonl", [{"http": 1, "http.status": 200, "y": 0}, {"http": 2, "y": 1}])
    np.testing.assert_array_equal(everything([path]).numeric, [[1, 200], [2, np.nan]])


def test_objects_where_others_have_none(tmp_path, arrow):
    path = write_lines(tmp_path / "a.jsonl", [*ROWS, {"user": "Ann", "y": 1}, {"user": {"age": {"x": 1}}, "y": 1}])
    policy = SkipBad()
    assert len(everything([path], policy=policy, options=Options(ignore=("user", "user.age.x")))) == len(ROWS)
    assert [message.partition("a.jsonl, ")[2] for message in policy.first] == [
        """line 21, key 'user': '"Ann"' is text, not an object.""",
        """line 22, key 'user.age': '{"x": 1}' is an object, not a finite number.""",
    ]


def test_arrays_are_left_out_with_a_note(tmp_path, arrow):
    path = write_lines(tmp_path / "a.jsonl", [{"x": 1, "in": {"tags": [1, 2]}, "y": 0}] * 3)
    assert everything([path]).numeric.tolist() == [[1.0]] * 3
    found = notes(path, Options())
    assert found == ("'in.tags' is left out: it has arrays, neither numbers nor text.",)
    deep = {"y": 1}
    for _ in range(20):
        deep = {"y": 1, "d": deep}
    (note,) = notes(write_lines(tmp_path / "b.jsonl", [deep]), Options(target="y"))
    assert note.endswith("it has objects nested deeper than 16 levels, neither numbers nor text.")


TRICKY = [
    {"a": text, "b": [{"c": "]"}], "y": i} for i, text in enumerate(["},{", '"', "\\", '\\"', "[", "\\\\", "\n", "ü,"])
]


@pytest.mark.parametrize("indent", [None, 1])
@pytest.mark.parametrize("size", [1, 2, 3, 7, 1000])
def test_arrays_become_lines_in_pieces_of_any_size(indent, size):
    data = json.dumps(TRICKY, ensure_ascii=False, indent=indent).encode()
    rewrite = ArrayToLines("a.json")
    found = b"".join(rewrite(data[i : i + size]) for i in range(0, len(data), size)) + rewrite(b"")
    assert len(found) == len(data)
    assert [json.loads(line) for line in found.split(b"\n")] == TRICKY


@pytest.mark.parametrize("indent", [None, 2])
def test_an_array_has_the_rows_of_lines(tmp_path, arrow, chunk, indent):
    (tmp_path / "a.json").write_text(json.dumps(ROWS, indent=indent))
    block, same = everything([tmp_path / "a.json"]), everything([write_lines(tmp_path / "a.jsonl", ROWS)])
    np.testing.assert_array_equal(block.numeric, same.numeric)
    assert texts(block.categorical[0]) == texts(same.categorical[0])
    assert block.lines.tolist() == same.lines.tolist()


def test_bad_items_of_an_array_are_named_by_their_rows(tmp_path, arrow):
    text = '[{"x": 1, "y": 0},\n{"x": 1 2, "y": 1}, 5,\n{"x": "a", "y": 1}, {"x": 2, "y": 1}]'
    (tmp_path / "a.json").write_text(text)
    policy = SkipBad()
    block = everything([tmp_path / "a.json"], policy=policy, options=Options(format="json"))
    # a third of the numbers is text, so the column is categorical
    assert block.lines.tolist() == [1, 4, 5] and policy.count == 2
    assert "a.json, row 2: invalid JSON: " in policy.first[0]
    assert policy.first[1].endswith("a.json, row 3: '5' is not a JSON object.")
    with pytest.raises(BadLine, match="row 2: invalid JSON"):
        everything([tmp_path / "a.json"])


def test_lines_are_no_array(tmp_path):
    path = write(table(), tmp_path / "a.jsonl")
    with pytest.raises(
        ValueError, match=r"is not a JSON array of objects\. For an object per line, use --format jsonl"
    ):
        everything([path], Options(format="json"))


def test_an_array_ends_where_it_should(tmp_path, monkeypatch):
    monkeypatch.setattr(lines, "CHUNK", 50)
    rows = json.dumps(ROWS)
    for text in (rows[:-1], rows[:-30], rows + "]", rows + rows):
        (tmp_path / "a.json").write_text(text)
        with pytest.raises(ValueError, match=r"ends before its JSON array does|text after the end of its JSON array"):
            everything([tmp_path / "a.json"])
