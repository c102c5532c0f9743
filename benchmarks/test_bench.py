"""The benchmarks' own machinery: what is judged, what is listed, what is written. Nothing here measures."""

import json
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from benchmarks import __main__ as command
from benchmarks.clock import in_turn, slope
from benchmarks.figure import Bar, Figure, Result, Run, cells
from benchmarks.figures import FAMILIES, FIGURES
from benchmarks.figures.predict import sgemm
from benchmarks.plots import draw


def test_every_figure_is_listed_once_under_its_name() -> None:
    listed = [figure for family in FAMILIES for figure in family.FIGURES]
    assert len(listed) == len(FIGURES)
    assert all(FIGURES[figure.name] is figure and figure.about for figure in listed)


@pytest.mark.parametrize("power", [0.5, 1.0, 2.0])
def test_the_slope_is_the_power_whatever_the_factor(power: float) -> None:
    sizes = [1e5, 3e5, 1e6, 1e7]
    assert slope(sizes, [7e-6 * n**power for n in sizes]) == pytest.approx(power)


def test_a_bar_needs_what_goes_with_it() -> None:
    fast = Result("f", 1.0, 4.0, ratio=0.25, bar=Bar(high=0.3))
    assert fast.passed is True
    assert fast._replace(also=False).passed is False
    assert fast._replace(ratio=0.31).passed is False
    assert fast._replace(ratio=float("nan")).passed is False
    assert fast._replace(bar=None).passed is None


def test_without_a_ratio_the_amount_itself_is_judged() -> None:
    assert Result("first fit", 7.9, unit="s", bar=Bar(high=8.0)).passed is True
    assert cells(Result("first fit", 7.9, unit="s", bar=Bar(high=8.0))) == ("first fit", "7.90 s", "", "", "≤ 8.00")


def test_sides_are_timed_in_turn() -> None:
    order: list[str] = []

    def side(name: str, taken: float) -> float:
        order.append(name)
        return taken

    sides = {"a": partial(side, "a", 1.0), "b": partial(side, "b", 2.0)}
    assert in_turn(sides, 2) == {"a": [1.0, 1.0], "b": [2.0, 2.0]}
    assert order == ["a", "b"] * 3


def test_the_product_in_blocks_is_the_product() -> None:
    rng = np.random.default_rng(0)
    X, S = rng.random((7, 3), np.float32), rng.random((3, 4), np.float32)
    out = np.empty((4, 4), np.float32)
    sgemm(X, S, out)
    np.testing.assert_allclose(out[:3], X[4:] @ S, rtol=1e-6)


def test_the_command_writes_what_it_found_and_fails_on_a_miss(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    curve = {"panel": "n", "x": [1, 10], "us": {"pass": [1.0, 1.0]}}

    def measure(run: Run) -> Iterator[Result]:
        yield Result("made up", 2.0, 1.0, ratio=2.0, bar=Bar(high=1.5), details=curve)
        raise KeyboardInterrupt

    path = tmp_path / "new" / "r.json"
    monkeypatch.setattr(command, "FIGURES", {"made": Figure("made", "up", measure)})
    monkeypatch.setattr("sys.argv", ["bench", "--only", "made", "--json", str(path), "--plots", str(tmp_path)])
    assert command.main() == 1
    (found,) = json.loads(path.read_text(encoding="utf-8"))["results"]
    assert (found["ratio"], found["bar"], found["passed"]) == (2.0, {"low": None, "high": 1.5}, False)
    assert (tmp_path / "cost.png").stat().st_size > 1000


def test_figures_on_real_data_are_left_out_without_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("KERNELSTREAM_DATA", raising=False)
    monkeypatch.setattr("benchmarks.data.CACHE", tmp_path)
    monkeypatch.setenv("KERNELSTREAM_CACHE", str(tmp_path))
    notes: list[str] = []
    for name in ("letter", "sparse", "pipelines"):
        assert list(FIGURES[name].measure(Run(quick=True, note=notes.append))) == []
    assert len(notes) == 6
    assert all("is left out" in note and "KERNELSTREAM_DATA" in note for note in notes)


def test_nothing_to_draw_draws_nothing(tmp_path: Path) -> None:
    assert draw(tmp_path, [Result("no curve")]) == []
    assert not list(tmp_path.iterdir())
