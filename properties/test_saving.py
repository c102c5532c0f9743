"""Model files hold what they are given, and no header makes them do anything but load or be refused."""

import functools
import json
import math
import tempfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays_of

from kernelstream import Model, kernels, load, recipes, save
from kernelstream.model import Function
from kernelstream.saving.parameter_json import decode, decode_labels, encode, encode_labels
from kernelstream.saving.safetensors_file import pack, unpack
from properties.common import examples, pure_only
from tests.catalogue import case_named, data, model_for

plain = (
    st.none()
    | st.booleans()
    | st.integers(-(2**70), 2**70)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text()
)
anything = st.recursive(plain, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner), max_leaves=8)


@examples(30)
@given(st.dictionaries(st.text(), anything))
def test_headers_come_back(extra):
    header, arrays = unpack(pack({"extra": extra}, {"a": np.arange(3)}), "it")
    assert header["extra"] == extra and arrays["a"].tolist() == [0, 1, 2]


widths = st.floats(1e-30, 1e30)
simple = st.one_of(
    widths.map(kernels.Gaussian), widths.map(kernels.Cauchy), widths.map(kernels.Laplacian), st.just(kernels.Linear()),
    st.sampled_from(["scale", "auto"]).map(kernels.Gaussian),
)  # fmt: skip
kernel = st.recursive(
    simple,
    lambda inner: (
        st.tuples(inner, inner).map(lambda p: p[0] + p[1])
        | st.tuples(inner, inner).map(lambda p: p[0] * p[1])
        | st.tuples(inner, widths).map(lambda p: p[1] * p[0])
    ),
    max_leaves=6,
)


@examples(100)
@given(kernel, st.floats(1e-12, 1e6))
def test_recipes_come_back(kernel, lam):
    recipe = recipes.kernel_sgd(kernel, lam=lam)
    assert decode(json.loads(json.dumps(encode(recipe)))) == recipe


@examples(20)
@given(st.sampled_from([math.inf, -math.inf, math.nan, 1e-320, -0.0]))
def test_every_number_comes_back(number):
    assert repr(decode(json.loads(json.dumps(encode(number), allow_nan=False)))) == repr(number)


FINITE = {"allow_nan": False, "allow_infinity": False}
labels = st.one_of(
    arrays_of.arrays(st.sampled_from(["i1", "i8", "u8", "?", ">i4"]), st.integers(1, 5)),
    arrays_of.arrays(st.sampled_from(["f2", "f4", "f8"]), st.integers(1, 5), elements=FINITE),
    st.lists(st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"])), min_size=1).map(np.array),
    st.lists(st.text() | st.booleans() | st.integers(), min_size=1).map(lambda v: np.array(v, object)),
)  # fmt: skip


@examples(200)
@given(labels)
def test_labels_come_back(values):
    again = decode_labels(json.loads(json.dumps(encode_labels(values), allow_nan=False)))
    np.testing.assert_array_equal(again, values, strict=True)
    assert [type(v) for v in again.tolist()] == [type(v) for v in values.tolist()]


@functools.cache
def written() -> bytes:
    """A model's file."""
    X, y, _ = data("binary", 30)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "m.ks"
        save(model_for(case_named("bsgd project")).learn_many(X, y), path)
        return path.read_bytes()


def places(node, path=()):
    """Every place in a tree of JSON."""
    yield path
    items = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
    for key, part in items:
        yield from places(part, (*path, key))


def put(node, path, value):
    """The tree with another value in that place."""
    if not path:
        return value
    copy = dict(node)
    copy[path[0]] = put(node[path[0]], path[1:], value)
    return copy


suspicious = st.sampled_from([0, -1, 10**6, "Gaussian", {"strategy": "Ball", "parameters": {}}])


@pure_only
@examples(150)
@given(st.data())
def test_an_altered_header_is_refused_or_makes_a_model(data):
    """With a checksum that fits: only the reader's own care stands between the header and the model."""
    header, arrays = unpack(written(), "it")
    del header["sha256"], header["schema"]
    place = data.draw(st.sampled_from([path for path in places(header) if path]))
    changed = put(header, place, data.draw(anything | suspicious))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "m.ks"
        path.write_bytes(pack(changed, arrays))
        try:
            model = load(path)
        except ValueError as error:
            assert "cannot be loaded" in str(error)
        else:
            assert isinstance(model, Model)


@examples(100)
@given(st.integers(0, 2**32 - 1), st.floats(-1e6, 1e6), st.floats(1e-6, 1e6))
def test_half_precision_is_relative_to_the_spread(seed, centre, spread):
    from kernelstream.saving.half_precision import doubled, halved

    rng = np.random.default_rng(seed)
    sv, coef = centre + spread * rng.normal(size=(20, 3)), spread * rng.normal(size=(20, 2))
    again = doubled(halved(Function(sv, coef)), 3, 2)
    limit = np.where(np.sign(sv.min(axis=0)) == np.sign(sv.max(axis=0)), np.ptp(sv, axis=0) / 2, np.abs(sv).max(axis=0))
    # the rounding of float16, and of float32 far from 0
    assert (np.abs(again.support_vectors - sv) <= 2.0**-11 * limit + 2.0**-22 * np.abs(sv)).all()
    assert (np.abs(again.coefficients - coef) <= 2.0**-11 * np.abs(coef).max(axis=0)).all()


@pure_only
def test_what_was_halved_or_compressed_learns_on_as_before():
    """KRLS keeps two inverses besides its coefficients, and NOGD a projection: they must begin anew."""
    X, y, _ = data("values", 400)
    recipe = recipes.krls(kernels.Gaussian(0.1), 0.1)
    model = Model.from_recipe(recipe, X, y, dtype="float64").learn_many(X[:100], y[:100])
    with tempfile.TemporaryDirectory() as folder:
        save(model, Path(folder) / "m.ks", half=True)
        small = load(Path(folder) / "m.ks")
    fewer = model.compress(budget=model.n_support - 3)

    def error(model):
        return np.sqrt(np.mean((model.learn_many(X[100:200], y[100:200]).scores_many(X[200:])[:, 0] - y[200:]) ** 2))

    wanted = error(model)
    assert error(small) == pytest.approx(wanted, rel=0.1) and error(fewer) == pytest.approx(wanted, rel=0.1)
    assert abs(small.n_support - model.n_support) <= 2 and abs(fewer.n_support - model.n_support) <= 2
