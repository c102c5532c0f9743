"""Trials are run once, in parallel or after an interruption, and grids are followed by what they chose."""

import json
from dataclasses import replace

from kernelstream.reproduce import Trial, TrialRecords, run
from kernelstream.reproduce.running import _outcome
from kernelstream.reproduce.trial_records import chosen


def test_a_grid_is_followed_by_the_repeats_of_its_best(small, played, tmp_path):
    records = TrialRecords(tmp_path / "small.jsonl")
    news = list(run(small.cells, lambda cell: records, workers=1))
    final_trials = [trial for trial in played if not trial.tuning]
    assert {trial.recipe["width"] for trial in final_trials if trial.recipe["maintenance"] == "merge"} == {1.0}
    # two cells of merging: 2 candidates × 2 folds and 2 repeats; two of removal: 2 repeats
    assert len(played) == 2 * (4 + 2) + 2 * 2
    assert news[-1].done == news[-1].total == len(played)
    assert [item.done for item in news] == list(range(1, len(played) + 1))


def test_a_stopped_run_goes_on(small, played, tmp_path):
    path = tmp_path / "small.jsonl"
    records = TrialRecords(path)
    going = run(small.cells, lambda cell: records, workers=1)
    for _ in range(5):
        next(going)
    going.close()
    first = [trial.key for trial in played[:5]]
    played.clear()
    with path.open("a") as file:
        file.write('{"key": "half a li')  # as a killed process leaves it
    again = TrialRecords(path)
    news = list(run(small.cells, lambda cell: again, workers=1))
    assert not {*first} & {trial.key for trial in played}
    assert news[0].done >= 6 and news[-1].done == news[-1].total
    played.clear()
    assert list(run(small.cells, lambda cell: TrialRecords(path), workers=1)) == [] and played == []


def test_every_line_of_the_records_is_json_with_its_trial(small, played, tmp_path):
    records = TrialRecords(tmp_path / "small.jsonl")
    list(run(small.cells, lambda cell: records, workers=1))
    lines = [json.loads(line) for line in records.path.read_text().splitlines()]
    assert {line["trial"]["data"] for line in lines} == {"checkerboard"}
    assert all(line["outcome"]["accuracy"] > 90.0 for line in lines)
    assert chosen(small.cells[0], TrialRecords(records.path)) == {"width": 1.0}


def test_the_key_of_a_trial_is_its_content():
    one = Trial("usps", "bpegasos", {"recipe": "bsgd", "width": 1.0}, 0)
    assert one.key == Trial("usps", "bpegasos", {"width": 1.0, "recipe": "bsgd"}, 0).key
    assert one.key != Trial("usps", "bpegasos", {"recipe": "bsgd", "width": 1.0}, 1).key


def test_a_failure_is_an_outcome():
    found = _outcome(Trial("nonsense", None, {"recipe": "bsgd", "width": 1.0}, 0))
    assert found["failure"].startswith("ValueError: ") and "nonsense" in found["failure"]


def test_the_smaller_of_two_that_are_nearly_as_good(small, tmp_path):
    records, cell = TrialRecords(tmp_path / "small.jsonl"), small.cells[0]
    for candidate, accuracy, svs in zip(cell.candidates(), (90.4, 90.0), (100, 50), strict=True):
        for trial in cell.tuning_trials(candidate):
            records.add(trial, {"accuracy": accuracy, "svs": svs})
    assert chosen(cell, records) == {"width": 1.0}
    assert chosen(replace(cell, near=0.5), records) == {"width": 4.0}
    assert chosen(replace(cell, near=0.3), records) == {"width": 1.0}


def test_a_candidate_that_failed_is_not_chosen(small, tmp_path):
    records, cell = TrialRecords(tmp_path / "small.jsonl"), small.cells[0]
    for candidate in cell.candidates():
        for trial in cell.tuning_trials(candidate):
            failed = candidate == {"width": 1.0}
            records.add(trial, {"failure": "ValueError: no"} if failed else {"accuracy": 50.0})
    assert chosen(cell, records) == {"width": 4.0}
