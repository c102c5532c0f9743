"""Commands on archives, databases, URLs and nested JSON; and what a model file cannot make them do."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from kernelstream.pipeline import StreamPipeline
from kernelstream.readers.source_names import expand_names

from ..readers.data import write as write_any
from .data import LEARN, board, kernelstream, succeed, told, write

ROWS, LIMIT = 3000, 1024  # a batch ends there
SHORT = ["--limit", LIMIT, "--first", 200, "-q", "--in-order"]
QUERY = "SELECT * FROM rows ORDER BY a"


@pytest.fixture
def database(tmp_path):
    return write_any(board(ROWS, words=False), tmp_path / "data.db")


@pytest.mark.parametrize("suffix", [".json", ".arrow", ".avro", ".zip", ".db", ".duckdb"])
def test_a_run_that_is_resumed_ends_in_the_same_file(tmp_path, suffix):
    rows = board(ROWS, words=False).assign(id=range(ROWS))  # which is left out
    path = write_any(rows, tmp_path / f"data{suffix}")
    succeed("train", path, *LEARN, *SHORT, "--limit", ROWS, "-o", tmp_path / "whole.ks")
    succeed("train", path, *LEARN, *SHORT, "-o", tmp_path / "m.ks")
    assert told("train", "--resume", tmp_path / "m.ks", "--limit", ROWS, "-q")["examples_this_run"] == ROWS - LIMIT
    assert (tmp_path / "whole.ks").read_bytes() == (tmp_path / "m.ks").read_bytes()
    path.unlink()
    write_any(rows.assign(b=rows["b"] + 1), path)
    result = kernelstream("train", "--resume", tmp_path / "m.ks", "--limit", 2 * ROWS)
    assert result.exit_code == 1 and "is not the data that the run to resume has learned from" in result.stderr


def test_every_format_gives_the_same_model(tmp_path):
    """Shuffled, with an id that is left out, a date and a truth value; and what is kept beside its predictions."""
    rng = np.random.default_rng(0)
    when = pd.Timestamp("2024-01-31") + pd.to_timedelta(rng.integers(0, 10**7, 800), "s")
    rows = board(800).assign(id=range(800), when=when, flag=rng.random(800) < 0.5)
    found = {}
    for suffix in (".csv", ".json", ".parquet", ".arrow", ".avro", ".zip", ".db", ".duckdb"):
        path = write_any(rows, tmp_path / f"data{suffix}")
        told_of = told("train", path, *LEARN, "-q", "-o", tmp_path / f"{suffix[1:]}.ks")
        keep = ["--keep", "id,colour", "--scores"]
        found[suffix] = (
            told_of["score"],
            succeed("predict", tmp_path / f"{suffix[1:]}.ks", path, *keep),
            succeed("predict", tmp_path / f"{suffix[1:]}.ks", tmp_path / "data.csv", *keep)
            if suffix != ".db"  # which has 0 and 1 where the others have true and false
            else succeed("predict", tmp_path / "csv.ks", path, *keep),
        )
    assert len(set(found.values())) == 1 and len(found[".csv"][1].splitlines()) == 801


def test_a_model_file_runs_no_query(tmp_path, database):
    """Neither one that it was trained with, nor one that somebody wrote into it."""
    model = tmp_path / "m.ks"
    succeed("train", database, "--query", QUERY, *LEARN, *SHORT, "-o", model)
    assert b"ORDER BY" not in model.read_bytes()
    with closing(sqlite3.connect(database)) as connection:
        connection.execute("CREATE TABLE other (a REAL)")
        connection.commit()
    result = kernelstream("train", "--resume", model, "--limit", ROWS)
    assert result.exit_code == 1 and "has 2 tables. Name one, or write a SELECT statement, with --q" in result.stderr
    result = kernelstream("train", "--resume", model, "--limit", ROWS, "--query", "rows")
    assert result.exit_code == 1 and "its first 1,024 rows differ" in result.stderr
    resumed = told("train", "--resume", model, "--limit", ROWS, "--query", QUERY, "-q")
    assert resumed["examples_this_run"] == ROWS - LIMIT
    forged = StreamPipeline.load(model)
    assert forged.settings.reading.query is None
    settings = forged.settings.as_dict()
    settings["reading"]["query"] = QUERY
    assert type(forged.settings).from_dict(settings).reading.query is None


def test_predictions_of_a_query(tmp_path, database):
    succeed("train", database, *LEARN, *SHORT, "-o", tmp_path / "m.ks")
    found = succeed("predict", tmp_path / "m.ks", f"sqlite:///{database}", "--query", "SELECT a, b FROM rows LIMIT 5")
    assert len(found.splitlines()) == 6
    result = kernelstream("predict", tmp_path / "m.ks", database, "--query", "DROP TABLE rows")
    assert result.exit_code == 1
    assert result.stderr.startswith("kernelstream: --query must be a single SELECT statement, or the name of a table")


def test_a_model_file_opens_no_url(tmp_path):
    fsspec = pytest.importorskip("fsspec")
    data = write(board(ROWS, words=False), tmp_path / "a.csv").read_bytes()
    fsspec.filesystem("memory").pipe("/a.csv", data)
    model = tmp_path / "m.ks"
    succeed("train", "memory://a.csv", *LEARN, *SHORT, "-o", model)
    result = kernelstream("train", "--resume", model, "--limit", ROWS)
    assert result.exit_code == 1
    assert "The run to resume read memory://a.csv. A model file alone does not make kernelstream open" in result.stderr
    with pytest.raises(ValueError, match=r"The run to resume read memory://a\.csv"):
        from kernelstream.pipeline import Training

        Training.resume(StreamPipeline.load(model))
    found = told("train", "memory://a.csv", "--resume", model, "--limit", ROWS, "-q")
    assert found["examples_this_run"] == ROWS - LIMIT


def test_outputs_do_not_replace_an_archive_that_is_read(tmp_path):
    path = write_any(board(300), tmp_path / "data.zip")
    for name in (path, f"{path}::in/data.csv", f"{path}::*.csv"):
        result = kernelstream("train", name, *LEARN, "--force", "-o", path)
        assert result.exit_code == 2 and "is the same file as the input" in result.stderr
    assert expand_names([str(path)]) == [f"{path}::in/data.csv"]


def test_a_model_of_nested_objects_predicts_nested_and_flat_ones(tmp_path):
    rows = board(400).to_dict("records")
    nested = [{"in": {"a": row["a"], "at": {"b": row["b"]}}, "y": row["y"]} for row in rows]
    flat = [{"in.a": row["a"], "in.at.b": row["b"]} for row in rows]
    (tmp_path / "a.json").write_text(json.dumps(nested))
    (tmp_path / "b.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in flat))
    (tmp_path / "c.csv").write_text("in.at.b,in.a\n" + "".join(f"{r['b']!r},{r['a']!r}\n" for r in rows))
    succeed("train", tmp_path / "a.json", *LEARN, "-q", "-o", tmp_path / "m.ks")
    found = {name: succeed("predict", tmp_path / "m.ks", tmp_path / name) for name in ("a.json", "b.jsonl", "c.csv")}
    assert len(set(found.values())) == 1 and len(found["a.json"].splitlines()) == 401


def test_sources_that_are_not_there(tmp_path):
    path = write_any(board(30), tmp_path / "data.zip")
    for name, says in {
        f"{tmp_path}/no.zip::a.csv": "no.zip' not found.",
        f"{path}::no.csv": "data.zip has no file 'no.csv'. Its files: 'README', 'in/data.csv'.",
        f"sqlite:///{tmp_path}/no.db": "no.db' not found.",
        "memory://no.csv": "memory://no.csv not found.",
    }.items():
        result = kernelstream("train", name, "-o", tmp_path / "m.ks")
        assert result.exit_code == 1 and result.stderr.endswith(f"{says}\n"), result.stderr
    assert not Path(tmp_path / "m.ks").exists()
