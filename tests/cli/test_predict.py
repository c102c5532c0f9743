"""`predict`: columns that are kept, intervals, unseen categories, and rows one by one from a pipe."""

import csv
import io
import json
import os
import select
import subprocess
import sys
import time

import numpy as np
import pandas as pd
import pytest

import kernelstream as package

from .data import LEARN, board, kernelstream, succeed, told, write


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("keep")
    succeed("train", write(board(), folder / "board.csv"), *LEARN, "-o", folder / "board.ks")
    return folder


def _numbered(rows=50):
    """Rows with an id and text that must be copied as they are."""
    frame = board(rows, seed=1)
    frame.insert(0, "id", [f"{i:05}" for i in range(rows)])
    frame["note"] = [" a", 'say "so"', "x,y", "two\nlines", ""] * (rows // 5)
    return frame.assign(size=[0.1 + i for i in range(rows)])


@pytest.mark.parametrize("name", ["t.csv", "t.jsonl", "t.parquet"])
@pytest.mark.parametrize("form", ["csv", "jsonl"])
def test_columns_are_kept_as_they_are(folder, tmp_path, name, form):
    frame = _numbered()
    path = write(frame, tmp_path / name)
    expected = package.load(folder / "board.ks").predict(frame).tolist()
    out = succeed("predict", folder / "board.ks", path, "--keep", "id,a,note,size,y", "--to", form)
    rows = list(csv.DictReader(io.StringIO(out, newline="")))
    if form == "jsonl":
        rows = [json.loads(line) for line in out.split("\n")[:-1]]
    assert list(rows[0]) == ["id", "a", "note", "size", "y", "prediction"]
    assert [row["prediction"] for row in rows] == expected
    for column in ("id", "note", "y"):
        assert [row[column] for row in rows] == frame[column].tolist(), column
    for column in ("a", "size"):
        assert [float(row[column]) for row in rows] == frame[column].tolist()
    if form == "jsonl":  # what was a number is one
        assert isinstance(rows[0]["size"], str if name == "t.csv" else float)


def test_the_text_of_numbers_is_kept(folder, tmp_path):
    (tmp_path / "t.csv").write_text("b,id,a,colour\n1.50,007, 0.5,red\n2,1e3,1,blue\n")
    out = succeed("predict", folder / "board.ks", tmp_path / "t.csv", "--keep", "id,a,2").splitlines()
    assert [line.rpartition(",")[0] for line in out] == ["id,a,2", "007, 0.5,007", "1e3,1,1e3"]
    rows = [
        '{"b": 1.50, "id": 1e3, "a": 2, "colour": "red", "at": {"x": [1.0, "é"]}}',
        '{"b": 2, "a": 1, "colour": "red", "c": {"d": true}}',
    ]
    keep = ["--keep", "id,b,at,at.x,c.d", "--to", "jsonl"]
    out = succeed("predict", folder / "board.ks", "-", *keep, input="\n".join(rows)).splitlines()
    assert out[0].startswith(
        '{"id": 1e3, "b": 1.50, "at": {"x": [1.0, "\\u00e9"]}, "at.x": [1.0, "\\u00e9"], "c.d": null'
    )
    assert out[1].startswith('{"id": null, "b": 2, "at": null, "at.x": null, "c.d": true, "prediction"')


def test_columns_of_a_matrix_are_kept(tmp_path):
    frame = board(words=False)
    succeed("train", write(frame, tmp_path / "a.npz"), *LEARN, "-o", tmp_path / "m.ks")
    out = succeed("predict", tmp_path / "m.ks", tmp_path / "a.npz", "--keep", "2,y").splitlines()[1:]
    assert [float(line.split(",")[0]) for line in out] == frame["b"].tolist()
    assert [line.split(",")[1] for line in out] == frame["y"].tolist()
    np.savez_compressed(tmp_path / "z.npz", X=np.ascontiguousarray(frame[["a", "b"]]))
    packed = succeed("predict", tmp_path / "m.ks", tmp_path / "z.npz", "--keep", "2").splitlines()[1:]
    assert [float(line.split(",")[0]) for line in packed] == frame["b"].tolist()
    succeed("train", write(frame, tmp_path / "a.svm"), *LEARN, "-o", tmp_path / "s.ks")
    result = kernelstream("predict", tmp_path / "s.ks", tmp_path / "a.svm", "--keep", "1")
    assert result.exit_code == 1 and "--keep needs columns with names or positions" in result.stderr


def test_kept_columns_beside_skipped_lines_and_several_files(folder, tmp_path):
    text = write(_numbered(10).drop(columns="note"), tmp_path / "a.csv").read_text().splitlines()
    text[3] = text[3].replace(",", ",x", 1)
    (tmp_path / "a.csv").write_text("\n".join(text))
    write(_numbered(5), tmp_path / "b.csv")
    result = kernelstream(
        "predict", folder / "board.ks", tmp_path / "a.csv", tmp_path / "b.csv", "--keep", "id", "--skip-bad"
    )
    found = pd.read_csv(io.StringIO(result.stdout), dtype=str)
    assert list(found.columns) == ["file", "line", "id", "prediction"]
    assert found["id"].tolist() == [f"{i:05}" for i in (0, 1, 3, 4, 5, 6, 7, 8, 9, 0, 1, 2, 3, 4)]
    assert "Skipped 1 bad lines" in result.stderr


WRONG = {
    "idd": (1, "has no column 'idd'. Columns: 'id', 'a', "),
    "id,id": (2, "--keep names 'id' twice."),
    "prediction": (2, "--keep prediction: the output has a column of that name already. Rename it in the data."),
}


@pytest.mark.parametrize(("keep", "says"), WRONG.items())
@pytest.mark.parametrize("suffix", [".csv", ".jsonl", ".parquet"])
def test_what_cannot_be_kept(folder, tmp_path, keep, says, suffix):
    path = write(_numbered(), tmp_path / f"t{suffix}")
    result = kernelstream("predict", folder / "board.ks", path, "--keep", keep)
    assert result.exit_code == says[0] and says[1] in result.stderr and result.stdout == ""


def test_intervals(folder, tmp_path):
    frame = board(600, words=False).assign(y=lambda rows: rows["a"] * 2)
    path = write(frame, tmp_path / "r.csv")
    succeed("train", path, "--task", "regression", *LEARN, "-o", tmp_path / "r.ks")
    lines = succeed("predict", tmp_path / "r.ks", path, "--interval", "0.8", "--keep", "a").splitlines()
    assert lines[0] == "a,prediction,lower,upper"
    found = np.array([[float(cell) for cell in line.split(",")] for line in lines[1:]])
    np.testing.assert_array_equal(found[:, 2:], package.load(tmp_path / "r.ks").predict_interval(frame, 0.8))
    for model, option, status, says in (
        (
            folder / "board.ks",
            ["--interval", "0.9"],
            1,
            "Intervals are for regression, and this model",
        ),
        (tmp_path / "r.ks", ["--interval", "90"], 2, "--interval is 90; it must be between 0 and 1, e.g. 0.9."),
        (tmp_path / "r.ks", ["--interval", "0.9", "--scores"], 2, "Use only one of --proba, --scores and --interval."),
        (tmp_path / "r.ks", ["--proba"], 1, "it has no probabilities and no scores. Use --interval 0.9."),
    ):
        result = kernelstream("predict", model, path, *option)
        assert result.exit_code == status and says in result.stderr


def test_unseen_categories_are_counted(folder, tmp_path):
    frame = board(100, seed=1)
    frame.loc[[3, 50, 99], "colour"] = ["mauve", "puce", "mauve"]
    path = write(frame, tmp_path / "t.csv")
    result = kernelstream("predict", folder / "board.ks", path)
    assert "column 'colour': 3 rows have categories that the model has not seen, e.g. 'mauve'." in result.stderr
    assert len(result.stdout.splitlines()) == 101
    assert told("evaluate", folder / "board.ks", path)["unseen"] == {"colour": {"rows": 3, "example": "mauve"}}
    assert "3 rows have categories" in kernelstream("evaluate", folder / "board.ks", path).stderr
    assert "not seen" not in kernelstream("predict", folder / "board.ks", folder / "board.csv").stderr


@pytest.mark.parametrize("kind", ["csv", "jsonl"])
def test_a_row_of_a_pipe_is_predicted_at_once(folder, kind):
    frame = _numbered(5)
    lines = [f"{row.a},{row.colour},{row.b},{row.id}\n" for row in frame.itertuples()]
    if kind == "jsonl":
        lines = [json.dumps(row) + "\n" for row in frame[["id", "a", "b", "colour"]].to_dict("records")]
    expected = package.load(folder / "board.ks").predict(frame).tolist()
    command = [sys.executable, "-m", "kernelstream", "predict", folder / "board.ks", "-", "--keep", "id", "--to", kind]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "bufsize": 0}
    with subprocess.Popen([str(word) for word in command], env=os.environ, **pipes) as process:
        if kind == "csv":
            process.stdin.write(b"a,colour,b,id\n")
        for i, line in enumerate(lines):
            process.stdin.write(line.encode())
            if kind == "csv" and i == 0:
                assert _line(process.stdout) == "id,prediction\n"
            found = _line(process.stdout)
            row = found.strip().split(",") if kind == "csv" else list(json.loads(found).values())
            assert row == [frame["id"][i], expected[i]]
            time.sleep(0.05)
        process.stdin.close()
        assert process.wait(60) == 0


def _line(stream):
    """The next line, while the pipe stays open."""
    found = b""
    while not found.endswith(b"\n"):
        assert select.select([stream], [], [], 60)[0], "no output while the pipe is open"
        found += stream.read(1)
    return found.decode()
