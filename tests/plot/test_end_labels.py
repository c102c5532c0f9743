"""Many lines: their labels do not overlap, and each line can be told from the others."""

import io
from itertools import pairwise

import numpy as np
import pytest

pytest.importorskip("matplotlib")

from matplotlib import pyplot

from kernelstream.evaluate import Point, Progress
from kernelstream.plot import LearningCurveDisplay
from kernelstream.plot.end_labels import spread


@pytest.fixture(autouse=True)
def closed():
    yield
    pyplot.close("all")


@pytest.mark.parametrize("seed", range(5))
def test_heights_keep_their_order_and_their_distance(seed):
    wanted = np.random.default_rng(seed).choice([0.0, 0.31, 0.3, 0.98, 1.0], 12)
    found = np.array(spread(wanted.tolist(), 0.05))
    order = np.argsort(wanted, kind="stable")
    assert (np.diff(found[order]) > 0.0499).all() and found.max() <= 1.0 + 1e-9
    assert spread([0.2, 0.9], 0.05) == pytest.approx([0.2, 0.9])  # what is apart stays


def _results(count, metric="accuracy"):
    """Curves that end close to each other, and one far from them."""
    ends = np.append(np.linspace(0.80, 0.81, count - 1), 0.5 if metric == "accuracy" else 90.0)
    found = {}
    for i, end in enumerate(ends.tolist()):
        points = [Point(100 * k, 100 * k, end * k / 20, end, 5, 0.1, 10) for k in range(1, 21)]
        found[f"recipe_{i}"] = Progress.of(metric, points)
    return found


@pytest.mark.parametrize("metric", ["accuracy", "rmse"])
def test_labels_at_the_ends(metric):
    results = _results(12, metric)
    display = LearningCurveDisplay(results).plot(window=False, ends=True)
    display.figure_.savefig(io.BytesIO(), format="png")
    texts = [text for text in display.ax_.texts if text.get_text()]
    assert [text.get_text().split()[-1] for text in texts] == list(results) and display.ax_.get_legend() is None
    boxes = sorted((text.get_window_extent() for text in texts), key=lambda box: box.y0)
    assert all(lower.y1 <= upper.y0 + 1.0 for lower, upper in pairwise(boxes))
    # all labels are within the figure
    assert all(box.x1 <= display.figure_.bbox.x1 for box in boxes)
    looks = {(line.get_color(), line.get_marker(), str(line._dash_pattern)) for line in display.lines_.values()}
    assert len(looks) == 12
    assert display.ax_.get_yscale() == ("linear" if metric == "accuracy" else "log")
