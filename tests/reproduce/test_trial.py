"""Single trials, on generated data."""

import pytest

from kernelstream.reproduce import Trial

MERGING = {"recipe": "bsgd", "width": 16.0, "lam": 1e-4, "budget": 50, "maintenance": "merge"}


def test_one_pass_and_test_rows():
    trial = Trial("checkerboard", "bpegasos", MERGING, seed=1, rows=3000)
    found = trial.run()
    assert found["accuracy"] > 80.0 and found["svs"] == 50 and found["examples"] == 3000
    again = trial.run()
    assert again["accuracy"] == found["accuracy"] and again["parameters"] == MERGING


def test_tuning_keeps_to_the_training_rows():
    found = Trial("checkerboard", "bpegasos", MERGING, seed=0, rows=3000, tuning=1000).run()
    assert found["examples"] == 800


def test_predicted_then_learned():
    found = Trial("waveform", "olrd", {**MERGING, "width": 0.05}, seed=0, protocol="online", rows=2000).run()
    assert 5.0 < found["error"] < 30.0 and found["svs"] == 50


def test_a_curve():
    found = Trial("checkerboard", "bpegasos", MERGING, 0, "curve", rows=3000, moments=(100, 1000, 3000)).run()
    first, _, last = found["curve"]
    assert [point["examples"] for point in found["curve"]] == [100, 1000, 3000]
    assert last["accuracy"] > first["accuracy"] and last["objective"] < first["objective"]
    assert found["accuracy"] == last["accuracy"]


def test_a_size_is_sought():
    given = {"recipe": "nbsgd", "width": 16.0, "beta": "0.6n", "maintenance": "smallest"}
    sought = {"budget": {"size": 60, "low": 60, "high": 5, "rows": 1000}}
    found = Trial("checkerboard", "bpegasos", {**given, **sought}, seed=0, rows=1000).run()
    assert 40 <= found["svs"] <= 60 and found["parameters"]["budget"] < 60
    assert found["parameters"]["beta"] == pytest.approx(600.0)
