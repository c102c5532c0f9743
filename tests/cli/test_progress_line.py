"""The line beside the progress bar."""

import pytest

from kernelstream.cli.terminal import _line
from kernelstream.pipeline import TrainingProgress

PROGRESS = TrainingProgress(249_856, 0, 0.43, 0.793, 0.775, 25_600, 500, 344_064, 0)


def test_everything_is_shown_where_there_is_room():
    line = "249,856 rows · 78,104/s · accuracy 79.3 %, last 25,600 rows 77.5 % · 500 SVs · 336 KiB"
    assert _line(PROGRESS, 78_104.2, "accuracy") == line
    assert _line(PROGRESS, 78_104.2, "accuracy", width=len(line)) == line
    assert "RMSE 0.793, last 25,600 rows 0.775" in _line(PROGRESS, 78_104.2, "rmse")


@pytest.mark.parametrize(
    ("width", "shown"),
    [
        (80, "249,856 rows · 78,104/s · accuracy 79.3 %, last 25,600 rows 77.5 % · 500 SVs"),
        (68, "249,856 rows · 78,104/s · accuracy 79.3 %, last 25,600 rows 77.5 %"),
        (40, "249,856 rows · accuracy 79.3 %, last 25,600 rows 77.5 %"),
    ],
)
def test_a_narrow_terminal_shows_less(width, shown):
    assert _line(PROGRESS, 78_104.2, "accuracy", width) == shown


def test_skipped_lines_are_always_counted():
    assert _line(PROGRESS._replace(skipped=1_000), 1.0, "accuracy", width=10).endswith(" · 1,000 skipped")
