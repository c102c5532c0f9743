"""Types of Avro that tables of numbers and text do not have."""

import datetime
from decimal import Decimal
from uuid import UUID

import fastavro
import numpy as np
import pytest

from kernelstream.readers import BadLine, Options, SkipBad

from .data import everything, notes, texts

HOME = {"type": "record", "name": "home", "namespace": "n", "fields": [{"name": "city", "type": ["null", "string"]}]}


def store(path, fields, rows, name="row"):
    schema = {"type": "record", "name": name, "fields": [{"name": key, "type": kind} for key, kind in fields.items()]}
    with open(path, "wb") as file:
        fastavro.writer(file, fastavro.parse_schema(schema), rows)
    return path


def test_nested_records_and_logical_types(tmp_path):
    fields = {
        "from": ["null", HOME],
        "to": "n.home",
        "day": {"type": "int", "logicalType": "date"},
        "price": {"type": "bytes", "logicalType": "decimal", "precision": 6, "scale": 2},
        "id": {"type": "string", "logicalType": "uuid"},
        "kind": {"type": "enum", "name": "kinds", "symbols": ["a", "b"]},
        "mixed": ["null", "int", "double"],
        "y": "boolean",
    }
    row = {
        "from": None, "to": {"city": "Ulm"}, "day": datetime.date(2020, 1, 2), "price": Decimal("1.25"),
        "id": UUID(int=5), "kind": "b", "mixed": 1.5, "y": True,
    }  # fmt: skip
    other = row | {"from": {"city": "Bonn"}, "to": {"city": None}, "mixed": None, "y": False}
    block = everything([store(tmp_path / "a.avro", fields, [row, other])])
    day = datetime.datetime(2020, 1, 2, tzinfo=datetime.UTC).timestamp()
    np.testing.assert_array_equal(block.numeric, [[day, 1.25, 1.5], [day, 1.25, np.nan]])
    found = [texts(column) for column in block.categorical]
    assert found == [[None, "Bonn"], ["Ulm", None], [str(UUID(int=5))] * 2, ["b"] * 2]
    assert block.target.tolist() == [1, 0]


def test_what_is_neither_numeric_nor_text(tmp_path):
    fields = {
        "x": "int",
        "tags": {"type": "array", "items": "int"},
        "more": {"type": "map", "values": "int"},
        "y": "int",
    }
    path = store(tmp_path / "a.avro", fields, [{"x": 1, "tags": [1], "more": {"a": 1}, "y": 0}])
    assert everything([path]).numeric.tolist() == [[1.0]]
    found = notes(path, Options(ignore=("more",)))
    assert found == ("'tags' is left out: it has arrays, objects or binary values, neither numbers nor text.",)


def test_bad_values_are_named_by_their_rows(tmp_path):
    rows = [{"x": 1.0, "y": 0}] * 20 + [{"x": float("inf"), "y": 0}, {"x": "?", "y": 1}, {"x": 2.0, "y": 1}]
    path = store(tmp_path / "a.avro", {"x": ["double", "string"], "y": "int"}, rows)
    policy = SkipBad()
    assert len(everything([path], policy=policy)) == 21
    assert [message.partition("a.avro, ")[2] for message in policy.first] == [
        "row 21, column 'x': inf is not a finite number.",
        """row 22, column 'x': '"?"' is text, not a finite number.""",
    ]
    with pytest.raises(BadLine, match="row 21, column 'x'"):
        everything([path])


def test_records_without_end(tmp_path):
    """A record inside itself is one column, and fields of fields of fields are not counted for hours."""
    path = store(
        tmp_path / "a.avro", {"x": "int", "next": ["null", "row"], "y": "int"}, [{"x": 1, "next": None, "y": 2}]
    )
    np.testing.assert_array_equal(everything([path]).numeric, [[1.0, np.nan]])
    inner: object = "int"
    for depth in range(12):
        kind = {"type": "record", "name": f"r{depth}", "fields": [{"name": "f0", "type": inner}]}
        kind["fields"] += [{"name": f"f{i}", "type": f"r{depth - 1}" if depth else "int"} for i in range(1, 9)]
        inner = kind
    path = store(tmp_path / "b.avro", {"x": inner, "y": "int"}, [])
    with pytest.raises(ValueError, match=r"b\.avro has more than 65,536 fields\."):
        everything([path])


def test_items_that_are_no_records(tmp_path):
    with open(tmp_path / "a.avro", "wb") as file:
        fastavro.writer(file, "int", [1, 2])
    with pytest.raises(ValueError, match=r"a\.avro: its items are not records with fields\."):
        everything([tmp_path / "a.avro"])
