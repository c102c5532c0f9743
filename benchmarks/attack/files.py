"""Altered model files, with and without a recomputed checksum: refused in words, or harmless to use."""

import json
import os
import tempfile
import warnings
from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np

from kernelstream import KernelClassifier, KernelRegressor, Model, load, recipes, save
from kernelstream.kernels import Gaussian
from kernelstream.losses import Hinge, Logistic
from kernelstream.saving.safetensors_file import pack, unpack

from .calls import Finding, refused
from .hostile import NUMBERS

FEATURES = 4
X = np.random.default_rng(7).normal(size=(80, FEATURES))
Y = np.where(X[:, 0] * X[:, 1] > 0, 1.0, -1.0)
KERNEL = Gaussian(0.5)
VALUES: tuple[Any, ...] = (
    -1, 0, 1, 2, 7, 12, 16, 48, 2**15, 2**31, 2**53, 2**62, 2**63, 10**18, 0.5, -0.5, 1e308, None, True, "", "x",
    [], {}, [1], {"number": "nan"}, {"number": "inf"}, "float64", "float32", "Hinge",
)  # fmt: skip


def _bases() -> dict[str, Any]:
    return {
        "bsgd": recipes.bsgd(KERNEL, Hinge(), lam=0.01, budget=12),
        "batch": recipes.bsgd(KERNEL, Hinge(), lam=0.01, budget=12, batch=4),
        "project": recipes.bsgd(KERNEL, Hinge(), lam=0.01, budget=12, maintenance="project"),
        "suffix": recipes.nbsgd(KERNEL, Hinge(), lam=0.01, budget=12, beta=30.0, output="suffix"),
        "random": recipes.nbsgd(KERNEL, Hinge(), lam=0.01, budget=12, beta=30.0, output="random"),
        "polk": recipes.polk(KERNEL, Hinge(), lam=0.01),
        "oskl": recipes.oskl(KERNEL, Logistic(), R=5.0),
        "olrd": recipes.olrd(KERNEL, Hinge(), budget=12),
        "forgetron": recipes.forgetron(KERNEL, budget=12),
        "projectron": recipes.projectron(KERNEL, plus=True),
        "krls": recipes.krls(KERNEL),
        "nogd": recipes.nogd(KERNEL, Hinge(), budget=12),
        "fogd": recipes.fogd(0.5, 8),
        "default": recipes.default(KERNEL, budget=12),
    }


BASES = tuple(_bases())


@cache
def whole(name: str) -> bytes:
    """The bytes of a good file."""
    path = os.path.join(tempfile.mkdtemp(), "m.ks")
    if name == "classifier":
        save(KernelClassifier("bsgd", gamma=0.5, budget=12, random_state=0).fit(X, Y), path)
    elif name == "regressor":
        save(KernelRegressor("bsgd", gamma=0.5, budget=12, random_state=0).fit(X, Y), path)
    else:
        model = Model.from_recipe(_bases()[name.removesuffix(" half")], X, Y).learn_many(X, Y)
        save(model, path, half=name.endswith("half"))
    with open(path, "rb") as file:
        return file.read()


def attack(rng: np.random.Generator, names: Sequence[str] = ("classifier", "regressor", "bsgd half", *BASES)) -> bool:
    """One altered file; whether it was refused."""
    name = str(rng.choice(list(names)))
    data, recomputed = whole(name), bool(rng.random() < 0.7)
    data = _altered_contents(rng, data) if recomputed else _altered_bytes(rng, data)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "m.ks")
        with open(path, "wb") as file:
            file.write(data)
        loaded: list[Any] = []
        was_refused = refused(lambda: loaded.append(load(path)))
        if was_refused:
            return True
        if not recomputed and data != whole(name):
            raise Finding("a file whose bytes were altered was loaded")
        _use(loaded[0], path)
    return False


def _use(model: Any, path: str) -> None:
    """Predict, learn and save: errors are allowed if they are in words."""
    width = model.n_features if isinstance(model, Model) else model.n_features_in_
    few = np.zeros((40, min(width, 10_000)))
    few[:, : X.shape[1]] = X[:40, : few.shape[1]]
    y = Y[:40] if not hasattr(model, "classes_") else np.resize(model.classes_, 40)
    learn = model.learn_many if isinstance(model, Model) else model.partial_fit
    predict = model.scores_many if isinstance(model, Model) else model.predict
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        refused(lambda: predict(few))
        refused(lambda: learn(few, y))
        refused(lambda: learn(few, y))
        refused(lambda: save(model, path))


def _altered_bytes(rng: np.random.Generator, data: bytes) -> bytes:
    kind = int(rng.integers(4))
    at = int(rng.integers(len(data)))
    if kind == 0:
        return data[:at]
    if kind == 1:
        return data + bytes(rng.integers(256, size=int(rng.integers(1, 50)), dtype=np.uint8))
    spoilt = bytearray(data)
    for place in rng.integers(len(data), size=int(rng.integers(1, 5))) if kind == 2 else (min(at, 200),):
        spoilt[int(place)] ^= 1 << int(rng.integers(8))
    return bytes(spoilt)


def _altered_contents(rng: np.random.Generator, data: bytes) -> bytes:
    header, arrays = unpack(data, "it")
    header = {key: value for key, value in header.items() if key not in ("sha256",)}
    arrays = {name: arrays[name].copy() for name in sorted(arrays)}
    for _ in range(int(rng.integers(1, 3))):
        if rng.random() < 0.5:
            _alter_header(rng, header)
        else:
            _alter_arrays(rng, arrays)
    return pack(header, arrays)


def _alter_header(rng: np.random.Generator, header: dict[str, Any]) -> None:
    places: list[tuple[Any, Any]] = []

    def walk(node: Any) -> None:
        keys = node.keys() if isinstance(node, dict) else range(len(node)) if isinstance(node, list) else ()
        for key in list(keys):
            places.append((node, key))
            walk(node[key])

    walk(header)
    node, key = places[int(rng.integers(len(places)))]
    kind = int(rng.integers(4))
    if kind == 0 and isinstance(node, dict):
        del node[key]
    elif kind == 1:
        other, place = places[int(rng.integers(len(places)))]
        node[key] = json.loads(json.dumps(other[place]))
    else:
        node[key] = VALUES[int(rng.integers(len(VALUES)))]


def _alter_arrays(rng: np.random.Generator, arrays: dict[str, np.ndarray]) -> None:
    name = str(rng.choice(list(arrays)))
    array = arrays[name]
    kind = int(rng.integers(7))
    if kind == 0:
        del arrays[name]
    elif kind == 1:
        arrays[name] = array.astype(str(rng.choice(["float32", "float64", "int64", "int8", "uint64"])))
    elif kind == 2:
        shape = list(array.shape) or [0]
        shape[int(rng.integers(len(shape)))] += int(rng.choice([-1, 1, 5, 10_000]))
        arrays[name] = np.resize(array, [max(size, 0) for size in shape]).astype(array.dtype) if array.size else array
    elif kind == 3:
        arrays[str(rng.choice(["expansion.sv", "run.t", "x", "inverse.Q"]))] = array
    elif array.size:
        _spoil(rng, array)
    else:
        # an empty array stands for one that has not changed: give it a first element
        arrays[name] = np.full([1] * array.ndim, _value(rng, array.dtype), array.dtype)


def _spoil(rng: np.random.Generator, array: np.ndarray) -> None:
    flat = array.reshape(-1)
    flat[int(rng.integers(flat.size))] = _value(rng, array.dtype)


def _value(rng: np.random.Generator, dtype: np.dtype) -> Any:
    if dtype.kind == "f":
        with np.errstate(over="ignore"):
            return np.array(rng.choice(NUMBERS)).astype(dtype)
    info = np.iinfo(dtype)
    return rng.choice(np.array([info.min, info.max, 0, 1, 2, 13, 1000], dtype=object))
