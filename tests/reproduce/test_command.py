"""`kernelstream reproduce`."""

import pytest

from kernelstream.reproduce import Trial

from ..cli.data import kernelstream, succeed


@pytest.fixture
def without_data(monkeypatch, tmp_path):
    """A machine with neither data nor a network."""
    monkeypatch.delenv("KERNELSTREAM_DATA", raising=False)
    monkeypatch.setenv("KERNELSTREAM_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr("socket.getaddrinfo", _unreachable)


def _unreachable(*arguments, **options):
    raise OSError("no network")


@pytest.fixture
def quick_trials(played, monkeypatch):
    def outcome(trial):
        return {"accuracy": 90.0, "svs": 10, "seconds": 1.0, "bytes": 1000, "examples": 1000}

    monkeypatch.setattr(Trial, "run", outcome)


def test_without_data_it_says_what_is_missing_and_runs_the_generated_sets(without_data, quick_trials, tmp_path):
    done = kernelstream("reproduce", "bpegasos", "--only", "table1", "-o", str(tmp_path / "out"), "--workers", "1")
    assert done.exit_code == 0, done.output
    said = done.stderr
    for name in ("usps", "letter", "covertype"):
        assert f"Left out {name}: " in said
    assert "put usps.bz2 (LIBSVM text, bzip2) into a folder and set KERNELSTREAM_DATA to it" in said
    page = (tmp_path / "out" / "bpegasos.md").read_text()
    assert page.count("not run") == 3 * 11
    assert "| checkerboard | 100 | merging | 99.5 | 90.0 | -9.5 |" in page


def test_unknown_papers_and_tables_are_mistakes_of_the_command():
    done = kernelstream("reproduce", "svm")
    assert done.exit_code == 2 and "unknown paper 'svm'. Available: beyond, " in done.stderr
    done = kernelstream("reproduce", "polk", "--only", "table1")
    assert done.exit_code == 2 and "These papers have no such table or figure." in done.stderr


def test_one_data_set(quick_trials, tmp_path):
    succeed("reproduce", "bpegasos", "--only", "table1", "--data", "checkerboard", "-o", tmp_path, "--workers", "1")
    page = (tmp_path / "bpegasos.md").read_text()
    assert page.count("not run") == 4 * 11
    done = kernelstream("reproduce", "polk", "--data", "usps", "-o", tmp_path)
    assert done.exit_code == 2 and "unknown data set 'usps'. Available in these experiments: mixture." in done.stderr


def test_a_report_runs_nothing(quick_trials, tmp_path, monkeypatch):
    succeed("reproduce", "polk", "-o", str(tmp_path), "--workers", "1", "--report")
    assert "| **all** | 0 | 0 |" in (tmp_path / "README.md").read_text()


def test_a_log_tells_how_far_it_is(quick_trials, tmp_path, monkeypatch):
    monkeypatch.setattr("kernelstream.cli.terminal._LOG_EVERY", 0.0)
    done = kernelstream("reproduce", "polk", "--only", "figures", "-o", str(tmp_path), "--workers", "1")
    assert "1 of " in done.stderr and " runs · " in done.stderr
