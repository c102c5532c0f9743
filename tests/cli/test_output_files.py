"""Commands never write over what they read, and never leave half a file."""

import os
import shutil
import subprocess
import sys

import pytest

from kernelstream.pipeline import StreamPipeline

from .data import LEARN, board, kernelstream, succeed, write

WAYS = ["same", "symbolic", "hard"]


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    folder = tmp_path_factory.mktemp("made")
    write(board(300), folder / "board.csv")
    succeed("train", folder / "board.csv", *LEARN, "-o", folder / "m.ks", "-q")
    return folder


@pytest.fixture
def folder(made, tmp_path):
    """Data and a model of it, to be destroyed."""
    for name in ("board.csv", "m.ks"):
        shutil.copy(made / name, tmp_path / name)
    return tmp_path


def output(folder, name, way, suffix=""):
    """Another name of a file."""
    if way == "same":
        return folder / name
    other = folder / f"other{suffix}"
    if way == "symbolic":
        other.symlink_to(name)
    else:
        os.link(folder / name, other)
    return other


def contents(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", ["board.csv", "m.ks"])
def test_predictions_do_not_replace_the_rows_or_the_model(folder, name, way):
    target = output(folder, name, way)
    before = contents(folder)
    result = kernelstream("predict", folder / "m.ks", folder / "board.csv", "-o", target)
    assert result.exit_code == 2
    assert f"-o {target} is the same file as the input {folder / name}, which it would overwrite." in result.stderr
    assert contents(folder) == before


@pytest.mark.parametrize("way", WAYS)
def test_a_model_does_not_replace_the_rows_it_is_learned_from(folder, way):
    target = output(folder, "board.csv", way)
    before = contents(folder)
    result = kernelstream("train", folder / "board.csv", *LEARN, "--force", "-o", target)
    assert result.exit_code == 2 and "is the same file as the input" in result.stderr
    result = kernelstream("train", "--resume", folder / "m.ks", folder / "board.csv", "-o", target)
    assert result.exit_code == 2 and "is the same file as the input" in result.stderr
    assert contents(folder) == before


@pytest.mark.parametrize("way", WAYS[1:])
@pytest.mark.parametrize(
    "command",
    [
        ("inspect", "{m}", "--plot", "{out}"),
        ("evaluate", "{m}", "{data}", "--plot", "{out}"),
        ("train", "--resume", "{m}", "-o", "{new}", "--plot", "{out}"),
        ("train", "--resume", "{m}", "--plot", "{out}"),
        ("export", "{m}", "--c", "{out}"),
        ("export", "{m}", "--onnx", "{out}"),
    ],
)
def test_neither_plots_nor_exports_replace_the_model(folder, command, way):
    target = output(folder, "m.ks", way, ".png")
    before = contents(folder)
    names = {"m": folder / "m.ks", "data": folder / "board.csv", "out": target, "new": folder / "new.ks"}
    result = kernelstream(*(word.format(**names) for word in command))
    assert result.exit_code == 2 and "the same file" in result.stderr
    assert contents(folder) == before


def test_a_plot_does_not_replace_the_rows(folder):
    target = output(folder, "board.csv", "symbolic", ".png")
    before = contents(folder)
    for command in (["compare", folder / "board.csv"], ["evaluate", folder / "m.ks", folder / "board.csv"]):
        result = kernelstream(*command, "--plot", target)
        assert result.exit_code == 2 and "the same file as the input" in result.stderr
    assert contents(folder) == before


def test_two_outputs_are_two_files(folder):
    both = folder / "out.h"
    result = kernelstream("export", folder / "m.ks", "--c", both, "--onnx", folder / "." / "out.h")
    assert result.exit_code == 2 and "--c and --onnx name the same file" in result.stderr
    result = kernelstream("train", folder / "board.csv", "-o", folder / "a.png", "--plot", folder / "a.png")
    assert result.exit_code == 2 and "-o and --plot name the same file" in result.stderr


def test_an_output_that_cannot_be_written_is_named_before_the_work(folder, monkeypatch):
    pipe = folder / "pipe"
    os.mkfifo(pipe)
    for target, says in ((folder, "is a folder"), (pipe, "is not a file, so nothing can be saved there")):
        result = kernelstream("train", folder / "board.csv", "--force", "-o", target)
        assert result.exit_code == 2 and says in result.stderr
    monkeypatch.setattr(os, "access", lambda place, mode: mode != os.W_OK)
    result = kernelstream("predict", folder / "m.ks", folder / "board.csv", "-o", folder / "p.csv")
    assert result.exit_code == 2 and f"no permission to write {folder}" in result.stderr


def test_earlier_predictions_stay_until_there_are_new_ones(folder):
    """A bad line after 4,096 good ones, which were written before it was read."""
    text = (folder / "board.csv").read_text().splitlines()
    lines = [text[0], *text[1:] * 20, "a,b,c,d"]
    (folder / "rows.csv").write_text("\n".join(lines))
    (folder / "out.csv").write_text("the old one")
    result = kernelstream("predict", folder / "m.ks", folder / "rows.csv", "-o", folder / "out.csv")
    assert result.exit_code == 1 and "is not a number" in result.stderr
    assert (folder / "out.csv").read_text() == "the old one"
    assert sorted(contents(folder)) == ["board.csv", "m.ks", "out.csv", "rows.csv"]
    succeed("predict", folder / "m.ks", folder / "board.csv", "-o", folder / "out.csv")
    assert len((folder / "out.csv").read_text().splitlines()) == 301


def test_a_plot_that_fails_leaves_the_old_one(folder, monkeypatch):
    (folder / "curve.png").write_bytes(b"the old one")

    def fail(target, *arguments, **options):
        file = target if hasattr(target, "write") else open(target, "wb")  # noqa: SIM115
        file.write(b"half of a plot")
        file.flush()
        raise OSError("No space left on device")

    monkeypatch.setattr("matplotlib.image.imsave", fail)
    result = kernelstream("inspect", folder / "m.ks", "--plot", folder / "curve.png")
    assert result.exit_code == 1 and "No space left" in result.stderr
    assert (folder / "curve.png").read_bytes() == b"the old one"


def test_saving_to_a_link_keeps_it(folder):
    (folder / "link.ks").symlink_to("m.ks")
    succeed("train", "--resume", folder / "link.ks", folder / "board.csv", "--new-data", "-q")
    assert (folder / "link.ks").is_symlink()
    assert StreamPipeline.load(folder / "m.ks").curve.now.examples == 600


def test_standard_output_and_standard_input_are_files_too(folder):
    """`>>` to the rows would read its own output for ever; `< rows -o rows` would replace them."""
    before = contents(folder)
    run = f"{sys.executable} -m kernelstream predict m.ks"
    for shell in (f"timeout 60 {run} board.csv >> board.csv", f"{run} - -o board.csv < board.csv"):
        done = subprocess.run(shell, shell=True, cwd=folder, capture_output=True, text=True)
        assert done.returncode == 2 and "the same file as the input" in done.stderr
        assert contents(folder) == before


def test_devices_and_named_pipes_take_predictions(folder):
    run = f"{sys.executable} -m kernelstream predict m.ks board.csv -o /dev/stdout"
    done = subprocess.run(run, shell=True, cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0 and len(done.stdout.splitlines()) == 301
