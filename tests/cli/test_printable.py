"""Text from data is shown as text: it neither steers the terminal nor is taken for markup or formulas."""

import csv
import fcntl
import io
import json
import os
import pty
import struct
import subprocess
import sys
import termios

import numpy as np
import pytest

from kernelstream.cli.printable import json_text, printable, without_formula
from kernelstream.cli.terminal import err, out

from .data import LEARN, kernelstream, told

ESCAPE, CSI, BELL, REVERSED = "\x1b[31m", "\x9b2J", "\x07", "\u202e"
LABELS = [f"yes{ESCAPE}", "[/bold] [red]no[/]", f"=1+1{CSI}", f"two\nlines{REVERSED} $\\frac{{$"]
NAME = f"a{ESCAPE}{BELL}.csv"


@pytest.fixture(scope="module")
def dirty(tmp_path_factory):
    """A file whose name, columns, categories and labels contain what a terminal, rich or a spreadsheet would obey."""
    folder = tmp_path_factory.mktemp("dirty")
    rng = np.random.default_rng(0)
    with open(folder / NAME, "w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow([f"x{ESCAPE}", "[b]z", f"kind{BELL}", "y"])
        for i in range(400):
            a, b = rng.normal(size=2)
            cell = f"bad{ESCAPE}" if i == 300 else f"{b:.4f}"
            writer.writerow([f"{a:.4f}", cell, f"red{ESCAPE}", LABELS[2 * (a > 0) + (b > 0)]])
    model = folder / "m.ks"
    result = kernelstream("train", folder / NAME, *LEARN, "-t", "y", "--skip-bad", "-o", model)
    assert result.exit_code == 0, result.output
    return folder, result


def is_clean(text):
    return text == printable(text, lines=True)


def test_what_train_shows(dirty):
    _, result = dirty
    assert is_clean(result.stdout + result.stderr)
    assert r"4 classes (=1+1\x9b2J, [/bold] [red]no[/], two\nlines\u202e $\frac{$, yes\x1b[31m)" in result.stdout
    assert r"a\x1b[31m\x07.csv, line " in result.stdout and r"'bad\x1b[31m' is not a number" in result.stdout


@pytest.mark.parametrize(
    "command",
    [
        ["inspect", "m.ks"],
        ["evaluate", "m.ks", NAME, "--skip-bad"],
        ["evaluate", "m.ks", NAME],
        ["evaluate", "m.ks", NAME, "--skip-bad", "--progressive"],
        ["predict", "m.ks", NAME],
        ["predict", "m.ks", f"none{ESCAPE}.csv"],
        ["inspect", f"none{ESCAPE}{BELL}.ks"],
        ["train", NAME, "-t", f"none{ESCAPE}"],
        ["train", NAME, "-o", f"new{ESCAPE}.ks", "-t", "y", *LEARN],
        ["compare", NAME, "-t", "y", "-a", "default", *LEARN],
        ["compare", NAME, "-t", "y", "-a", "default", "--skip-bad", *LEARN],
        ["export", "m.ks", "--c", f"h{ESCAPE}.h"],
    ],
)
def test_what_other_commands_show(dirty, monkeypatch, command):
    monkeypatch.chdir(dirty[0])
    for more in ([], ["--json"]) if command[0] != "predict" else ([],):
        before = set(os.listdir())
        result = kernelstream(*command, *more)
        for name in set(os.listdir()) - before:
            os.unlink(name)
        shown = result.stderr if command[0] == "predict" else result.stdout + result.stderr
        assert is_clean(shown) and shown and "Traceback" not in shown


def in_a_terminal(command, folder):
    """The bytes that a terminal of 200 columns gets."""
    terminal, its_end = pty.openpty()
    fcntl.ioctl(its_end, termios.TIOCSWINSZ, struct.pack("HHHH", 50, 200, 0, 0))
    process = subprocess.Popen(command, cwd=folder, stdin=its_end, stdout=its_end, stderr=its_end, env=os.environ)
    os.close(its_end)
    found = b""
    while True:
        try:
            more = os.read(terminal, 65536)
        except OSError:  # all of it was read
            break
        if not more:
            break
        found += more
    os.close(terminal)
    assert process.wait() == 0
    return found.decode()


def test_predictions_in_a_terminal_and_in_a_pipe(dirty):
    command = [sys.executable, "-m", "kernelstream", "predict", "m.ks", NAME, "--skip-bad"]
    piped = subprocess.run(command, cwd=dirty[0], capture_output=True, text=True, check=True).stdout
    assert {row["prediction"] for row in csv.DictReader(io.StringIO(piped, newline=""))} == set(LABELS)
    shown = in_a_terminal(command, dirty[0])
    assert is_clean(shown.replace("\r\n", "\n")) and r"yes\x1b[31m" in shown


def test_predictions_as_json_are_the_labels(dirty, monkeypatch):
    monkeypatch.chdir(dirty[0])
    text = kernelstream("predict", "m.ks", NAME, "--skip-bad", "--to", "jsonl", "--proba").stdout
    assert is_clean(text)
    rows = [json.loads(line) for line in text.splitlines()]
    assert {row["prediction"] for row in rows} == set(LABELS)
    assert all(f"probability_{label}" in rows[0] for label in LABELS)


def test_formulas_are_escaped_if_asked(dirty, monkeypatch):
    monkeypatch.chdir(dirty[0])
    command = ["predict", "m.ks", NAME, "--skip-bad", "-o", "p.csv"]
    for option, wanted in (([], LABELS[2]), (["--escape-formulas"], f"'{LABELS[2]}")):
        assert kernelstream(*command, *option).exit_code == 0
        with open("p.csv", newline="") as file:
            labels = {row["prediction"] for row in csv.DictReader(file)}
        assert labels == {LABELS[0], LABELS[1], LABELS[3], wanted}
    os.unlink("p.csv")
    result = kernelstream(*command, "--to", "jsonl", "--escape-formulas")
    assert result.exit_code == 2 and "--escape-formulas is for CSV" in result.stderr


@pytest.mark.parametrize("start", "=+-@\t\r\n＝")
def test_what_begins_a_formula(start):
    assert without_formula(f"{start}cmd") == f"'{start}cmd"
    assert without_formula(f"a{start}cmd") == f"a{start}cmd"


@pytest.mark.parametrize("cell", ["", "-1", "+1.5e-3", "yes", -1, 0.5, True])
def test_what_is_no_formula(cell):
    assert without_formula(cell) == cell


def test_plots_of_labels_like_formulas(dirty, monkeypatch, tmp_path):
    monkeypatch.chdir(dirty[0])
    result = kernelstream("evaluate", "m.ks", NAME, "--skip-bad", "--plot", tmp_path / "p.png")
    assert result.exit_code == 0 and (tmp_path / "p.png").stat().st_size > 1000


def test_file_names_that_are_no_text(dirty, tmp_path):
    """Bytes that are no characters cannot even be printed."""
    name = os.fsdecode(b"b\xff.csv")
    (tmp_path / name).write_bytes((dirty[0] / NAME).read_bytes())
    (tmp_path / "c.csv").write_bytes((dirty[0] / NAME).read_bytes())
    result = kernelstream("predict", dirty[0] / "m.ks", tmp_path / name, tmp_path / "c.csv", "--skip-bad")
    assert result.exit_code == 0
    assert r"b\udcff.csv" in result.stdout and r"b\udcff.csv, line" in result.stderr
    found = told("evaluate", dirty[0] / "m.ks", tmp_path / name, "--skip-bad")
    assert found["skipped"] == 1


def test_all_control_characters():
    every = "".join(map(chr, [*range(0x20), *range(0x7F, 0xA0), 0x2028, 0x202E, 0x2066, 0xDC80]))
    assert printable(every).isprintable() and printable(every).isascii()
    assert printable("a\tb\nc", lines=True) == "a\tb\nc"
    assert json.loads(json_text([every])) == [every] and json_text([every]).isprintable()
    kept = "naïve 中文 עברית 🙂 a\u200db"  # a joiner, which scripts need
    assert printable(kept) == kept


@pytest.mark.parametrize("console", [out, err])
def test_consoles_take_no_markup(console, capsys):
    console().print(f"[red]x[/] [/no] :smile: {ESCAPE}")
    shown = capsys.readouterr()
    assert shown.out + shown.err == "[red]x[/] [/no] :smile: \\x1b[31m\n"
