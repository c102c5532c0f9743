"""Which candidates are judged with which λ, and that nothing else is decided than by judging all with all."""

import numpy as np
import pytest

from kernelstream.tuning.judging import Verdicts, winner
from kernelstream.tuning.trials import Trials
from tests.tuning.test_judging import FEW, LADDER, MANY, NOISE

LOSSES = {"usual": (1.0, 0.99, 0.98), "worse": (1.2, 1.1, 0.9), "better": (0.8, 0.7, 0.75), "close": (0.79, 0.78, 0.77)}


def trials_of(losses, asked):
    """Trials whose candidates have these mean losses for λ = 1e-5, 1e-4, …; `asked` notes what is judged."""

    def start(name):
        known = {}
        for lam, loss in zip(LADDER, losses[name], strict=True):
            asked.append((name, lam))
            known[lam] = loss + 0.1 * NOISE
            yield Verdicts(dict(known), {each: MANY if name == "usual" else FEW for each in known})

    return Trials(start, "usual")


def test_larger_lams_are_for_the_leaders_alone():
    asked = []
    trials = trials_of(LOSSES, asked)
    trials.open(LOSSES)
    assert sorted(asked) == sorted((name, 1e-5) for name in LOSSES)
    asked.clear()
    assert trials.decide() == ("better", 1e-4)
    assert sorted(asked) == sorted((name, lam) for name in ("better", "close") for lam in LADDER[1:])


def test_the_base_is_judged_with_every_lam_if_it_stands():
    losses = {"usual": (1.0, 0.7, 0.9), "worse": (1.2, 1.2, 1.2), "alike": (1.001, 1.001, 1.001)}
    asked = []
    trials = trials_of(losses, asked)
    trials.open(losses)
    assert trials.undecided()
    assert trials.decide() == ("usual", 1e-4)
    assert ("usual", 1e-3) in asked and ("worse", 1e-4) not in asked


@pytest.mark.parametrize("seed", range(20))
def test_the_choice_is_that_of_judging_everything_unless_lam_changes_the_order(seed):
    rng = np.random.default_rng(seed)
    losses = {name: np.sort(rng.uniform(0.5, 1.2, 3))[::-1] for name in LOSSES}
    for name, each in losses.items():
        losses[name] = each[0] * np.array([1.0, 0.999, 0.998])  # λ matters little
    trials = trials_of(losses, [])
    trials.open(losses)
    found = trials.decide()
    everything = trials_of(losses, [])
    everything.open(losses)
    everything._finish(list(losses))
    assert found == winner(everything.verdicts, "usual")
