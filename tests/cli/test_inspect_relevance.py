"""`inspect` ranks the columns of the file, whatever features they were made into."""

import numpy as np
import pandas as pd
import pytest

from kernelstream import KernelClassifier, feature_relevance, load, recipes, save
from kernelstream.pipeline import StreamPipeline, column_relevance

from .data import LEARN, board, succeed, told, write


def shop(rows=1500):
    """The label follows from a category and a number; other columns are noise."""
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(
        {
            "price": rng.normal(size=rows),
            "noise": rng.normal(size=rows),
            "colour": rng.choice(["red", "green", "blue"], rows),
            "day": rng.choice(["mon", "tue"], rows),
        }
    )
    bought = frame["price"] + np.where(frame["colour"] == "red", 1.5, -0.5) > 0
    return frame.assign(y=np.where(bought, "yes", "no"))


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("shop")
    write(shop(), folder / "shop.csv")
    learn = ["train", folder / "shop.csv", "--gamma", "0.1", "--budget", "40", "-o"]
    succeed(*learn, folder / "shop.ks")
    succeed(*learn, folder / "hashed.ks", "--hash", "16")
    return folder


def test_one_hot_columns_are_summed(folder):
    found = told("inspect", folder / "shop.ks")["feature_relevance"]
    assert list(found)[:2] in (["price", "colour"], ["colour", "price"]) and set(found) == set(shop().columns) - {"y"}
    assert found["price"] + found["colour"] > 0.85 and sum(found.values()) == pytest.approx(1.0)
    trained = StreamPipeline.load(folder / "shop.ks")
    known = trained.intake.preparation.categories.known
    one_hot = [2 + i for i in known[0].values()]
    features = feature_relevance(load(folder / "shop.ks").estimator)
    assert len(features) == 7 and found["colour"] == pytest.approx(features[one_hot].sum())
    first, second = list(found.items())[:2]
    line = f"{first[0]} {100 * first[1]:.1f} %, {second[0]} {100 * second[1]:.1f} %, "
    assert line in succeed("inspect", folder / "shop.ks")


def test_columns_that_are_hashed_together_are_one(folder):
    found = told("inspect", folder / "hashed.ks")["feature_relevance"]
    assert set(found) == {"price", "noise", "colour, day"} and found["noise"] < 0.1


def test_index_value_pairs_count_from_1(tmp_path):
    frame = board(600, words=False).assign(noise=np.random.default_rng(1).normal(size=600))[["noise", "a", "b", "y"]]
    succeed("train", write(frame, tmp_path / "b.svm"), *LEARN, "-o", tmp_path / "b.ks")
    found = told("inspect", tmp_path / "b.ks")["feature_relevance"]
    assert set(found) == {"feature 1", "feature 2", "feature 3"} and list(found)[-1] == "feature 1"


def test_models_of_one_s_own(tmp_path):
    frame = board(600, words=False)
    model = KernelClassifier(gamma=4.0, budget=40, random_state=0).fit(frame[["a", "b"]], frame["y"])
    save(model, tmp_path / "m.ks")
    found = told("inspect", tmp_path / "m.ks")["feature_relevance"]
    assert set(found) == {"a", "b"} and found["a"] == pytest.approx(model.feature_relevance_[0])
    assert set(column_relevance(model.model_)) == {"feature 0", "feature 1"}


def test_random_features_have_no_line(tmp_path):
    X, y = np.eye(3), [0, 1, 1]
    fogd = recipes.fogd(gamma=1.0, frequencies=4)
    save(KernelClassifier(fogd, random_state=0).fit(X, y), tmp_path / "m.ks")
    assert told("inspect", tmp_path / "m.ks")["feature_relevance"] is None
    assert "relevance" not in succeed("inspect", tmp_path / "m.ks")
