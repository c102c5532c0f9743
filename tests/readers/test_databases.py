"""SQLite and DuckDB: what a query may be, and what it can never do."""

import sqlite3
from contextlib import closing

import numpy as np
import pytest

from kernelstream.readers import BadLine, FileStream, Options, SkipBad

from .data import everything, table, texts, write

NUMBERS = ["size", "count", "ratio"]


@pytest.fixture(params=[".db", ".duckdb"])
def database(request, tmp_path):
    return write(table(), tmp_path / f"data{request.param}")


def execute(path, *statements):
    import duckdb

    with closing(duckdb.connect(str(path)) if path.suffix == ".duckdb" else sqlite3.connect(path)) as connection:
        for statement in statements:
            connection.execute(statement)
        connection.commit()


def test_a_table_or_a_query(database):
    for query in (None, "rows", "SELECT * FROM rows;", "with r as (select * from rows) select * from r"):
        np.testing.assert_array_equal(everything([database], Options(query=query)).numeric, table()[NUMBERS])
    query = 'SELECT "count" + 1 AS more, colour, ratio AS y FROM rows WHERE ratio < 50 ORDER BY ratio'
    block = everything([database], Options(query=query))
    expected = table()[table()["ratio"] < 50].sort_values("ratio", kind="stable")
    assert block.numeric[:, 0].tolist() == (expected["count"] + 1).to_list()
    assert texts(block.categorical[0]) == expected["colour"].to_list()


def test_urls_of_databases(tmp_path, monkeypatch):
    for suffix, scheme in ((".db", "sqlite"), (".duckdb", "duckdb")):
        path = write(table(), tmp_path / f"data{suffix}")
        assert len(everything([f"{scheme}:///{path}"])) == 60
        monkeypatch.chdir(tmp_path)
        assert len(everything([f"{scheme}:///data{suffix}"])) == 60


def test_several_tables(database):
    execute(database, "CREATE TABLE other (a INTEGER)", 'CREATE TABLE "the ""third""" (a INTEGER, y INTEGER)')
    with pytest.raises(ValueError, match=r"has 3 tables\. Name one, or write a SELECT statement, with --query\. T"):
        everything([database])
    with pytest.raises(ValueError, match=r"has no table 'rose'\. Tables: 'other', 'rows', "):
        everything([database], Options(query="rose"))
    execute(database, 'INSERT INTO "the ""third""" VALUES (1, 2)')
    assert everything([database], Options(query='SELECT * FROM "the ""third"""')).numeric.tolist() == [[1.0]]


@pytest.mark.parametrize(
    "query",
    [
        "DELETE FROM rows",
        "DROP TABLE rows",
        "SELECT 1 AS x, 2 AS y; DROP TABLE rows",
        "CREATE TABLE more (x INTEGER)",
        "INSERT INTO rows SELECT * FROM rows RETURNING *",
        "ATTACH '{other}' AS other",
        "PRAGMA table_info(rows)",
        "SELECT * FROM read_csv('{csv}')",
        "COPY rows TO '{other}'",
        "VACUUM INTO '{other}'",
        "SET enable_external_access = true",
        "SELECT load_extension('{other}')",
        "nothing at all",
        "SELECT missing FROM rows",
    ],
)
def test_a_query_only_reads_this_database(database, tmp_path, query):
    (tmp_path / "a.csv").write_text("x,y\n1,2\n")
    before, files = database.read_bytes(), sorted(tmp_path.iterdir())
    with pytest.raises(ValueError, match=r"--query must be a single SELECT|data\S*: the query .* failed: "):
        everything([database], Options(query=query.format(other=tmp_path / "other.db", csv=tmp_path / "a.csv")))
    assert database.read_bytes() == before and sorted(tmp_path.iterdir()) == files


def test_columns_need_different_names(database):
    with pytest.raises(ValueError, match=r"two columns of the query are named 'ratio'\. Rename one with AS\."):
        everything([database], Options(query="SELECT ratio, colour AS y, ratio FROM rows"))


def test_text_with_numbers_as_sqlite_imports_it(tmp_path):
    """`.import data.csv` makes every column text."""
    path = tmp_path / "a.db"
    rows = ", ".join(f"('{i}', '{i / 2}', 'c{i % 2}')" for i in range(30))
    execute(
        path,
        "CREATE TABLE t (a TEXT, b TEXT, y TEXT)",
        f"INSERT INTO t VALUES {rows}, ('NA', '', 'c0'), ('x', '1', 'c1')",
    )
    policy = SkipBad()
    block = everything([path], policy=policy)
    np.testing.assert_array_equal(block.numeric, [*([i, i / 2] for i in range(30)), [np.nan, np.nan]])
    assert policy.first[0].endswith("""a.db, row 32, column 'a': '"x"' is text, not a finite number.""")
    with pytest.raises(BadLine, match="row 32, column 'a'"):
        everything([path])


def test_other_values_of_sqlite(tmp_path):
    path = tmp_path / "a.db"
    execute(path, "CREATE TABLE t (a, b, y)", "INSERT INTO t VALUES (1, x'00ff', 1), (9e999, x'01', 0)")
    with pytest.raises(ValueError, match=r"column 'b' has arrays, objects or binary values, neither .* be used\."):
        everything([path], Options(target="b"))
    with pytest.raises(BadLine, match=r"row 2, column 'a': inf is not a finite number\."):
        everything([path])  # b is left out
    execute(path, "DELETE FROM t", "INSERT INTO t VALUES (CAST(x'ff41' AS TEXT), 1, 1)")
    with pytest.raises(BadLine, match=r"row 1, column 'a': .* it contains half a character\."):
        everything([path])


def test_types_of_duckdb(tmp_path):
    path = tmp_path / "a.duckdb"
    execute(
        path,
        "CREATE TABLE t AS SELECT DATE '1970-01-02' AS d, TIME '01:00:00.5' AS t, INTERVAL 90 SECONDS AS i, "
        "TIMESTAMP '1970-01-01 00:00:07' AS s, 1.25::DECIMAL(5, 2) AS p, uuid() AS u, true AS f, 1 AS y",
    )
    block = everything([path])
    assert block.numeric.tolist() == [[86400, 3600.5, 90, 7, 1.25, 1]] and len(block.categorical) == 1
    block = everything([path], Options(categorical=("d",)))
    assert texts(block.categorical[0]) == ["1970-01-02"]  # as text in ISO 8601


def test_only_databases_have_queries(tmp_path):
    path = write(table(), tmp_path / "a.csv")
    with pytest.raises(ValueError, match=r"--query is for databases, and .*a\.csv is csv\. Leave it out\."):
        FileStream([str(path)], Options(query="SELECT 1"))
