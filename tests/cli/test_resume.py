"""A run that is stopped goes on as if it had not been: the file it ends in is the same, byte for byte."""

import fcntl
import os
import pty
import signal
import subprocess
import sys
import termios
import threading
import time
from dataclasses import replace
from pathlib import Path

import pytest

from kernelstream.pipeline import Settings, StreamPipeline, Training, run
from kernelstream.readers import Options

from .data import LEARN, board, kernelstream, succeed, told, write

SETTINGS = Settings(
    parameters={"gamma": 4.0, "budget": 40},
    scale="none",
    first=100,
    missing="mean",
    epochs=2,
    reading=Options(target="y"),
)


def quiet(news):
    pass


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    """Two files with bad lines, gaps, and words that come late."""
    folder = tmp_path_factory.mktemp("data")
    frame = board(1200)
    frame.loc[700:, "colour"] = "late"
    frame.loc[::50, "b"] = None
    for part, name in ((frame[:800], "a.csv"), (frame[800:], "b.jsonl")):
        write(part, folder / name)
    text = (folder / "a.csv").read_text().splitlines()
    (folder / "a.csv").write_text("\n".join([*text[:150], "what", *text[150:300], "1,2,red,grey", *text[300:]]))
    return [str(folder / "a.csv"), str(folder / "b.jsonl")]


@pytest.fixture(scope="module")
def whole(data, tmp_path_factory):
    """The file of a run that nothing interrupted."""
    path = tmp_path_factory.mktemp("whole") / "m.ks"
    assert run(Training.start(data, SETTINGS, skip_bad=True), path, 0, quiet).saved
    trained = StreamPipeline.load(path)
    # one line is no row, and one label is grey, which a scan of small files takes for a class
    assert trained.position.bad == 1 and trained.curve.now.examples == 2 * 1201
    assert trained.intake.preparation.width == 6
    return path.read_bytes()


@pytest.mark.parametrize("stops", [[1], [2, 3], [4, 1, 1], [7, 1], [9]])
def test_a_run_in_pieces_ends_in_the_same_file(data, whole, tmp_path, stops):
    path = tmp_path / "m.ks"
    training = Training.start(data, SETTINGS, skip_bad=True)
    for count in stops:
        steps = training.steps()
        for _ in range(count + (training.pipeline is None)):
            next(steps)
        steps.close()
        training.pipeline.save(path)
        training = Training.resume(StreamPipeline.load(path), skip_bad=True)
    run(training, path, 0, quiet)
    assert path.read_bytes() == whole


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_saves_what_was_learned(data, whole, tmp_path, number):
    path = tmp_path / "m.ks"

    def interrupt(news):
        if news.examples > 500:
            os.kill(os.getpid(), number)

    before = signal.getsignal(number)
    outcome = run(Training.start(data, SETTINGS, skip_bad=True), path, 0, interrupt)
    assert outcome.signal == number and outcome.saved
    assert signal.getsignal(number) is before
    assert 500 < StreamPipeline.load(path).curve.now.examples < 1100
    run(Training.resume(StreamPipeline.load(path), skip_bad=True), path, 0, quiet)
    assert path.read_bytes() == whole


def test_hanging_up_twice_saves_too(data, tmp_path):
    """As kernel and shell do when a terminal is closed."""
    path = tmp_path / "m.ks"

    def interrupt(news):
        if news.examples > 500:
            os.kill(os.getpid(), signal.SIGHUP)
            os.kill(os.getpid(), signal.SIGHUP)

    outcome = run(Training.start(data, SETTINGS, skip_bad=True), path, 0, interrupt)
    assert outcome.saved and outcome.signal == signal.SIGHUP
    assert StreamPipeline.load(path).curve.now.examples > 500


def test_a_signal_that_is_ignored_stays_so(data, whole, tmp_path):
    """As nohup asks for."""
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        training = Training.start(data, SETTINGS, skip_bad=True)
        outcome = run(training, tmp_path / "m.ks", 0, lambda news: os.kill(os.getpid(), signal.SIGHUP))
    finally:
        signal.signal(signal.SIGHUP, before)
    assert outcome.signal is None and (tmp_path / "m.ks").read_bytes() == whole


def test_a_terminal_that_is_closed(data, tmp_path):
    """The hang-up ends the run, and what was learned is saved although nothing can be shown any more."""
    path = tmp_path / "m.ks"
    learn = [data[0], *LEARN, "--missing", "mean", "--skip-bad", "--epochs", "10000", "-o", path]
    terminal, its_end = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "kernelstream", "train", *map(str, learn), "--checkpoint-every", "1000"],
        stdin=its_end, stdout=its_end, stderr=its_end, start_new_session=True,
        preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
    )  # fmt: skip
    os.close(its_end)
    while not path.exists():
        assert process.poll() is None
        os.read(terminal, 100_000)
    before = StreamPipeline.load(path).curve.now.examples
    os.close(terminal)
    process.wait(60)
    trained = StreamPipeline.load(path)
    assert trained.curve.now.examples >= before and not trained.position.finished
    assert process.returncode == 129
    assert [file.name for file in tmp_path.iterdir()] == ["m.ks"]


def test_a_second_signal_leaves_the_last_checkpoint(data, tmp_path):
    path = tmp_path / "m.ks"

    def interrupt(news):
        if news.examples > 500:
            os.kill(os.getpid(), signal.SIGINT)
            os.kill(os.getpid(), signal.SIGINT)

    with pytest.raises(KeyboardInterrupt):
        run(Training.start(data, SETTINGS, skip_bad=True), path, 100, interrupt)
    assert StreamPipeline.load(path).curve.now.examples == 256


def test_a_signal_is_heard_while_rows_are_awaited(tmp_path, monkeypatch):
    """From a pipe that stalls: learned is what came, and there is no waiting for more."""
    read, written = os.pipe()
    text = "a,b,y\n" + "".join(f"{i % 4},{i % 3},{i % 2}\n" for i in range(20_000))
    threading.Thread(target=os.write, args=(written, text.encode()), daemon=True).start()
    pipe = os.fdopen(read)
    monkeypatch.setattr("sys.stdin", pipe)

    def interrupt_soon(news):
        if news.examples == 16:
            threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)).start()

    outcome = run(Training.start(["-"], replace(SETTINGS, epochs=1)), tmp_path / "m.ks", 0, interrupt_soon)
    os.close(written)
    pipe.close()
    assert outcome.signal == signal.SIGINT and outcome.saved
    assert StreamPipeline.load(tmp_path / "m.ks").curve.now.examples > 16


def test_the_same_data_elsewhere_more_data_and_more_passes(data, tmp_path):
    path = tmp_path / "m.ks"
    learn = ["train", data[0], *LEARN, "--missing", "zero", "--skip-bad", "-o", path, "--classes", "black,white"]
    assert told(*learn, "--limit", 300)["examples"] == 299  # one of them is grey
    moved = tmp_path / "moved.csv"
    moved.write_bytes(Path(data[0]).read_bytes())
    assert told("train", "--resume", path, moved, "--limit", 500, "--skip-bad")["examples"] == 499
    result = kernelstream("train", "--resume", path, moved, data[1], "--skip-bad")
    assert "The number of files is 2, but the run to resume has 1." in result.stderr
    assert told("train", "--resume", path, data[1], "--new-data", "--limit", 100)["examples_this_run"] == 100
    assert told("train", "--resume", path, "--epochs", 2)["examples_this_run"] == 100
    assert "No rows left to learn" in kernelstream("train", "--resume", path).stderr


def test_bad_data_keeps_what_was_learned(tmp_path):
    write(board(1000, words=False), tmp_path / "a.csv")
    good = (tmp_path / "a.csv").read_text()
    lines = good.splitlines()
    (tmp_path / "a.csv").write_text("\n".join([*lines[:700], "a,b,c", *lines[701:]]) + "\n")
    path = tmp_path / "m.ks"
    # nothing may depend on the row that is bad at first, not even the mean of the first rows
    learn = ["train", tmp_path / "a.csv", *LEARN, "--missing", "refuse", "-o", path]
    result = kernelstream(*learn)
    assert result.exit_code == 1
    assert "a.csv, line 701, column 1 ('a'): 'a' is not a number" in result.stderr
    assert f"The model of the 512 rows before that is saved in {path}; --resume continues it." in result.stderr
    (tmp_path / "a.csv").write_text(good)
    assert told("train", "--resume", path)["examples"] == 1000
    succeed("train", tmp_path / "a.csv", *LEARN, "--missing", "refuse", "-o", tmp_path / "n.ks")
    assert path.read_bytes() == (tmp_path / "n.ks").read_bytes()


def test_a_killed_process_goes_on_from_its_last_checkpoint(tmp_path):
    """A pipe that stalls, SIGKILL, and the whole of the data piped again: the model is that of one run."""
    write(board(3000, words=False), tmp_path / "a.csv")
    text = (tmp_path / "a.csv").read_bytes()
    path = tmp_path / "m.ks"
    command = [sys.executable, "-m", "kernelstream", "train"]
    learn = ["-", *LEARN, "--target", "y", "--first", "200", "--checkpoint-every", "700", "-o", str(path)]
    process = subprocess.Popen([*command, *learn], stdin=subprocess.PIPE)
    process.stdin.write(text[: 2 * len(text) // 3])
    process.stdin.flush()
    deadline = time.monotonic() + 120
    while not path.exists() and process.poll() is None and time.monotonic() < deadline:
        time.sleep(0.05)
    process.kill()
    assert process.wait() == -signal.SIGKILL
    process.stdin.close()
    kept = StreamPipeline.load(path)
    assert 700 <= kept.curve.now.examples < 2000 and not kept.position.finished
    succeed("train", "--resume", path, "-", input=text)
    succeed("train", "-", *LEARN, "--target", "y", "--first", "200", "-o", tmp_path / "n.ks", input=text)
    assert path.read_bytes() == (tmp_path / "n.ks").read_bytes()
