"""The recipe for Spark in docs/distributed.md, run as it stands there."""

import re
import shutil
import sys
import warnings
from pathlib import Path

import numpy as np
import pytest

from tests.distributed import X_TEST, Y_TEST, X, Y, classifier

pytestmark = pytest.mark.slow
DOCS = Path(__file__).parents[2] / "docs" / "distributed.md"


def test_the_recipe_in_the_documentation(monkeypatch):
    pyspark = pytest.importorskip("pyspark", reason="needs pyspark")
    pandas = pytest.importorskip("pandas")
    if shutil.which("java") is None:
        pytest.skip("needs java, which Spark runs on")
    blocks = re.findall(r"```python\n(.*?)```", DOCS.read_text(), re.DOTALL)
    (code,) = [block for block in blocks if "mapInPandas" in block]
    names: dict = {"__name__": "__main__"}  # so that functions are sent by value, as those of a script are
    monkeypatch.setenv("PYSPARK_PYTHON", sys.executable)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Spark's own
        exec(code, names)
        spark = pyspark.sql.SparkSession.builder.master("local[2]").config("spark.ui.enabled", False).getOrCreate()
        try:
            table = pandas.DataFrame({"a": X[:, 0], "b": X[:, 1], "y": Y.astype(np.int64)})
            data = spark.createDataFrame(table).repartition(3)
            model = names["fit"](data, classifier(), ["a", "b"], "y", [-1, 1])
        finally:
            spark.stop()
    assert model.record_.examples == 2 * len(X)
    assert model.score(X_TEST, Y_TEST) > 0.9
