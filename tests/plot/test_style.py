"""The palette can be told apart by everyone, and matplotlib is asked for by name."""

import itertools
import runpy
import sys

import numpy as np
import pytest
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure

from kernelstream.plot import style

# how red-blind and green-blind eyes see linear RGB (Viénot, Brettel & Mollon 1999)
BLIND = {
    "nobody": np.eye(3),
    "red": [[0.11238, 0.88762, 0.0], [0.11238, 0.88762, 0.0], [0.00401, -0.00401, 1.0]],
    "green": [[0.29275, 0.70725, 0.0], [0.29275, 0.70725, 0.0], [-0.02234, 0.02234, 1.0]],
}


def lab(colour, eyes):
    rgb = np.array(to_rgb(colour))
    linear = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    seen = np.clip(np.asarray(BLIND[eyes]) @ linear, 0, 1)
    xyz = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]]) @ seen
    f = np.cbrt(xyz / [0.9505, 1.0, 1.089])
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


@pytest.mark.parametrize("eyes", BLIND)
def test_colours_differ_to_all_eyes(eyes):
    """By ten and more of the units of which one is just noticeable, and from a white page by thirty."""
    colours = [lab(colour, eyes) for colour in style.PALETTE]
    assert min(np.linalg.norm(a - b) for a, b in itertools.combinations(colours, 2)) > 10
    assert min(np.linalg.norm(c - [100, 0, 0]) for c in colours) > 30
    assert np.linalg.norm(lab(style.BLUE, eyes) - lab(style.ORANGE, eyes)) > 40


def test_lines_differ_by_more_than_hue():
    looks = [style.line(i) for i in range(24)]
    assert len({(look["color"], str(look["linestyle"])) for look in looks}) == len(looks)
    assert all(a["linestyle"] != b["linestyle"] for a, b in itertools.pairwise(looks))


@pytest.mark.parametrize(("high", "labels"), [(30.0, [1, 2, 5, 10, 20]), (1e4, [1, 10, 100, 1000, 10000])])
def test_logarithmic_axes_have_labels_enough_and_not_too_many(high, labels):
    axes = Figure().subplots()
    axes.plot([1.0, high], [0.0, 1.0])
    axes.set(xscale="log", xlim=(1.0, high))
    style.quiet(axes, counts="x")
    assert [tick for tick in axes.get_xticks() if 1.0 <= tick <= high] == labels


def test_tints_go_to_white():
    assert style.tint("#000000", 0.0) == (1.0, 1.0, 1.0)
    assert style.tint("#336699", 1.0) == pytest.approx(to_rgb("#336699"))


def test_without_matplotlib_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib.colors", None)
    with pytest.raises(ImportError, match=r'pip install "kernelstream\[plot\]"'):
        runpy.run_path(style.__file__)
