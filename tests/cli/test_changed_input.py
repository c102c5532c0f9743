"""A run is resumed with the data it has learned from; with any other it ends with an error and an unchanged model."""

import gzip

import numpy as np
import pytest

from kernelstream.pipeline import StreamPipeline
from kernelstream.readers import lines
from kernelstream.readers.locations import LocalFile

from .data import LEARN, board, kernelstream, succeed, told, write

ROWS, LIMIT = 3000, 1500
FORMS = [".csv", ".csv.gz", ".jsonl", ".svm", ".parquet", ".npz", "pipe"]


def store(frame, folder, form):
    """The data in a form, and how to name it on the command line."""
    if form in (".csv.gz", "pipe"):
        path = write(frame, folder / "plain.csv")
        if form == ".csv.gz":
            path = folder / "data.csv.gz"
            path.write_bytes(gzip.compress((folder / "plain.csv").read_bytes(), mtime=0))
        return path
    return write(frame, folder / f"data{form}")


def call(form, path, *arguments):
    """The command with the data as a file, or through a pipe."""
    if form == "pipe":
        return kernelstream(*(arguments[:1]), "-", *arguments[1:], input=path.read_bytes())
    return kernelstream(*(arguments[:1]), path, *arguments[1:])


@pytest.fixture(params=[lines.CHUNK, 20_000], ids=["one chunk", "many"])
def chunk(request, monkeypatch):
    """The run stops in the first chunk of the text, or in a later one."""
    monkeypatch.setattr(lines, "CHUNK", request.param)


@pytest.fixture
def interrupted(request, tmp_path, chunk):
    """A run over half of the data, and what is needed to change that."""
    form = request.param
    frame = board(ROWS, words=False)
    path = store(frame, tmp_path, form)
    target = [] if form == ".svm" else ["--target", "y"]
    learn = [*LEARN, *target, "--in-order", "--limit", LIMIT, "--first", 200, "-q"]
    result = call(form, path, "train", *learn, "-o", tmp_path / "m.ks")
    assert result.exit_code == 0, result.output
    return form, frame, path, tmp_path / "m.ks"


def resume(form, path, model):
    data = ["-"] if form == "pipe" else [path]
    given = {"input": path.read_bytes()} if form == "pipe" else {}
    return kernelstream("train", *data, "--resume", model, "--limit", ROWS, "-q", **given)


@pytest.mark.parametrize("interrupted", FORMS, indirect=True)
def test_the_same_data_goes_on(interrupted):
    form, _, path, model = interrupted
    result = resume(form, path, model)
    assert result.exit_code == 0, result.output
    assert StreamPipeline.load(model).curve.now.examples == ROWS


@pytest.mark.parametrize("interrupted", FORMS, indirect=True)
@pytest.mark.parametrize("row", [0, LIMIT // 2, LIMIT - 1])
def test_one_value_that_was_learned_has_changed(interrupted, row):
    form, frame, path, model = interrupted
    before = model.read_bytes()
    frame.loc[row, "a"] = float(np.nextafter(frame.loc[row, "a"], 9.0))
    store(frame, path.parent, form)
    result = resume(form, path, model)
    assert result.exit_code == 1
    assert "is not the data that the run to resume has learned from" in result.stderr
    assert "--new-data" in result.stderr and "Traceback" not in result.output
    assert model.read_bytes() == before


@pytest.mark.parametrize("interrupted", FORMS, indirect=True)
@pytest.mark.parametrize("rows", [10, LIMIT - 1, LIMIT + 1])
def test_truncated_data(interrupted, rows):
    """Also where all that was learned is still there, but less than there was; a pipe has no size to tell that by."""
    form, frame, path, model = interrupted
    before = model.read_bytes()
    store(frame[:rows], path.parent, form)
    result = resume(form, path, model)
    if form == "pipe" and rows > LIMIT:
        assert result.exit_code == 0
        return
    assert result.exit_code == 1 and "is not the data that the run to resume has learned from" in result.stderr
    assert model.read_bytes() == before


@pytest.mark.parametrize("interrupted", [".csv", ".jsonl", ".svm", "pipe"], indirect=True)
def test_what_comes_later_may_change_and_grow(interrupted):
    form, frame, path, model = interrupted
    frame.loc[LIMIT:, "a"] *= 0.5
    longer = frame.loc[[*range(ROWS), *range(LIMIT, ROWS)]].reset_index(drop=True)
    store(longer, path.parent, form)
    assert path.stat().st_size > 0
    result = resume(form, path, model)
    assert result.exit_code == 0, result.output
    assert StreamPipeline.load(model).curve.now.examples == ROWS


def test_a_finished_run_and_a_file_that_was_replaced_or_has_grown(tmp_path):
    frame = board(1200, words=False)
    path, model = write(frame[:1000], tmp_path / "a.csv"), tmp_path / "m.ks"
    path.write_bytes(path.read_bytes().removesuffix(b"\n"))  # the last line is not ended
    succeed("train", path, *LEARN, "--in-order", "-o", model, "-q")
    write(frame[:1200], path)
    assert told("train", "--resume", model, "-q")["examples_this_run"] == 200
    path.write_text(path.read_text().replace("black", "white", 1))
    result = kernelstream("train", "--resume", model)
    assert result.exit_code == 1 and "a.csv is not the data" in result.stderr
    path.write_text("")
    assert kernelstream("train", "--resume", model).exit_code == 1


@pytest.mark.parametrize("epochs", [1, 2])
@pytest.mark.parametrize("which", [0, 1])
def test_files_that_were_read_to_their_ends(tmp_path, which, epochs):
    """In a second pass, those that come after the present one too."""
    frame = board(1200, words=False)
    paths = [
        write(frame[400 * i : 400 * i + 400], tmp_path / name) for i, name in enumerate(("a.csv", "b.csv", "c.csv"))
    ]
    model = tmp_path / "m.ks"
    limit = ["--limit", 900] if epochs == 1 else ["--epochs", 2, "--limit", 1200]
    succeed("train", *paths, *LEARN, "--in-order", *limit, "-o", model, "-q")
    assert len(StreamPipeline.load(model).position.digests) == 2 if epochs == 1 else 3
    kept = {path: path.read_bytes() for path in (*paths, model)}
    for change in (
        lambda data: data.replace(b"black", b"white", 1),
        lambda data: data + data[-20:],
        lambda data: b"a,b,y\n",
    ):
        paths[which].write_bytes(change(kept[paths[which]]))
        result = kernelstream("train", "--resume", model)
        assert result.exit_code == 1 and f"{paths[which]} is not the data" in result.stderr
        assert model.read_bytes() == kept[model]
    paths[which].write_bytes(kept[paths[which]])
    succeed("train", "--resume", model, "-q")


def test_from_a_file_to_a_pipe_to_a_compressed_copy(tmp_path):
    """What counts is the text, wherever it comes from."""
    path, model = write(board(3000, words=False), tmp_path / "a.csv"), tmp_path / "m.ks"
    learn = [*LEARN, "--in-order", "--first", 200, "-q"]
    succeed("train", path, *learn, "--limit", 1000, "-o", model)
    succeed("train", "-", "--resume", model, "--limit", 2000, "-q", input=path.read_bytes())
    packed = tmp_path / "a.csv.gz"
    packed.write_bytes(gzip.compress(path.read_bytes()))
    succeed("train", packed, "--resume", model, "--limit", 3000, "-q")
    succeed("train", path, *learn, "--limit", 3000, "-o", tmp_path / "n.ks")
    ours, whole = (StreamPipeline.load(p).estimator.model_.function for p in (model, tmp_path / "n.ks"))
    np.testing.assert_array_equal(ours.coefficients, whole.coefficients)


def test_models_without_digests_are_resumed_as_before(tmp_path):
    """Those that earlier versions have written."""
    path, model = write(board(1000, words=False), tmp_path / "a.csv"), tmp_path / "m.ks"
    succeed("train", path, *LEARN, "--first", 200, "--limit", 500, "-o", model, "-q")
    trained = StreamPipeline.load(model)
    trained.position.digest, trained.position.sizes = None, []
    trained.position.place = trained.position.place._replace(digest=None)
    trained.save(model)
    assert told("train", "--resume", model, "--limit", 1000, "-q")["examples"] == 1000


def test_other_data_is_new_data(tmp_path):
    path, model = write(board(1000, words=False), tmp_path / "a.csv"), tmp_path / "m.ks"
    other = write(board(1000, words=False, seed=1), tmp_path / "b.csv")
    succeed("train", path, *LEARN, "-o", model, "-q")
    assert kernelstream("train", other, "--resume", model).exit_code == 1
    assert told("train", other, "--resume", model, "--new-data", "-q")["examples_this_run"] == 1000


@pytest.mark.parametrize("size", [0, 1, 100, 1 << 14, 1 << 20, (1 << 20) + 1, 3 << 20])
def test_the_digest_of_a_file_covers_its_ends_and_its_size(tmp_path, size):
    data = np.random.default_rng(0).bytes(size)
    path = tmp_path / "a"
    path.write_bytes(data)
    before = LocalFile(str(path)).digest()
    found = {before}
    for at in {0, size // 2, size - 1} if 0 < size <= 1 << 20 else {0, size - 1} if size else ():
        path.write_bytes(data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :])
        found.add(LocalFile(str(path)).digest())
    path.write_bytes(data + b"x")
    assert LocalFile(str(path)).digest(size) == before
    found.add(LocalFile(str(path)).digest())
    assert len(found) == (5 if 1 < size <= 1 << 20 else 3 if size == 1 else 2 if size == 0 else 4)
