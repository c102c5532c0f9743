"""Estimators of River in files: a stream goes on after a restart as if there had been none."""

import copy

import numpy as np
import pytest

import kernelstream
from kernelstream.river import KernelClassifier, KernelRegressor
from kernelstream.saving.safetensors_file import pack, unpack
from tests.river.data import blobs

ROWS, LABELS = blobs(700)


def learn(model, start, stop):
    for x, y in zip(ROWS[start:stop], LABELS[start:stop], strict=True):
        model.learn_one(x, y if isinstance(model, KernelClassifier) else float(len(y)) + next(iter(x.values())))
    return model


@pytest.mark.parametrize("seen", [0, 1, 50, 300])
@pytest.mark.parametrize(
    "make",
    [
        lambda: KernelClassifier(seed=1, budget=30),
        lambda: KernelClassifier(seed=1, budget=20, adapt=False),
        lambda: KernelClassifier("bsgd", seed=2, budget=20, scale=None),
        lambda: KernelRegressor(seed=1, budget=20),
    ],
)
def test_a_loaded_estimator_goes_on_as_if_it_had_never_been_saved(make, seen, tmp_path):
    model = learn(make(), 0, seen)
    model.save(tmp_path / "stream.ks")
    again = type(model).load(tmp_path / "stream.ks")
    assert again._get_params() == model._get_params()
    for one in (model, again):
        learn(one, seen, seen + 150)
    predict = "predict_proba_one" if isinstance(model, KernelClassifier) else "predict_one"
    assert [getattr(again, predict)(x) for x in ROWS[:20]] == [getattr(model, predict)(x) for x in ROWS[:20]]


@pytest.fixture(scope="module")
def saved(tmp_path_factory):
    path = tmp_path_factory.mktemp("river") / "stream.ks"
    learn(KernelClassifier(seed=1, budget=30), 0, 200).save(path)
    return path


def test_files_of_another_kind_are_refused(saved, tmp_path):
    with pytest.raises(ValueError, match="holds a 'KernelClassifier', not a KernelRegressor"):
        KernelRegressor.load(saved)
    with pytest.raises(ValueError, match="cannot be loaded"):
        kernelstream.load(saved)
    other = tmp_path / "estimator.ks"
    kernelstream.save(kernelstream.KernelClassifier(budget=5).fit([[0.0], [1.0]], [0, 1]), other)
    with pytest.raises(ValueError, match="holds a 'classifier'"):
        KernelClassifier.load(other)


def test_damage_is_noticed(saved, tmp_path):
    data = bytearray(saved.read_bytes())
    data[len(data) // 2] ^= 1
    (tmp_path / "damaged.ks").write_bytes(data)
    with pytest.raises(ValueError, match="checksum"):
        KernelClassifier.load(tmp_path / "damaged.ks")


@pytest.mark.parametrize(
    ("name", "change", "message"),
    [
        ("adaptive.panel.cells.crossed", lambda a: a + 100, "other features"),
        ("adaptive.panel.cells.crossed", lambda a: a * 0, "other features"),
        ("adaptive.panel.cells.exponent", lambda a: a + 10**6, "impossible units"),
        ("adaptive.panel.mixture.weights", lambda a: a * np.nan, "not finite"),
        ("adaptive.panel.cells.scores", lambda a: a[:, :10], "does not fit|cannot be loaded"),
        ("adaptive.units.mean", lambda a: a[:1], "cannot be loaded"),
        ("adaptive.model.0", lambda a: a[:-5], "cannot be loaded"),
    ],
)
def test_arrays_that_compiled_code_could_not_work_with_are_refused(saved, tmp_path, name, change, message):
    header, arrays = unpack(saved.read_bytes(), "stream")
    header = {key: value for key, value in header.items() if key not in ("sha256", "schema")}
    changed = np.ascontiguousarray(change(arrays[name].copy()))
    if name == "adaptive.panel.cells.scores":
        changed = np.concatenate([arrays[name], arrays[name]], axis=1)
    (tmp_path / "altered.ks").write_bytes(pack(header, arrays | {name: changed}))
    with pytest.raises(ValueError, match=message):
        KernelClassifier.load(tmp_path / "altered.ks")


def test_labels_that_json_cannot_hold_are_refused_and_the_old_file_stays(saved):
    before = saved.read_bytes()
    model = KernelClassifier(seed=1)
    for x, y in zip(ROWS[:20], LABELS[:20], strict=True):
        model.learn_one(x, frozenset([y]))
    with pytest.raises(ValueError, match=r"Use strings and numbers, or pickle|cannot hold"):
        model.save(saved)
    assert saved.read_bytes() == before
    assert copy.deepcopy(model).predict_one(ROWS[0]) == model.predict_one(ROWS[0])
