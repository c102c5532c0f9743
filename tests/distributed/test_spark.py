"""The Spark backend, on two cores of this machine. Slow: Spark starts a Java machine and Python workers."""

import os
import shutil
import signal
import sys
import warnings
from pathlib import Path

import numpy as np
import pytest

from kernelstream import KernelClassifier, KernelRegressor
from kernelstream.distributed import InMemoryPartition, SparkBackend, fit_spark, predict_spark, train
from kernelstream.distributed.spark_columns import Columns
from tests.distributed import X_TEST, Y_TEST, SequentialBackend, X, Y, classifier, plain

pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore:PySpark does not yet fully support pandas:FutureWarning"),  # pyspark's own
    pytest.mark.filterwarnings("ignore:The copy keyword is deprecated"),  # toPandas of pyspark 4 with pandas 3
    pytest.mark.filterwarnings("ignore:unclosed:ResourceWarning"),  # its sockets to the Java process
]
ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def spark():
    sql = pytest.importorskip("pyspark.sql", reason='needs Spark: pip install "kernelstream[spark]"')
    if shutil.which("java") is None and "JAVA_HOME" not in os.environ:
        pytest.skip("needs Java 17 or newer, which Spark runs on")
    with pytest.MonkeyPatch.context() as patch, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # as above, while Spark starts and stops
        patch.setenv("PYSPARK_PYTHON", sys.executable)
        patch.setenv("PYTHONPATH", os.pathsep.join([str(ROOT), *filter(None, sys.path)]))
        builder = sql.SparkSession.builder.master("local[2, 4]").config("spark.ui.enabled", False)  # 4 attempts
        session = builder.config("spark.driver.bindAddress", "127.0.0.1").config("spark.driver.host", "127.0.0.1")
        session = session.getOrCreate()
        session.sparkContext.setLogLevel("OFF")
        yield session
        session.stop()


@pytest.fixture(scope="module")
def table(spark):
    """Labels as words, 4 partitions."""
    import pandas

    rows = pandas.DataFrame({"a": X[:, 0], "b": X[:, 1], "y": np.where(Y > 0, "white", "black"), "unused": 1})
    return spark.createDataFrame(rows).repartition(4).persist()


def collected(table, names=("a", "b")):
    """What Spark has in its partitions, for another backend."""
    from pyspark.sql.functions import spark_partition_id

    rows = table.withColumn("partition", spark_partition_id()).toPandas()
    return [InMemoryPartition(part[list(names)], part["y"]) for _, part in rows.groupby("partition")]


def test_the_model_is_that_of_the_sequential_backend(table, tmp_path):
    given = {"features": ["a", "b"], "target": "y", "fan_in": 2, "checkpoint": tmp_path}
    fit_spark(classifier(), table, **given)
    found = fit_spark(classifier(), table, **given)  # from the checkpoint
    parts = collected(table)
    assert len(parts) == 4
    expected = train(classifier(), SequentialBackend(parts), rounds=2).estimator
    np.testing.assert_array_equal(found.decision_function(parts[0].X), expected.decision_function(parts[0].X))
    assert found.feature_names_in_.tolist() == ["a", "b"] and found.classes_.tolist() == ["black", "white"]


def test_accuracy_is_that_of_one_machine(table):
    import pandas

    chosen = KernelClassifier(gamma=4.0, budget=100, random_state=0)
    test, labels = pandas.DataFrame(X_TEST, columns=["a", "b"]), np.where(Y_TEST > 0, "white", "black")
    one = chosen.fit(pandas.DataFrame(X, columns=["a", "b"]), np.where(Y > 0, "white", "black")).score(test, labels)
    assert fit_spark(chosen, table, features=["a", "b"], target="y").score(test, labels) >= one - 0.005


def test_vectors_and_predictions(spark, table):
    from pyspark.ml.feature import VectorAssembler

    table = VectorAssembler(inputCols=["a", "b"], outputCol="x").transform(table)
    found = fit_spark(classifier(), table, features="x", target="y", rounds=1)
    named = fit_spark(classifier(), table, features=["a", "b"], target="y", rounds=1)
    np.testing.assert_array_equal(found.decision_function(X), named.decision_function(named_rows(X)))
    shown = predict_spark(found, table, features="x")
    shown = predict_spark(named, shown, features=["a", "b"], method="predict_proba", output="p").toPandas()
    rows = shown[["a", "b"]].to_numpy()
    assert shown["prediction"].tolist() == found.predict(rows).tolist()
    np.testing.assert_array_equal(np.stack(shown["p"]), found.predict_proba(rows))


def named_rows(rows):
    import pandas

    return pandas.DataFrame(rows, columns=["a", "b"])


def doubled(partition, index, factor):
    if index == 3 and factor == 3:
        raise ValueError("three times three")
    return factor * partition.X["a"].to_numpy()


def added(kept, index):
    return [index], float(kept.sum())


def in_order(results):
    return [index for indices, _ in results for index in indices], sum(total for _, total in results)


def test_results_are_kept_as_partitions(table):
    columns = Columns.of(table, ["a", "b"], "y")
    backend = SparkBackend(table.select(columns.expressions(table)), columns, 2)
    kept = backend.keep(1, doubled, 2)
    indices, total = kept.map_reduce(added, in_order)
    assert kept.n_partitions == 4 and indices == [0, 1, 2, 3]
    assert total == pytest.approx(2.0 * X[:, 0].sum())
    with pytest.raises(ValueError, match=r"^three times three$"):
        backend.keep(1, doubled, 3)
    assert backend.keep(1 << 40, doubled, 2) is None
    frames = list(backend.kept)
    backend.close()
    assert frames and not any(frame.storageLevel.useMemory for frame in frames)


class KillOnce:
    """A task or join whose worker dies the first time."""

    def __init__(self, call, flag):
        self.call, self.flag = call, flag

    def __call__(self, *arguments):
        try:
            os.close(os.open(self.flag, os.O_CREAT | os.O_EXCL))
        except FileExistsError:
            return self.call(*arguments)
        os.kill(os.getpid(), signal.SIGKILL)


class Killing(SparkBackend):
    folder = ""

    def map_reduce(self, task, join, *arguments):
        task, join = KillOnce(task, f"{self.folder}/{task.__name__}"), KillOnce(join, f"{self.folder}/{join.__name__}")
        return super().map_reduce(task, join, *arguments)

    def keep(self, nbytes, task, *arguments):
        kept = super().keep(nbytes, KillOnce(task, f"{self.folder}/{task.__name__}"), *arguments)
        killing = Killing(kept.frame, kept.reader, kept.fan_in)
        killing.folder = self.folder
        return killing


def test_a_killed_worker_changes_nothing(table, tmp_path):
    columns = Columns.of(table, ["a", "b"], "y")
    frame = table.select(columns.expressions(table))
    expected = train(classifier(), SparkBackend(frame, columns, 2))
    backend = Killing(frame, columns, 2)
    backend.folder = tmp_path
    found = train(classifier(), backend)
    killed = {path.name for path in tmp_path.iterdir()}
    assert killed == {"survey", "join_surveys", "prepare", "kept_sums", "add_refit_sums"}
    rows = named_rows(X)
    np.testing.assert_array_equal(found.estimator.decision_function(rows), expected.estimator.decision_function(rows))


def test_rounds_without_a_refit(table):
    found = fit_spark(plain(), table, features=["a", "b"], target="y", fan_in=2)
    expected = train(plain(), SequentialBackend(collected(table)), rounds=2).estimator
    np.testing.assert_array_equal(found.decision_function(named_rows(X)), expected.decision_function(named_rows(X)))


def test_regression_with_empty_partitions(spark):
    import pandas

    target = 5.0 + 2.0 * np.sin(X[:, 0] * 3.0)
    rows = pandas.DataFrame({"a": X[:, 0], "b": X[:, 1], "y": target, "part": np.arange(len(X)) % 2})
    frame = spark.createDataFrame(rows).repartition(6, "part")  # two of six have rows
    found = fit_spark(KernelRegressor(gamma=2.0, budget=40, random_state=0), frame, features=["a", "b"], target="y")
    assert found.score(named_rows(X), target) > 0.98
    with pytest.raises(ValueError, match="all partitions are empty"):
        fit_spark(KernelRegressor(), frame.filter("a > 99"), features=["a", "b"], target="y")


def test_what_does_not_fit_is_refused_in_a_sentence(spark, table):
    from pyspark.sql.functions import expr

    both, other = ["a", "b"], table.withColumn
    for frame, features, target, words in (
        (table, ["a", "c"], "y", "no column 'c'. Its columns: a, b, y, unused"),
        (table, ["a", "y"], "unused", "'y' is of type string"),
        (table, [], "y", "name the columns"),
        (other("b", expr("nullif(unused, 1)")), both, "y", "In partition 0: .* NaN"),
        (other("y", expr("nullif(y, 'white')")), both, "y", "In partition 0: the target column 'y' is null in .* rows"),
        (other("x", expr("if(a > 0.5, array(a), array(a, b))")), "x", "y", "1 and 2"),
    ):
        with pytest.raises(ValueError, match=words):
            fit_spark(classifier(), frame, features=features, target=target)


def test_without_spark_the_way_out_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "pyspark", None)
    with pytest.raises(ImportError, match=r'pip install "kernelstream\[spark\]"'):
        fit_spark(classifier(), None, features="x", target="y")
