"""A person who waits for the compiler is told so, once; a program is not."""

import io
import logging
from types import SimpleNamespace

import pytest
from numba import config

from kernelstream.core.numba import notice, versions
from kernelstream.core.numba.cache import specialise
from kernelstream.core.numba.lowering import exact_entry


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.fixture
def terminal(monkeypatch):
    # pytest puts its own stderr into `sys` when the test starts
    monkeypatch.setattr(notice, "sys", SimpleNamespace(stderr=Terminal(), modules={}))
    monkeypatch.setitem(notice._state, "ended", -notice.TOGETHER)
    monkeypatch.delenv("KERNELSTREAM_QUIET", raising=False)
    return notice.sys.stderr


def compile_twice() -> None:
    for _ in range(2):
        assert notice.told(lambda value: 2 * value, "doubled", True)(21) == 42


def test_one_wait_is_announced_once(terminal):
    compile_twice()
    assert terminal.getvalue() == notice.NOTICE + "\n"


def test_a_later_wait_is_announced_again(terminal):
    compile_twice()
    notice._state["ended"] -= notice.TOGETHER
    compile_twice()
    assert terminal.getvalue().count(notice.NOTICE) == 2


@pytest.mark.skipif(config.DISABLE_JIT, reason="nothing is compiled")
@pytest.mark.parametrize("make", [lambda f: specialise(f, "of_a_test", False), exact_entry])
def test_whatever_is_compiled_is_announced(terminal, make, tmp_path, monkeypatch):
    """Also in the middle of a stream, when a new class needs other code."""
    monkeypatch.setattr(config, "CACHE_DIR", str(tmp_path))

    def doubled(value):
        return 2 * value

    entry = make(doubled)
    assert terminal.getvalue() == ""
    assert entry(21) == 42 and entry(21) == 42
    assert terminal.getvalue() == notice.NOTICE + "\n"
    notice._state["ended"] -= notice.TOGETHER
    assert entry(1.5) == 3.0, "floats are another signature"
    assert terminal.getvalue().count(notice.NOTICE) == 2


def test_a_notebook_is_interactive(terminal, monkeypatch):
    monkeypatch.setattr(notice, "sys", SimpleNamespace(stderr=io.StringIO(), modules={"ipykernel": None}))
    compile_twice()
    assert notice.NOTICE in notice.sys.stderr.getvalue()


@pytest.mark.parametrize("error", [io.StringIO(), None])
def test_silent_where_nobody_waits(terminal, monkeypatch, error):
    monkeypatch.setattr(notice.sys, "stderr", error)
    compile_twice()
    assert error is None or error.getvalue() == ""


def test_silent_on_request(terminal, monkeypatch):
    monkeypatch.setenv("KERNELSTREAM_QUIET", "1")
    compile_twice()
    assert terminal.getvalue() == ""


@pytest.mark.parametrize("level", [logging.ERROR, logging.INFO])
def test_who_sets_the_level_of_the_log_reads_the_log(terminal, caplog, level):
    caplog.set_level(level, "kernelstream")
    compile_twice()
    assert terminal.getvalue() == ""
    assert len(caplog.messages) == (4 if level == logging.INFO else 0)


def test_an_error_of_the_compiler_passes(terminal):
    with pytest.raises(ZeroDivisionError):
        notice.told(lambda: 1 / 0, "nonsense", True)()


def test_a_numba_that_is_too_old_is_named():
    with pytest.raises(ImportError, match=r"needs numba 0\.60 or newer, and this is 0\.59\.1: pip install"):
        versions.check_numba("0.59.1")


def test_a_numba_that_is_too_new_is_a_warning():
    with pytest.warns(RuntimeWarning, match=r"tested with numba 0\.60 to 0\.68, and this is 0\.69\.0rc1"):
        versions.check_numba("0.69.0rc1")


@pytest.mark.parametrize("version", ["0.60.0", "0.68.1", "0.0.0+unknown", "own build"])
def test_any_other_numba_is_accepted(version):
    versions.check_numba(version)
