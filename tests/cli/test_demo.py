"""The demo: its table names every recipe that ran, its picture is written, and its promises hold."""

import importlib.util

import pytest

from kernelstream.cli.demo.demo_entries import BUDGET, ENTRIES, JOBS
from kernelstream.cli.demo.demo_run import run_entry
from tests.cli.data import kernelstream, succeed

PNG = b"\x89PNG\r\n"


def test_every_entry_has_exactly_one_job():
    assert sorted(key for job in JOBS for key in job) == sorted(ENTRIES)


def test_table_and_picture(tmp_path):
    path = tmp_path / "folder" / "board.png"
    printed = succeed("demo", "--examples", 2000, "--recipes", "merge,remove", "--workers", 1, "--output", path)
    for key, entry in ENTRIES.items():
        assert (f"│ {entry.name}" in printed) == (key in ("merge", "remove"))
    assert path.name in printed.replace("\n", "")
    assert path.read_bytes().startswith(PNG)


def test_merging_learns_what_removal_forgets_and_only_the_unlimited_grows():
    merge, remove, unlimited = (run_entry(key, 20_000, lambda news: None) for key in ("merge", "remove", "unlimited"))
    assert merge.accuracy > 0.95 > 0.9 > remove.accuracy
    assert merge.support == remove.support == BUDGET
    assert unlimited.support > 5 * BUDGET
    assert unlimited.examples == 4_000


def test_news_counts_every_example():
    news = []
    result = run_entry("merge", 2_500, news.append)
    assert [item.done for item in news] == [0, 1_000, 2_000, 2_500]
    assert news[-1].accuracy == result.progressive
    assert result.curve[0, -1] == 2_500


@pytest.mark.parametrize("absent", ["rich", "matplotlib"])
def test_a_missing_extra_is_named(monkeypatch, absent):
    found = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == absent else found(name))
    result = kernelstream("demo")
    assert result.exit_code == 3
    assert 'pip install "kernelstream[demo]"' in result.stderr


def test_an_unknown_entry_is_named():
    result = kernelstream("demo", "--recipes", "svm")
    assert result.exit_code == 2
    assert "unknown recipe 'svm' of the demo. Available: unlimited, remove, " in result.stderr
