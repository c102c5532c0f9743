"""Raw rows in memory, in any form: the predictions are those of the command line for a file of the same rows."""

import json
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from scipy.sparse import csr_matrix

import kernelstream
from kernelstream import KernelClassifier, StreamPipeline
from kernelstream.pipeline import raw_tables, raw_text
from kernelstream.readers import RowPart, Schema, TextRows
from tests.cli.data import LEARN, board, succeed, told, write

FILLED = [*LEARN, "--missing", "mean"]


def dirty(rows=1500, seed=0):
    """Numbers and categories with missing values, numbers that are categories, booleans, and columns of no use."""
    rng = np.random.default_rng(seed)
    frame = board(rows, seed)
    frame["colour"] = frame["colour"].where(rng.random(rows) > 0.05)
    frame["a"] = frame["a"].where(rng.random(rows) > 0.03)
    frame["code"] = rng.choice([1.0, 2.0, 30.0, np.nan], rows)  # integers, but some are missing
    frame["flag"] = rng.random(rows) > 0.5
    return frame.assign(count=rng.integers(0, 1000, rows), note='a, "quoted"\nnote')


def forms(frame):
    """The same rows in every form."""
    shuffled = frame[frame.columns[::-1]]
    records = [{k: v for k, v in row.items() if v == v} for row in frame.to_dict("records")]
    return {
        "frame": frame,
        "columns in another order": shuffled,
        "without the target": frame.drop(columns="y"),
        "objects": frame.astype(object),
        "categories": frame.astype({"colour": "category"}),
        "arrow": pa.Table.from_pandas(frame),
        "batch": pa.RecordBatch.from_pandas(frame),
        "records": frame.to_dict("records"),
        "absent keys": records,
        "iterator": iter(records),
        "columns": frame.to_dict("list"),
        "arrays": {name: frame[name].to_numpy() for name in frame},
        "text": frame.astype(str).where(frame.notna(), "").to_dict("records"),
        "stream": _Stream(pa.Table.from_pandas(frame)),
    }


class _Stream:
    """A data frame of another library, such as polars, by the protocol that they share."""

    def __init__(self, table):
        self.table = table

    def __arrow_c_stream__(self, requested_schema=None):
        return self.table.__arrow_c_stream__(requested_schema)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Models of the same rows as CSV and as JSON lines, and new rows."""
    folder = tmp_path_factory.mktemp("raw")
    for kind in ("csv", "jsonl"):
        write(dirty() if kind == "csv" else _plain(dirty()), folder / f"train.{kind}")
        succeed("train", folder / f"train.{kind}", *FILLED, "--ignore", "note", "--categorical", "code",
                "-o", folder / f"{kind}.ks")  # fmt: skip
    return folder


def _plain(frame):
    """With null in place of NaN, as JSON has it."""
    return frame.astype(object).where(frame.notna(), None)


def predicted(folder, kind, frame):
    """By the command: labels and probabilities."""
    path = write(_plain(frame) if kind == "jsonl" else frame, folder / f"new.{kind}")
    out = succeed("predict", folder / f"{kind}.ks", path, "--to", "jsonl", "--proba")
    lines = [json.loads(line) for line in out.splitlines()]
    return [line["prediction"] for line in lines], np.array(
        [[v for k, v in line.items() if "_" in k] for line in lines]
    )


@pytest.mark.parametrize("kind", ["csv", "jsonl"])
def test_predictions_are_those_of_the_command(folder, kind):
    frame = dirty(700, seed=1)
    labels, probabilities = predicted(folder, kind, frame)
    assert len(set(labels)) == 2
    model = kernelstream.load(folder / f"{kind}.ks")
    for name, rows in forms(frame).items():
        if name == "text" and kind == "jsonl":
            continue  # in JSON, a column of true and false is numeric, and "True" is text
        rows = list(rows) if name == "iterator" else rows
        assert model.predict(rows).tolist() == labels, name
        np.testing.assert_array_equal(model.predict_proba(rows), probabilities, err_msg=name)
    one = [model.predict(row.to_dict())[0] for _, row in frame.head(20).iterrows()]
    assert one == labels[:20] and model.predict(frame.iloc[3]).tolist() == labels[3:4]


def test_without_pyarrow_they_are_the_same(folder, monkeypatch):
    frame = dirty(300, seed=2)
    model = kernelstream.load(folder / "csv.ks")
    expected = model.predict_proba(frame)
    for module in (raw_tables, raw_text):
        monkeypatch.setattr(module, "import_pyarrow", lambda name: None)
    np.testing.assert_array_equal(model.predict_proba(frame), expected)
    with pytest.raises(ImportError, match=r"a Table is read with pyarrow: pip install"):
        model.predict(pa.Table.from_pandas(frame))


def test_rows_are_read_in_parts(folder, monkeypatch):
    frame = dirty(500, seed=3)
    model = kernelstream.load(folder / "csv.ks")
    expected = model.predict(frame)
    monkeypatch.setattr(raw_text, "_CELLS", 700)  # a hundred rows of seven columns
    assert model.predict(frame).tolist() == expected.tolist()
    frame = frame.astype({"b": object})
    frame.loc[450, "b"] = "many"
    with pytest.raises(ValueError, match=r"^row 450, column 'b': 'many' is not a number, and the column is numeric"):
        model.predict(frame)


def test_the_matrix_is_apart(folder):
    frame = dirty(50, seed=1)
    model = kernelstream.load(folder / "csv.ks")
    X = model.prepare(frame)
    assert X.shape == (50, len(model.feature_names)) and set(model.feature_names) >= {"a", "b", "colour", "code"}
    assert isinstance(model.estimator, KernelClassifier) and model.classes_.tolist() == ["black", "white"]
    np.testing.assert_array_equal(model.estimator.decision_function(X), model.decision_function(frame))
    assert set(model.columns) == {"a", "b", "colour", "code", "flag", "count"} and model.targets == ("y",)
    says = r"raw rows with the columns .*: pass a data frame, .* not a NumPy array of shape .* use `pipeline.estimator`"
    for method in (model.predict, model.predict_proba, model.learn, model.evaluate):
        with pytest.raises(ValueError, match=says):
            method(X)
    with pytest.raises(ValueError, match=r"not a list"):
        model.predict(X.tolist())
    with pytest.raises(ValueError, match=r"not a csr_matrix.* use `pipeline.estimator`"):
        model.predict(csr_matrix(X))


BAD = {
    "row 3, column 'b': 'abc' is not a number, and the column is numeric.": ("b", 3, "abc"),
    "row 7, column 'b': inf is too large for float32, or not finite.": ("b", 7, float("inf")),
    "row 2, column 'colour': a list is neither a number nor text.": ("colour", 2, ["red"]),
    "row 0, column 'count': a dict is neither a number nor text.": ("count", 0, {1: 2}),
}


@pytest.mark.parametrize(("says", "cell"), BAD.items())
def test_a_bad_cell_is_named(folder, says, cell):
    column, row, value = cell
    frame = dirty(10, seed=1).astype(object)
    frame.at[row, column] = value
    model = kernelstream.load(folder / "csv.ks")
    with pytest.raises(ValueError) as caught:
        model.predict(frame)
    assert str(caught.value).startswith(says)


def test_columns_that_are_absent_or_twice(folder):
    model, frame = kernelstream.load(folder / "csv.ks"), dirty(5)
    with pytest.raises(ValueError, match=r"The data has no column 'b', 'flag', which is required. Columns: 'a', "):
        model.predict(frame.drop(columns=["b", "flag"]))
    with pytest.raises(ValueError, match=r"The data has no column 'y', which is required"):
        model.learn(frame.drop(columns="y"))
    with pytest.raises(ValueError, match=r"The data has two columns named 'a'. Rename one."):
        model.predict(pd.concat([frame, frame[["a"]]], axis=1))
    with pytest.raises(ValueError, match=r"The columns differ in length: 'a' 2, 'b' 1."):
        model.predict({"a": [1, 2], "b": [1]})
    with pytest.raises(ValueError, match=r"There are 5 rows, but 2 targets."):
        model.learn(frame, ["black", "white"])


def test_no_rows(folder):
    model, frame = kernelstream.load(folder / "csv.ks"), dirty(5).head(0)
    assert model.predict(frame).shape == (0,) and model.predict_proba(frame).shape == (0, 2)
    assert model.prepare(frame).shape[0] == 0 and model.learn(frame).curve.now.examples == 1500


def test_learning_goes_on_as_that_of_the_command(folder, tmp_path):
    more = dirty(1300, seed=4).assign(colour="violet")
    path = write(more, tmp_path / "more.csv")
    succeed("train", "--resume", folder / "csv.ks", path, "--new-data", "--in-order", "-o", tmp_path / "theirs.ks")
    theirs = kernelstream.load(tmp_path / "theirs.ks")
    ours = kernelstream.load(folder / "csv.ks").learn(more)
    test = pd.concat([dirty(200, seed=5), more.tail(50)])
    np.testing.assert_array_equal(ours.decision_function(test), theirs.decision_function(test))
    assert ours.curve.as_dict() == theirs.curve.as_dict() and ours.curve.now.examples == 2800
    assert "violet" in ours.intake.preparation.categories.known[0] or "violet" in str(ours.intake.as_dict())
    apart = kernelstream.load(folder / "csv.ks").learn(more.drop(columns="y"), more["y"])
    np.testing.assert_array_equal(apart.decision_function(test), theirs.decision_function(test))


def test_nothing_is_learned_if_a_row_is_bad(folder):
    more = dirty(1300, seed=4).assign(colour="violet")
    more.loc[1200, "y"] = None
    model = kernelstream.load(folder / "csv.ks")
    before = model.intake.as_dict(), model.curve.now
    before_scores = model.decision_function(dirty(50))
    with pytest.raises(ValueError, match=r"^row 1,200, column 'y': the label is missing"):
        model.learn(more)
    assert (model.intake.as_dict(), model.curve.now) == before
    np.testing.assert_array_equal(model.decision_function(dirty(50)), before_scores)


def test_scores_of_rows_and_of_files(folder, tmp_path):
    frame = dirty(400, seed=6)
    path = write(frame, tmp_path / "test.csv")
    model, expected = kernelstream.load(folder / "csv.ks"), told("evaluate", folder / "csv.ks", path)
    for found in (model.evaluate(frame), model.evaluate(path), model.evaluate([str(path)]),
                  model.evaluate(frame.drop(columns="y"), frame["y"])):  # fmt: skip
        assert found.report()["accuracy"] == expected["accuracy"] and found.report()["rows"] == 400
    assert model.predict(path).tolist() == model.predict(frame).tolist()
    with pytest.raises(ValueError, match=r"^learn takes rows in memory, not the file .*test.csv"):
        model.learn(path)


def test_a_saved_pipeline_is_the_same(folder, tmp_path):
    model = kernelstream.load(folder / "csv.ks").learn(dirty(100, seed=7))
    model.save(tmp_path / "m.ks")
    again, frame = kernelstream.load(tmp_path / "m.ks"), dirty(100, seed=8)
    assert isinstance(again, StreamPipeline) and again.intake.as_dict() == model.intake.as_dict()
    np.testing.assert_array_equal(again.predict_proba(frame), model.predict_proba(frame))
    assert len(succeed("predict", tmp_path / "m.ks", folder / "train.csv").splitlines()) == 1501
    shown = repr(again)
    assert "predicts 'y' (2 classes) from columns 'a', 'b', " in shown and "1,600 rows learned" in shown
    assert shown[1:40].replace("'", "&#x27;") in again._repr_html_()


def test_load_returns_what_was_saved(folder, tmp_path):
    inner = kernelstream.load(folder / "csv.ks").estimator
    kernelstream.save(inner, tmp_path / "e.ks")
    assert isinstance(kernelstream.load(tmp_path / "e.ks"), KernelClassifier)
    assert isinstance(kernelstream.saving.load(tmp_path / "e.ks"), KernelClassifier)
    with pytest.raises(ValueError, match=r"csv.ks is the file of a pipeline, .* Use kernelstream.load: "):
        kernelstream.saving.load(folder / "csv.ks")
    with pytest.raises(ValueError, match=r"not StreamPipeline. Use its method save."):
        kernelstream.save(kernelstream.load(folder / "csv.ks"), tmp_path / "p.ks")
    with pytest.raises(ValueError, match=r"was not written by `kernelstream train`"):
        StreamPipeline.load(tmp_path / "e.ks")


def test_rows_without_names(tmp_path):
    """An array is raw rows where the data had no names: in CSV without a header, NumPy files and LIBSVM."""
    frame, new = board(words=False), board(60, seed=1, words=False)
    X, y = new[["a", "b"]].to_numpy(), new["y"].to_numpy()
    frame.to_csv(tmp_path / "a.csv", index=False, header=False)
    write(frame, tmp_path / "a.npz")
    write(frame, tmp_path / "a.svm")
    found = []
    for name in ("a.csv", "a.npz", "a.svm"):
        target = ["-t", "3"] if name == "a.csv" else []
        succeed("train", tmp_path / name, *LEARN, "-o", tmp_path / (name + ".ks"), *target)
        model = kernelstream.load(tmp_path / (name + ".ks"))
        found.append(model.decision_function(X))
        assert model.evaluate(X, y).report()["accuracy"] > 0.8
        assert model.learn(X, y).curve.now.examples == 2060
    np.testing.assert_array_equal(found[0], found[1])
    np.testing.assert_array_equal(found[0], found[2])
    np.testing.assert_array_equal(kernelstream.load(tmp_path / "a.svm.ks").decision_function(csr_matrix(X)), found[0])
    plain = kernelstream.load(tmp_path / "a.csv.ks")
    np.testing.assert_array_equal(plain.decision_function(new.to_numpy()), found[0])
    with pytest.raises(ValueError, match=r"shape \(60, 1\), but .* rows of 3 columns .*: pass .* \(rows, 2\)"):
        plain.predict(X[:, :1])
    with pytest.raises(ValueError, match=r"index:value pairs: pass an array or a sparse matrix, .* not a list"):
        kernelstream.load(tmp_path / "a.svm.ks").predict([{"a": 1}])


def test_threads_predict_while_another_learns(folder):
    """Each prediction is that of some state of the model, and no thread fails."""
    model, more = kernelstream.load(folder / "csv.ks"), dirty(1200, seed=9)
    more["colour"] = [f"colour {i // 20}" for i in range(1200)]  # categories that are new all the time
    frame = more[::30]
    with ThreadPoolExecutor(3) as pool:
        found = [pool.submit(model.predict_proba, frame) for _ in range(200)]
        for start in range(0, 1200, 30):
            model.learn(more[start : start + 30])
        assert all(np.isfinite(future.result()).all() for future in found)
    alone = kernelstream.load(folder / "csv.ks")
    for start in range(0, 1200, 30):
        alone.learn(more[start : start + 30])
    np.testing.assert_array_equal(model.predict_proba(frame), alone.predict_proba(frame))


def test_wide_rows_and_long_cells(tmp_path):
    """A header of more bytes than are inspected at first, and cells with quotes and line breaks."""
    names = [f"a long name of column {i:05}" for i in range(4000)]
    part = RowPart(
        (",".join(["row", *names, "t"]) + "\n" + ",".join(["0", *["1"] * 4000, '"two\nlines"']) + "\n").encode(), {}, 1
    )
    (block,) = TextRows([part], Schema(tuple(names), ("t",)).without_target()).blocks()
    assert block.numeric.shape == (1, 4000) and block.categorical[0].categories == ["two\nlines"]
    assert block.lines.tolist() == [1]
