"""The benchmark of prediction intervals, on a made-up set."""

import bz2
from pathlib import Path

import numpy as np
import pytest

from benchmarks import intervals


def test_a_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(1500, 2))
    y = 7.0 + 3.0 * np.sin(X[:, 0]) + 0.3 * rng.normal(size=1500)
    lines = (f"{t:.9g} " + " ".join(f"{j + 1}:{v:.9g}" for j, v in enumerate(x)) for x, t in zip(X, y, strict=True))
    (tmp_path / "space_ga.bz2").write_bytes(bz2.compress("\n".join(lines).encode() + b"\n"))
    monkeypatch.setenv("KERNELSTREAM_DATA", str(tmp_path))
    monkeypatch.setattr(intervals, "SHUFFLES", 1)
    intervals.main(["space_ga", "abalone"])
    told = capsys.readouterr()
    assert "abalone is left out" in told.err
    rows = [line for line in told.out.splitlines() if line.startswith("| space_ga")]
    assert [row.split("|")[1].strip() for row in rows] == [
        f"space_ga, {way}" for way in ("fit", "fit, one width", "stream", "stream, one width")
    ]
    for row in rows:
        cells = [cell.split(",") for cell in row.split("|")[2:-1]]
        inside, widths = ([float(cell[k]) for cell in cells] for k in (0, 1))
        np.testing.assert_allclose(inside, [50.0, 80.0, 90.0, 95.0], atol=15.0)
        assert widths == sorted(widths) and widths[0] < 0.5
