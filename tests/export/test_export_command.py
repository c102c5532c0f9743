"""`kernelstream export`: files that take the raw rows of the command line, sizes, and refusals."""

import csv
import io
import sys

import numpy as np
import onnxruntime
import pytest

from kernelstream import save
from kernelstream.cli.export import opened
from tests.cli.data import board, kernelstream, succeed, told, write
from tests.estimators.data import classifier, two_classes

from .program import GCC, run_header

LEARN = ["--gamma", "4", "--budget", "40", "--missing", "mean"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Large numbers, some missing, categories, a model of them, and the command line's predictions for new rows."""
    folder = tmp_path_factory.mktemp("export")
    for name, seed in (("train", 0), ("new", 1)):
        frame = board(2000, seed)
        frame["a"] = (1000.0 + 50.0 * frame["a"]).astype(np.float32)
        frame["b"] = frame["b"].astype(np.float32)
        frame.loc[::9, "b"] = np.nan
        write(frame, folder / f"{name}.csv")
    succeed("train", folder / "train.csv", *LEARN, "-o", folder / "m.ks", "-q")
    return folder


@pytest.fixture(scope="module")
def rows(folder):
    """Numbers, categories, labels and probabilities of the new rows."""
    with open(folder / "new.csv", newline="") as file:
        table = list(csv.DictReader(file))
    numbers = np.array([[float(row[name] or "nan") for name in "ab"] for row in table], np.float32)
    categories = np.array([[row["colour"]] for row in table], object)
    categories[0] = "never seen"
    text = succeed("predict", folder / "m.ks", folder / "new.csv", "--proba")
    said = list(csv.DictReader(io.StringIO(text)))
    labels = np.array([row["prediction"] for row in said])
    classes = ("black", "white")
    return numbers, categories, labels, np.array([[float(row[f"probability_{c}"]) for c in classes] for row in said])


def test_onnx_takes_raw_rows(folder, rows):
    found = told("export", folder / "m.ks", "--onnx", folder / "m.onnx")
    assert found["inputs"] == ["X", "categories"] and found["outputs"] == ["label", "probabilities"]
    assert (folder / "m.onnx").stat().st_size == found["onnx_bytes"]
    numbers, categories, labels, probabilities = rows
    session = onnxruntime.InferenceSession(folder / "m.onnx", providers=["CPUExecutionProvider"])
    label, p = session.run(None, {"X": numbers, "categories": categories})
    assert session.get_modelmeta().custom_metadata_map["columns"] == '["a", "b"]'
    np.testing.assert_allclose(p[1:], probabilities[1:], atol=1e-4)
    assert np.mean(label[1:] == labels[1:]) > 0.999
    # a word that was never seen counts for nothing, as does none at all
    none = session.run(None, {"X": numbers[:1], "categories": np.array([[""]], object)})
    np.testing.assert_array_equal(none[1], p[:1])


@pytest.mark.skipif(GCC is None, reason="gcc is not installed")
def test_c_takes_raw_rows(folder, rows, tmp_path):
    said = succeed("export", folder / "m.ks", "--c", folder / "m.h", "--max-size", "4 KiB")
    text = (folder / "m.h").read_text()
    size = next(line for line in text.split("\n") if "bytes of constants" in line).split()[4]
    assert said.startswith(f"C header: {int(size):,} bytes of float32 tables, ")
    assert said.endswith(f"Written: {folder / 'm.h'}.\n")
    numbers, categories, labels, probabilities = rows
    known = opened(folder / "m.ks").intake.preparation.categories.known[0]
    assert f" * x[{2 + known['red']}]: 1 if colour = red, else 0" in text
    ones = np.array([[category == value for value in known] for category in categories[:, 0]], np.float32)
    found = run_header(text, np.hstack([numbers, ones]), 1, 2, tmp_path)
    np.testing.assert_allclose(found.probabilities[1:], probabilities[1:], atol=1e-4)
    assert np.mean(np.array(["black", "white"])[found.chosen][1:] == labels[1:]) > 0.999


def test_int8_is_smaller_and_says_what_it_costs(folder):
    large, small = (told("export", folder / "m.ks", "--c", folder / "n.h", *more) for more in ([], ["--int8"]))
    assert small["table_bytes"] < 0.5 * large["table_bytes"]
    assert large["changed"] is None and 0.0 <= small["changed"] < 0.05
    said = succeed("export", folder / "m.ks", "--c", folder / "n.h", "--int8").split("\n")
    assert said[1] == f"int8 changes the label of {100 * small['changed']:.1f} % of points between support vectors"


WRONG = {
    ("{m}",): (2, "Nothing to write: use --onnx FILE, --c FILE, or both."),
    ("{m}", "--onnx", "x.onnx", "--int8"): (2, "--int8, --max-size and --name need --c FILE."),
    ("{m}", "--c", "x.h", "--max-size", "much"): (2, "--max-size is 'much'; use a size such as 64KB (64,000 bytes)"),
    ("{m}", "--c", "x.h", "--name", "a b"): (2, "--name is 'a b'; a name in C has letters, digits and _"),
    ("{m}", "--c", "no/x.h"): (2, "x.h cannot be written: the folder"),
    ("{m}", "--c", "x.h", "--max-size", "100"): (1, "and --max-size allows 100; nothing was written. Use --int8, or"),
    ("{m}", "--c", "x.h", "--int8", "--max-size", "100"): (1, "nothing was written. Train with a smaller --budget."),
    ("{new}", "--c", "x.h"): (1, "new.csv is not a kernelstream model file"),
}


@pytest.mark.parametrize("command", WRONG)
def test_refusals_are_sentences(command, folder, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    status, sentence = WRONG[command]
    result = kernelstream("export", *(part.format(m=folder / "m.ks", new=folder / "new.csv") for part in command))
    assert (result.exit_code, sentence in result.stderr) == (status, True), result.output
    assert list(tmp_path.iterdir()) == []


def test_files_of_python_and_names_of_headers(tmp_path):
    X, y = two_classes(600)
    save(classifier().fit(X, y), tmp_path / "plain.ks")
    succeed("export", tmp_path / "plain.ks", "--c", tmp_path / "3-plain.h", "--onnx", tmp_path / "plain.onnx")
    assert "static inline int model_3_plain_predict(const float *x)" in (tmp_path / "3-plain.h").read_text()
    assert (tmp_path / "plain.onnx").stat().st_size > 0


def test_shared_features_are_refused(folder, tmp_path):
    succeed("train", folder / "train.csv", *LEARN, "--hash", "8", "-o", tmp_path / "h.ks", "-q")
    result = kernelstream("export", tmp_path / "h.ks", "--onnx", tmp_path / "h.onnx")
    assert result.exit_code == 1
    assert "The model hashes categorical values (--hash)" in result.stderr
    assert not (tmp_path / "h.onnx").exists()


def test_without_onnx_the_way_to_it_is_named(folder, tmp_path, monkeypatch):
    for name in [name for name in sys.modules if name.startswith("kernelstream.export.onnx")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "onnx", None)
    result = kernelstream("export", folder / "m.ks", "--c", tmp_path / "m.h", "--onnx", tmp_path / "m.onnx")
    assert result.exit_code == 3
    assert "kernelstream.export.onnx needs onnx: pip install 'kernelstream[onnx]'" in result.stderr
    assert list(tmp_path.iterdir()) == []
