"""Text read as numbers: both ways, by pyarrow and cell by cell, agree with pandas and with each other."""

import math

import numpy as np
import pandas as pd
import pytest

from kernelstream.readers import BadLine, FileStream, Options, RowReader, SkipBad, csv_files
from kernelstream.readers.text_numbers import TEXT_KINDS, kind_of, read_number

from .data import everything, texts, write


@pytest.mark.parametrize(
    "cells, kind",
    [
        (["1.234,56", "-7,5", "12"], "number, decimal comma"),
        (["1,234.56", "$ 99", "-1,000,000"], "number, thousands comma"),
        (["12 %", "3.5 %"], "number, thousands comma"),
        (["12,5 €", "1 234,5 EUR"], "number, decimal comma"),
        (["0,125", "0,250"], "number, decimal comma"),  # no thousands: they do not begin with 0
        (["(1,234.50)", "12.25", "3.5-"], "number, thousands comma"),
        (["(1.234,50)", "12,25", "3,5-"], "number, decimal comma"),
        (["5 kg", "7.5 kg", "NA"], "number, with the unit kg"),
        (["1,5 m²", "2 m²"], "number, decimal comma, with the unit m²"),
        (["5 kg", "500 g"], "category"),  # not of one size
        (["2.8K", "25", "$1.5M"], "number, K and M"),
        (["0x1F", "0xff"], "number, hexadecimal"),
        (["A1", "A2"], "category"),
        (["10-19", "20-29"], "category"),
        (["2024-01-31", "2024-02-01"], "date year-month-day"),
        (["2024-01-31T13:05:00Z", "2024-01-31 13:05"], "date year-month-day"),
        (["31.01.2024", "1.2.2024 13:05"], "date day.month.year"),
        (["01/31/2024", "1/2/2024"], "date month/day/year"),
        (["31/01/2024", "1/2/2024"], "date day/month/year"),
        (["01/02/2024", "02/03/2024"], "category"),  # either
        (["31.12.24", "1.2.25 13:05"], "date day.month.year"),
        (["1/14/23 3:12 PM", "1/5/23"], "date month/day/year"),
        (["01-31-2023", "01-01-2023"], "date month-day-year"),
        (["05-Jan-23", "6 February 2024", "5. März 2023"], "date day, name of the month, year"),
        (["Jan 05, 2023 03:12 PM", "May 7th 2024"], "date name of the month, day, year"),
        (["2023-01-05", "05.01.2023 12:00", "5 Jan 2023"], "date of several forms"),
        (["2023-01-05", "01/31/2023"], "date of several forms, month first"),
        (["2023-01-05", "31/01/2023"], "date of several forms, day first"),
        (["2023-01-05", "05/01/2023"], "category"),  # either
        (["3.11.2", "1.2.13"], "category"),  # versions
        (["13:05", "9:30:15"], "time of day"),
        (["True", "FALSE", "NA"], "boolean"),
        (["1", "0"], "number"),
        (["", "NA", "-", "#N/A"], "number"),  # nothing but missing values
        (["10.0.0.1", "10.0.0.2"], "category"),
        (["2024-13-45", "2024-99-01"], "category"),
        (["a", "1"], "category"),
    ],
)
def test_kinds_of_columns(cells, kind):
    assert kind_of(cells) == kind


def test_dates_are_those_of_pandas():
    written = ["2024-02-29", "1969-12-31 23:59:59.250", "2024-01-31T13:05:00+02:00", "2024-06-01T00:00Z"]
    for text in written:
        expected = (
            pd.Timestamp(text).timestamp() if "+" in text or "Z" in text else pd.Timestamp(text, tz="UTC").timestamp()
        )
        assert read_number(text, "date year-month-day") == pytest.approx(expected, abs=1e-6)
    for text, kind in (
        ("31.12.24", "date day.month.year"), ("1/14/23 3:12 PM", "date month/day/year"),
        ("05-Jan-1999", "date day, name of the month, year"), ("Thu, 05 Jan 2023 12:00 GMT", "date of several forms"),
        ("Jan 5, 2023 03:12 PM", "date name of the month, day, year"), ("2023-01-05 12:00", "date of several forms"),
    ):  # fmt: skip
        expected = pd.to_datetime(text, dayfirst="day." in kind, utc=True).timestamp()
        assert read_number(text, kind) == expected
    assert read_number("1.1.69", "date day.month.year") < 0.0 < read_number("1.1.68", "date day.month.year")
    assert read_number("29.02.2023", "date day.month.year") is None
    assert read_number("12:30 AM", "time of day") == 1800.0 and read_number("24:00", "time of day") is None


TABLE = """\ufeff"when";price;ok;share;plain;"a;b";y\r
2024-01-31 13:05:00;"1.234,50";yes;12,5 %;7;u;1\r
2024-02-01 00:00:00;-3;no;?;;v;0\r
NA;0,5;NA;1;-2.5;"";1\r
"""


@pytest.mark.parametrize("fast", [True, False])
def test_a_table_of_text(tmp_path, monkeypatch, fast):
    """With a byte order mark, CRLF and quoted names; the same whoever parses it."""
    if not fast:
        monkeypatch.setattr(csv_files, "csv_parser", lambda *_: lambda chunk, file: None)
    else:
        monkeypatch.setattr(csv_files.CsvReader, "_cell_by_cell", None)  # a chunk that is not parsed fast fails
    (tmp_path / "a.csv").write_text(TABLE, newline="")
    block = everything([tmp_path / "a.csv"])
    day = pd.Timestamp("2024-01-31 13:05", tz="UTC").timestamp()
    expected = [[day, 1234.5, 1, 12.5, 7], [day + 39300, -3, 0, np.nan, np.nan], [np.nan, 0.5, np.nan, 1, -2.5]]
    np.testing.assert_array_equal(block.numeric, expected)
    assert texts(block.categorical[0]) == ["u", "v", None] and block.target.tolist() == [1, 0, 1]


@pytest.mark.parametrize(
    "cell, kind, value",
    [
        ("(1,234.50)", "number, thousands comma", -1234.5), ("3,5-", "number, decimal comma", -3.5),
        ("-7.5 kg", "number, with the unit kg", -7.5), ("7.5", "number, with the unit kg", 7.5),
        ("7.5 g", "number, with the unit kg", None), ("$1.5M", "number, K and M", 1.5e6),
        ("1.2 GB", "number, K and M", 1.2e9), ("1.2 kg", "number, K and M", None),
        ("0x1F", "number, hexadecimal", 31.0), ("1F", "number, hexadecimal", None),
    ],
)  # fmt: skip
def test_cells_of_unusual_numbers(cell, kind, value):
    assert read_number(cell, kind) == value


@pytest.mark.parametrize("suffix", [".csv", ".jsonl", ".parquet", ".db"])
def test_what_recurs_in_a_column_of_numbers_is_a_missing_value(tmp_path, suffix):
    """Unless a target has it too; and what occurs once is an error."""
    frame = pd.DataFrame({"x": [str(v) for v in range(40)], "z": [str(v % 7) for v in range(40)], "y": ["a", "b"] * 20})
    frame.loc[[3, 9], "x"], frame.loc[[4, 5], "z"] = "n/k", "b"
    stream = FileStream([str(write(frame, tmp_path / f"a{suffix}"))], Options(target="y"))
    rows = RowReader(stream, policy=SkipBad())
    block = rows.take(40)
    assert stream.schema.na == ("n/k",) and "'n/k' in the column 'x' of numbers stands for a" in stream.schema.notes[0]
    at = stream.schema.numeric.index("x")
    assert np.isnan(block.numeric[:, at]).sum() == 2 and len(block) == 38 and rows.policy.count == 2
    assert "column" in rows.policy.first[0] and "'z'" in rows.policy.first[0]
    rows.close()


def test_both_parsers_read_the_same_numbers():
    arrow = pytest.importorskip("pyarrow")
    rng = np.random.default_rng(0)
    for kind, shown in (
        ("number, decimal comma", lambda v: f"{v:,.2f}".translate(str.maketrans(",.", ".,"))),
        ("number, thousands comma", lambda v: f"{v:,.3f}"),
        ("number, thousands comma", lambda v: f"({v:,.3f})"),
        ("number, decimal comma", lambda v: f"{v:,.2f}-".translate(str.maketrans(",.", ".,"))),
        ("date year-month-day", lambda v: str(pd.Timestamp(v, unit="s"))),
    ):
        cells = [shown(v) for v in rng.uniform(0, 2e9, 200)]
        fast = TEXT_KINDS[kind].convert(arrow.array(cells)).to_pylist()
        assert fast == pytest.approx([TEXT_KINDS[kind].parse(cell) for cell in cells], abs=2e-6)
        assert TEXT_KINDS[kind].convert(arrow.array([*cells, "x1"])) is None


def test_one_bad_date_is_a_bad_line(tmp_path):
    (tmp_path / "a.csv").write_text("when,x,y\n" + "2024-01-31,1,0\n" * 40 + "2024-02-30,1,1\n")
    with pytest.raises(BadLine, match=r"line 42, column 1 \('when'\): '2024-02-30' is not a date year-month-day, and"):
        everything([tmp_path / "a.csv"])


def test_missing_values_of_your_own(tmp_path):
    (tmp_path / "a.csv").write_text("x,c,y\n1,red,0\n-99,unknown,1\nunknown,NA,1\n")
    block = everything([tmp_path / "a.csv"], Options(na=("-99", "unknown")))
    np.testing.assert_array_equal(block.numeric, [[1], [np.nan], [np.nan]])
    assert texts(block.categorical[0]) == ["red", None, "NA"]  # Namibia, perhaps


def test_names_that_occur_twice_are_numbered(tmp_path):
    (tmp_path / "a.csv").write_text("x,x,x_2,y\n1,2,3,0\n4,5,6,1\n")
    stream = FileStream([str(tmp_path / "a.csv")])
    stream.close()
    assert stream.schema.numeric == ("x", "x_3", "x_2")
    assert stream.schema.notes[0].startswith("2 columns are named 'x': after the first, they are called 'x_3'.")


def test_labels_stay_text(tmp_path):
    """Even if they could be numbers: what is predicted is what was given."""
    (tmp_path / "a.csv").write_text("x,y\n1,yes\n2,no\n")
    assert texts(everything([tmp_path / "a.csv"]).target) == ["yes", "no"]
    (tmp_path / "b.csv").write_text('x;y\n1;"1.234,5"\n2;0,5\n')
    assert everything([tmp_path / "b.csv"]).target.tolist() == [1234.5, 0.5]


def test_semicolons_before_decimal_commas(tmp_path):
    (tmp_path / "a.csv").write_text("1,5;2,5;3,5\n4,5;5,5;6,5\n")
    block = everything([tmp_path / "a.csv"], Options(target="3"))
    assert block.numeric.tolist() == [[1.5, 2.5], [4.5, 5.5]]


def test_parquet_dates_times_and_text(tmp_path):
    frame = pd.DataFrame(
        {
            "stamp": pd.to_datetime(["2024-01-31 13:05", None], utc=True),
            "day": pd.to_datetime(["2024-01-31", "2024-02-01"]).date,
            "text": ["2024-01-31", "2024-02-01"],
            "gap": pd.to_timedelta([90, 30], unit="s"),
            "code": pd.Categorical(["1,5", "2,5"]),
            "y": [0, 1],
        }
    )
    frame.to_parquet(tmp_path / "a.parquet")
    block = everything([tmp_path / "a.parquet"])
    day = pd.Timestamp("2024-01-31", tz="UTC").timestamp()
    expected = [[day + 47100, day, day, 90, 1.5], [np.nan, day + 86400, day + 86400, 30, 2.5]]
    np.testing.assert_array_equal(block.numeric, expected)
    frame.assign(text=["2024-01-31", "soon"])[["text", "y"]].to_parquet(tmp_path / "b.parquet")
    stream = FileStream([str(tmp_path / "a.parquet")], Options(ignore=("stamp", "day", "gap", "code")))
    stream.close()
    rows = RowReader(FileStream([str(tmp_path / "b.parquet")], Options(), stream.schema))
    with pytest.raises(BadLine, match="row 2, column 'text': 'soon' is not a date year-month-day"):
        rows.take(5)


def test_json_lines_of_text(tmp_path):
    (tmp_path / "a.jsonl").write_text(
        '{"t": "2024-01-31", "n": "1.5", "y": 0}\n{"t": null, "n": "NA", "y": 1}\n'
        '{"t": "2024-02-01", "n": "2", "y": 1}\n'
    )
    day = pd.Timestamp("2024-01-31", tz="UTC").timestamp()
    np.testing.assert_array_equal(
        everything([tmp_path / "a.jsonl"]).numeric, [[day, 1.5], [math.nan, math.nan], [day + 86400, 2.0]]
    )


def test_a_column_said_to_be_a_date_that_is_none(tmp_path):
    (tmp_path / "a.csv").write_text("when,x,y\nsoon,1,0\nlate,2,1\n")
    with pytest.raises(ValueError, match=r"first cells of column 'when' are not dates .*\(--date when\)"):
        FileStream([str(tmp_path / "a.csv")], Options(dates=("when",)))
    with pytest.raises(ValueError, match=r"The column 'x' is said to be a category and a number. Name it once."):
        FileStream([str(tmp_path / "a.csv")], Options(categorical=("x",), numeric=("2",)))
