"""Skewed columns in exported models: they are compressed as the command line does."""

import numpy as np
import pandas as pd
import pytest

from kernelstream.export.deployed_scores import deployed_scores
from kernelstream.pipeline import StreamPipeline
from kernelstream.pipeline.prediction import open_rows

from ..cli.data import succeed, told
from .program import GCC, run_header

onnxruntime = pytest.importorskip("onnxruntime")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("skewed")
    for name, seed in (("train", 0), ("new", 1)):
        rng = np.random.default_rng(seed)
        frame = pd.DataFrame({"x": rng.normal(size=2000), "income": np.exp(rng.normal(8, 1.5, 2000))}).astype(
            np.float32
        )
        frame["y"] = np.where(np.sin(2 * np.log(frame["income"])) + 0.3 * frame["x"] > 0, "a", "b")
        frame.loc[::50, "income"] = np.nan
        frame.to_csv(folder / f"{name}.csv", index=False)
    succeed("train", folder / "train.csv", "--budget", "60", "-q", "-o", folder / "m.ks")
    return folder


def test_the_command_line_compresses(folder):
    trained = StreamPipeline.load(folder / "m.ks")
    assert list(trained.intake.preparation.derived.skewed) == ["income"]
    columns = {c["name"]: c["done"] for c in told("describe", folder / "train.csv")["columns"]}
    assert columns == {"x": "numeric, scaled", "income": "numeric, skewed: compressed"}
    plain = told("train", folder / "train.csv", "--budget", "60", "-q", "-o", folder / "n.ks", "--numeric", "income")
    assert not StreamPipeline.load(folder / "n.ks").intake.preparation.derived.skewed
    assert trained.curve.score > plain["score"]


@pytest.mark.filterwarnings("ignore:The stream was learned by a mixture")
@pytest.mark.skipif(GCC is None, reason="gcc is not installed")
def test_exports_compress_too(folder, tmp_path):
    """The header's scores of raw rows are those of the same tables for rows that the command line has prepared."""
    told("export", folder / "m.ks", "--onnx", tmp_path / "m.onnx", "--c", tmp_path / "m.h")
    numbers = pd.read_csv(folder / "new.csv")[["x", "income"]].to_numpy(np.float32)
    trained = StreamPipeline.load(folder / "m.ks")
    rows = open_rows(trained, [str(folder / "new.csv")], {}, target=False, skip_bad=False)
    _, X = trained.intake.features(rows.take(2000), rows.refuse)
    rows.close()
    expected = deployed_scores(trained.estimator, "float32", X)
    marked = np.column_stack([numbers, np.isnan(numbers[:, 1])])
    found = run_header((tmp_path / "m.h").read_text(), marked, expected.shape[1], 2, tmp_path)
    np.testing.assert_allclose(found.scores, expected, atol=2e-3 * np.abs(expected).max())  # float32
    session = onnxruntime.InferenceSession(tmp_path / "m.onnx", providers=["CPUExecutionProvider"])
    label = session.run(["label"], {"X": numbers})[0]
    assert np.mean(label == np.array(["a", "b"])[found.chosen]) > 0.995
