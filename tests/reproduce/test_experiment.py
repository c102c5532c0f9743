"""What the files of the experiments say."""

import pytest

from kernelstream.reproduce import experiments
from kernelstream.reproduce.experiment import ExperimentSize, concerns
from kernelstream.reproduce.recipe_parameters import build, resolved, sought

FEATURES = 20


@pytest.mark.parametrize("scale", ["quick", "full"])
def test_every_cell_of_every_experiment_is_a_recipe(scale):
    import numpy as np

    X, seen = np.zeros((1000, FEATURES), np.float32), 0
    for experiment in experiments(scale=scale):
        assert experiment.cells, experiment.key
        for cell in experiment.cells:
            if cell.lacking:
                continue
            first, last = cell.candidates()[0], cell.candidates()[-1]
            for trial in (*cell.final_trials(first), *cell.tuning_trials(last)):
                given = resolved(trial.recipe, X)
                search = sought(given)
                recipe = build(given if search is None else search.narrow(lambda value: 10))
                assert recipe.kernel is not None
                assert trial.tuning in (0, cell.tuning_trial.tuning)
                seen += 1
    assert seen > 1000


def test_every_cell_in_print_is_judged_by_what_it_prints():
    for experiment in experiments():
        for cell in experiment.cells:
            assert set(cell.published) <= {experiment.measure, "svs", "seconds"}, (
                experiment.key,
                cell.data,
                cell.method,
            )


def test_the_papers_grids_and_sizes():
    table = experiments(("bpegasos",), ("table1",))[0]
    merging = [cell for cell in table.cells if cell.method == "merging"]
    assert [(cell.data, cell.budget, cell.published["accuracy"]) for cell in merging][:2] == [
        ("usps", 100, 92.0),
        ("usps", 500, 93.9),
    ]
    assert merging[0].candidates() == [{"width": f"{4**k}/d"} for k in range(4)]
    fixed = {"recipe": "bsgd", "loss": "hinge", "lam": 1e-4, "budget": 100, "maintenance": "merge"}
    assert merging[0].trial.recipe == fixed
    stopped = {cell.data: cell.trial.rows for cell in table.cells if cell.method == "pegasos"}
    assert stopped == {"usps": None, "letter": None, "covertype": 72000, "waveform": 140000, "checkerboard": 540000}


def test_quick_is_a_tenth_and_one_repeat():
    full, quick = (experiments(("bpegasos",), ("table1",), scale)[0].cells for scale in ("full", "quick"))
    assert full[-1].trial.rows == 540_000 and quick[-1].trial.rows == 54_000
    assert len(full[0].final_trials({"width": 1.0})) == 5 and len(quick[0].final_trials({"width": 1.0})) == 1
    assert ExperimentSize("quick").rows(300) == 200


def test_special_cases_and_lacking_data(small):
    found = {(cell.data, cell.method, cell.budget): cell for cell in small.cells}
    assert "lam" not in found["checkerboard", "removal", 100].trial.recipe
    assert found["checkerboard", "removal", 500].trial.recipe["lam"] == 0.5
    assert found["gisette", "merging", 100].lacking == "gisette is not here"


def test_unknown_names_are_refused_in_a_sentence():
    with pytest.raises(ValueError, match=r"unknown paper 'svm'\. Available: beyond, bpegasos"):
        experiments(("svm",))
    with pytest.raises(ValueError, match=r"unknown table or figure 'table9'\. Available: accuracy"):
        experiments((), ("table9",))


def test_rules_name_cells():
    assert concerns({}, "usps", "merging", 100)
    assert concerns({"method": ["merging", "random"], "at": 100}, "usps", "merging", 100)
    assert not concerns({"data": "letter"}, "usps", "merging", 100)


@pytest.mark.parametrize(("low", "high"), [(0.01, 1.0), (1.0, 0.01)])
def test_a_search_ends_at_the_size(low, high):
    given = {"eta": {"size": 50, "low": low, "high": high, "rows": 10}}

    def size(eta):
        return round(10.0 / eta) if low < high else round(1000.0 * eta)

    found = sought(given).narrow(size)["eta"]
    assert 45 <= size(found) <= 50


def test_a_size_that_cannot_be_reached_is_an_error():
    with pytest.raises(ValueError, match=r"No eta between 0.01 and 1 gives a model of at most 50 support vectors"):
        sought({"eta": {"size": 50, "low": 0.01, "high": 1.0, "rows": 10}}).narrow(lambda eta: 80)


def test_no_model_is_not_a_small_one():
    given = {"eta": {"size": 50, "low": 0.01, "high": 1.0, "rows": 10}}
    assert sought(given).narrow(lambda eta: 0 if eta > 0.2 else 55)["eta"] <= 0.2
    with pytest.raises(ValueError, match="at most 50 support vectors"):
        sought(given).narrow(lambda eta: 0 if eta > 0.2 else 80)


def test_a_search_among_whole_numbers_gives_one():
    given = {"budget": {"size": 50, "low": 1000, "high": 1, "rows": 10}}
    found = sought(given).narrow(lambda budget: budget + 20)["budget"]
    assert isinstance(found, int) and 25 <= found <= 30
