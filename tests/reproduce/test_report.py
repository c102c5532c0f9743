"""Verdicts, tables, ranks, pictures and pages."""

from dataclasses import replace

import numpy as np
import pytest

from kernelstream.reproduce import report, run, write_report
from kernelstream.reproduce.all_recipes import ranks_of
from kernelstream.reproduce.judging import CellResult, ComparedFigure, cell_result, count_reproduced
from kernelstream.reproduce.ranking import critical_difference, ranking
from kernelstream.reproduce.report import records_of
from kernelstream.reproduce.report_tables import comparison_table


@pytest.mark.parametrize(
    ("name", "ours", "published", "verdict"),
    [
        ("accuracy", 90.0, 92.0, True),
        ("accuracy", 89.9, 92.0, False),
        ("accuracy", 99.0, 92.0, True),
        ("error", 12.0, 10.0, True),
        ("error", 12.1, 10.0, False),
        ("rmse", 0.93, 0.90, True),
        ("rmse", 0.94, 0.90, False),
        ("svs", 115.0, 100.0, True),
        ("svs", 116.0, 100.0, False),
        ("svs", 20.0, 100.0, True),
    ],
)
def test_as_good_as_published_or_not_much_worse(name, ours, published, verdict):
    assert ComparedFigure(name, ours, None, published, True).reproduced is verdict
    assert ComparedFigure(name, ours, None, published, False).reproduced is None
    assert ComparedFigure(name, ours, None, None, True).reproduced is None


@pytest.mark.parametrize(
    ("name", "ours", "published", "verdict"),
    [
        ("accuracy", 94.0, 92.0, False),
        ("accuracy", 94.1, 92.0, True),
        ("error", 7.9, 10.0, True),
        ("svs", 84.0, 100.0, True),
        ("svs", 86.0, 100.0, False),
    ],
)
def test_much_better_than_published(name, ours, published, verdict):
    assert ComparedFigure(name, ours, None, published, True).better is verdict
    assert not ComparedFigure(name, ours, None, published, False).better


@pytest.fixture
def done(small, played, tmp_path):
    records = records_of(small, tmp_path, "full")
    list(run(small.cells, lambda cell: records, workers=1))
    return small, records, tmp_path


def test_a_table_says_published_ours_and_why(done):
    experiment, records, _ = done
    cells = [cell_result(cell, records) for cell in experiment.cells]
    found = comparison_table(experiment, cells)
    assert found.rows[0][:6] == ["checkerboard", "100", "merging", "99.5", "99.0 ± 0.1", "-0.5"]
    assert found.rows[0][-1] == "✓"
    assert found.rows[1][5] == "+12.0" and found.rows[1][-1] == "✓ [1]"  # far from the published figure, so explained
    assert found.rows[4][4] == "no data"
    assert found.notes == ["It forgets.", "gisette is not here"]
    assert count_reproduced(cells) == (4, 2, 4)


def test_pages(done, monkeypatch):
    pytest.importorskip("matplotlib")
    experiment, _, folder = done
    unrun = replace(experiment, name="unrun")
    monkeypatch.setattr(report, "experiments", lambda scale: [experiment, unrun])
    index, page = write_report(folder, "full")
    assert "| 4 | 4 | 100.0 % | 2 | 50.0 % | 2 | 0 |" in index.read_text()
    text = page.read_text()
    assert text.count("## A small table") == 1
    assert (
        text.startswith("# Koppel")
        and "4 of 4 published figures reproduced: 2 within the tolerance both ways, 2 much better." in text
        and "[1] It forgets." in text
    )
    assert "**Chosen after seeing the results:** the fields were four at first." in text


def test_ranks_and_who_cannot_be_told_apart():
    rng = np.random.default_rng(0)
    level = {"good": 3.0, "fair": 2.0, "bad": 0.0, "worst": -1.0}
    found = ranking({name: rng.normal(mean, 0.3, 30) for name, mean in level.items()})
    assert found.methods == list(level) and found.p_value < 1e-6
    # Demšar (2006), table 5: q = 2.569 for four methods at 5 %
    assert found.critical == pytest.approx(2.569 * np.sqrt(4 * 5 / (6 * 30)), abs=2e-3)
    even = ranking({name: rng.normal(0.0, 1.0, 30) for name in level})
    assert even.cliques()[0][0] == 0 and even.p_value > 1e-3
    with pytest.raises(ValueError, match="three methods or more"):
        ranking({"one": [1.0, 2.0]})


def test_the_diagram_names_every_method():
    pytest.importorskip("matplotlib")
    from matplotlib import pyplot

    figure = critical_difference(ranking({"a": [1, 2, 3], "b": [3, 3, 3.5], "c": [0, 1, 2]}), "Ranks")
    words = {text.get_text() for text in figure.axes[0].texts}
    assert {"b  1.0", "a  2.0", "c  3.0"} <= words
    pyplot.close(figure)


def test_ranks_leave_out_who_ran_seldom_and_where_not_all_ran(small):
    def cell(method, data, accuracy):
        spec = replace(small.cells[0], method=method, data=data)
        return CellResult(spec, {"accuracy": ComparedFigure("accuracy", accuracy, None, None, False)}, {}, None, 1)

    sets = [f"set {i}" for i in range(10)]
    cells = [cell(name, data, level) for name, level in (("good", 9), ("fair", 8), ("bad", 7)) for data in sets]
    cells += [cell("seldom", data, 10) for data in sets[:3]] + [cell("often", data, 1) for data in sets[:9]]
    found = ranks_of(small, cells)
    assert found.methods == ["good", "fair", "bad", "often"] and found.sets == 9
    assert ranks_of(small, cells[:20]) is None


def test_a_size_that_was_set_is_not_judged(done):
    experiment, records, _ = done
    cell = replace(experiment.cells[0], published={"accuracy": 99.5, "svs": 50})
    assert cell_result(cell, records).figures["svs"].reproduced is False
    assert cell_result(replace(cell, sized=True), records).figures["svs"].reproduced is None
