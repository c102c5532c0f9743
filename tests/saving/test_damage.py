"""Files that are not what they were: cut short, altered, foreign, newer. Each is refused in a sentence."""

import io
import json
import os

import numpy as np
import pytest
import safetensors.numpy

from kernelstream import Model, load, recipes, save
from kernelstream import saving as files
from kernelstream.core.state import allocate
from kernelstream.core.strategy import Dims, Facts
from kernelstream.kernels import Gaussian
from kernelstream.saving.safetensors_file import pack, read_header, unpack
from kernelstream.saving.state_arrays import restore, stored
from tests.catalogue import case_named, data
from tests.saving.test_round_trip import ONE, begun


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """The bytes of a file."""
    X, y, _ = data("binary", 40)
    path = tmp_path_factory.mktemp("whole") / "m.ks"
    save(begun(ONE).learn_many(X, y), path, extra={"a": 1})
    return path.read_bytes()


def sampled(size, count=300):
    """The first bytes, which have the structure, and others all over the file."""
    return sorted({*range(min(size, 60)), *np.linspace(0, size - 1, count - 60).astype(int).tolist()})


def test_every_flipped_byte_is_refused(whole, tmp_path):
    path = tmp_path / "m.ks"
    rng = np.random.default_rng(0)
    for place in sampled(len(whole)):
        spoiled = bytearray(whole)
        spoiled[place] ^= int(rng.integers(1, 256))
        path.write_bytes(spoiled)
        with pytest.raises(
            ValueError, match=r"m\.ks (is damaged|is not a kernelstream model file|was written by .* in schema)"
        ):
            load(path)


def test_every_length_but_the_whole_is_refused(whole, tmp_path):
    path = tmp_path / "m.ks"
    for length in sampled(len(whole)):
        path.write_bytes(whole[:length])
        for reader in (load, files.describe):
            with pytest.raises(ValueError, match=r"m\.ks (is damaged|is not a kernelstream model file)"):
                reader(path)
    path.write_bytes(whole + b"\0")
    for reader in (load, files.describe):
        with pytest.raises(ValueError, match="damaged"):
            reader(path)
    path.write_bytes(whole)
    assert load(path).n_support > 0


def changed(whole, **changes):
    header, arrays = unpack(whole, "it")
    return pack({**{k: v for k, v in header.items() if k not in ("sha256", "schema")}, **changes}, arrays)


def test_a_newer_schema_says_what_to_do(whole, tmp_path):
    path = tmp_path / "m.ks"
    path.write_bytes(changed(whole, schema=99, version="9.1"))
    for reader in (load, files.describe):
        with pytest.raises(ValueError, match=r"by kernelstream 9\.1 in schema 99.*pip install --upgrade kernelstream"):
            reader(path)


@pytest.mark.parametrize(
    "foreign",
    [
        b"",
        b"PK\x03\x04 a zip file",
        b"\xff" * 200,
        safetensors.numpy.save({"weight": np.ones((3, 4))}),
        safetensors.numpy.save({"weight": np.ones((3, 4))}, {"format": "pt", "kernelstream": "{}"}),
        safetensors.numpy.save({}, {"kernelstream": "[" * 5000}),
    ],
)
def test_files_from_elsewhere(foreign, tmp_path):
    path = tmp_path / "m.ks"
    path.write_bytes(foreign)
    for reader in (load, files.describe):
        with pytest.raises(ValueError, match="not a kernelstream model file"):
            reader(path)


def test_the_checksum_is_not_taken_from_another_place(whole, tmp_path):
    """A header may hold the words of the checksum elsewhere: in `extra`, say."""
    data_ = changed(whole, extra={"sha256": "0" * 64, "x": '{"sha256":"' + "0" * 64})
    assert unpack(data_, "it")[0]["extra"]["sha256"] == "0" * 64


@pytest.mark.parametrize(
    ("name", "change", "words"),
    [
        ("recipe", lambda v: v | {"strategy": "os.system"}, "unknown strategy 'os.system'"),
        ("recipe", lambda v: v | {"strategy": "FunctionKernel"}, "unknown strategy 'FunctionKernel'"),
        ("recipe", lambda v: v["parameters"]["kernel"], "is not a recipe"),
        ("recipe", lambda v: json.loads(json.dumps(v).replace('"gamma": 1.5', '"gamma": -1')), "gamma must be"),
        ("recipe", lambda v: json.loads(json.dumps(v).replace('"gamma"', '"width"')), "width"),
        ("dims", lambda v: v | {"features": 2}, "'expansion.sv' is .*, which does not fit"),
        ("dims", lambda v: v | {"capacity": 5}, "not dimensions of a model with this recipe"),
        ("dims", lambda v: v | {"capacity": 10**15}, "cannot be loaded"),
        ("dims", lambda v: v | {"dtype": "object"}, "not dimensions"),
        ("dims", lambda v: v | {"outputs": -1}, "not dimensions"),
        ("dims", lambda v: v | {"capacity": v["capacity"] + 1}, "not dimensions of a model with this recipe"),
        ("recipe", lambda v: v | {"parameters": v["parameters"] | {"batch": 8}}, "not dimensions of a model with this"),
        ("kind", lambda v: "forest", "'forest'"),
        ("counters", lambda v: {}, "'examples' is missing"),
        ("half", lambda v: True, "is missing"),
    ],
)
def test_headers_that_do_not_make_a_model(whole, tmp_path, name, change, words):
    header, _ = unpack(whole, "it")
    path = tmp_path / "m.ks"
    path.write_bytes(changed(whole, **{name: change(header[name])}))
    with pytest.raises(ValueError, match=words) as caught:
        load(path)
    assert "cannot be loaded" in str(caught.value) and "this is 0." in str(caught.value)


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("expansion.coef", np.nan, "'expansion.coef' has values that are not finite"),
        ("expansion.sv", np.inf, "not finite"),
        ("expansion.sq", 1e30, "not theirs"),
        ("expansion.scale", -1.0, "not above 0"),
        ("run.t", -5, "outside 0"),
        ("run.seen", 2**62, "outside 0"),
        ("batch.staged", 1, "1 of 0 examples wait for the end of a mini-batch of 1"),
        ("batch.seen", 1, "0 of 1 examples wait"),
    ],
)
def test_numbers_that_compiled_code_must_not_meet(whole, tmp_path, name, value, words):
    header, arrays = unpack(whole, "it")
    array = arrays[name].copy() if arrays[name].size else np.ones(1, arrays[name].dtype)
    array.reshape(-1)[0] = value
    target = tmp_path / "m.ks"
    target.write_bytes(pack({k: v for k, v in header.items() if k not in ("sha256", "schema")}, arrays | {name: array}))
    with pytest.raises(ValueError, match=words):
        load(target)


def test_a_recipe_that_was_never_decided_is_refused(tmp_path):
    model = Model.from_recipe(recipes.pegasos(Gaussian(1.0)), [[0.0]], [1.0])
    path = tmp_path / "m.ks"
    save(model, path)
    header, _ = unpack(path.read_bytes(), "it")
    header["recipe"]["parameters"]["bound"]["parameters"]["radius"] = 0.0
    path.write_bytes(changed(path.read_bytes(), recipe=header["recipe"]))
    with pytest.raises(ValueError, match="never decided"):
        load(path)


@pytest.mark.parametrize("path", ["expansion.n", "batch.staged", "run.kept"])
@pytest.mark.parametrize("count", [-1, 10**6])
def test_counters_beyond_their_arrays_are_refused(whole, tmp_path, path, count):
    """Compiled code does not check them."""
    header, arrays = unpack(whole, "it")
    arrays[path] = np.full_like(arrays[path], count) if arrays[path].size else np.full(1, count)
    target = tmp_path / "m.ks"
    target.write_bytes(pack({k: v for k, v in header.items() if k not in ("sha256", "schema")}, arrays))
    with pytest.raises(ValueError, match="but the capacity is"):
        load(target)


@pytest.mark.parametrize(("size", "slot", "waiting"), [(3, 1, 0), (-1, 1, 0), (1, 2, 0), (1, -1, 0), (1, 1, 17)])
def test_support_vectors_of_a_class_that_do_not_exist_are_refused(size, slot, waiting):
    recipe = case_named("projectron own classes").recipe
    X, y, outputs = data("classes", 20)
    composition = recipe.resolve(Facts(X, y[:, None], outputs, np.dtype("float32"), 20))

    def state(size, slot, waiting):
        made = allocate(composition, Dims(20, 3, outputs, np.dtype("float32")))
        made.expansion.n[0], made.inverse.sizes[1, 0], made.inverse.slots[1, 0] = 2, size, slot
        made.inverse.Q.waiting[2, 0] = waiting
        return made

    def again(made):
        new = state(0, 0, 0)
        restore(new, stored(made, state(0, 0, 0)))
        return new

    assert again(state(1, 1, 16)).inverse.sizes[1, 0] == 1
    with pytest.raises(ValueError, match="none of the model's 2" if waiting == 0 else "waiting is 17"):
        again(state(size, slot, waiting))


def test_a_header_of_impossible_length_is_not_read(whole):
    spoiled = (2**60).to_bytes(8, "little") + whole[8:]
    with pytest.raises(ValueError, match="not a kernelstream model file"):
        read_header(io.BytesIO(spoiled), "it")


def test_a_file_that_is_not_there(tmp_path):
    for reader in (load, files.describe):
        with pytest.raises(FileNotFoundError):
            reader(tmp_path / "none.ks")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_pipes_and_devices_are_refused_at_once(tmp_path):
    os.mkfifo(tmp_path / "pipe.ks")
    for path in (tmp_path / "pipe.ks", "/dev/zero"):
        for reader in (load, files.describe):
            with pytest.raises(ValueError, match="not a regular file"):
                reader(path)


def test_a_large_foreign_file_is_not_read_whole(tmp_path):
    path = tmp_path / "m.ks"
    with path.open("wb") as file:
        file.truncate(1 << 34)  # sparse: it takes no room
    with pytest.raises(ValueError, match="not a kernelstream model file"):
        load(path)


def test_a_model_larger_than_the_memory_is_refused(whole, tmp_path):
    header, _ = unpack(whole, "it")
    path = tmp_path / "m.ks"
    path.write_bytes(changed(whole, dims=header["dims"] | {"capacity": 16 * 10**10}))
    with pytest.raises(ValueError, match=r"more than this machine has|Unable to allocate"):
        load(path)
