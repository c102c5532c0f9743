"""He & Kwok, Neural Networks 2014: the regret of OLK, OLRU and OLRD against every function of norm at most U.

With f_1 = 0 and steps that do not grow, Σ ℓ_t(f_t) − Σ ℓ_t(u) ≤ D²/(2η_T) + ½Σ‖s_t‖²/η_t + ½Σ‖e_t‖²/η_t for the steps
s_t and the errors e_t of discarding: the paper's equations (5), (7) and (12), in expectation where draws are random.
D = ‖u‖ for a constant step, else max‖f_t − u‖ ≤ ‖u‖ + U. The run has measured all of it. Theorem 3's own form also
needs n max|a_i| ≤ U, which the ball does not imply, so it is not used.
"""

import math

from ...admission import Always, Coin
from ...bounds import Ball, Unbounded
from ...maintenance import Discard, Keep, WeightedDiscard
from ...steps import Constant, Discarding, Power
from .base import Evidence, Guarantee, Refusal, common_reasons, number

PAPER = "He & Kwok 2014"


def check(run: Evidence) -> list[Guarantee | Refusal]:
    name = _theorem(run)
    if name is None:
        return []
    reasons = common_reasons(run, weighted=True) + _reasons(run)
    if reasons:
        return [Refusal(f"{PAPER}, {name}", tuple(reasons))]
    U = float(run.recipe.bound.parameters()["radius"])
    most = bound(run, U)
    best = (run.loss - most) / run.examples
    expected = "" if name == "Theorem 1" else "In expectation, "
    verdict = f"no function of norm at most {U:g} has a mean loss below {max(best, 0.0):.4g} on this stream"
    if best <= 0.0:
        verdict = "this does not exclude a function without any loss"
    return [
        Guarantee(
            f"{PAPER}, {name}",
            f"The mean loss over the stream was {run.mean_loss:.4g}. {expected}{'T' if not expected else 't'}he regret "
            f"against any function of norm at most {U:g} is at most {number(most)}, that is {most / run.examples:.4g} "
            f"per example: {verdict}.",
            "regret", most, run.loss,
            {"U": U, "last step": run.eta, "steps": 0.5 * run.travel, "discarding": 0.5 * run.squares}
            | _promised(run, U),
            () if name == "Theorem 1" else ("the examples do not depend on the random draws",),
        )
    ]  # fmt: skip


def bound(run: Evidence, norm: float) -> float:
    """The bound on the regret against functions of this norm, which is at most U."""
    U = float(run.recipe.bound.parameters()["radius"])
    distance = norm if isinstance(run.recipe.step, Constant) else norm + U
    return distance**2 / (2.0 * run.eta) + 0.5 * run.travel + 0.5 * run.squares


def _promised(run: Evidence, U: float) -> dict[str, float]:
    """What Theorem 3 allows for discarding, Σ U²/((B_t − 1)² 2η_t), with a constant step and budget; {} elsewhere."""
    recipe = run.recipe
    if not isinstance(recipe.maintenance, Discard) or not isinstance(recipe.step, Constant):
        return {}
    others = max(recipe.budget.at(run.updates) - 1.0, 1.0)
    return {"discarding by Theorem 3": run.updates * (U / others) ** 2 / (2.0 * recipe.step.eta)}


def _theorem(run: Evidence) -> str | None:
    """The theorem for algorithms like this one; None if there is none."""
    recipe = run.recipe
    if not isinstance(recipe.step, (Constant, Power, Discarding)) or not isinstance(recipe.admission, (Always, Coin)):
        return None
    if isinstance(recipe.maintenance, (Discard, WeightedDiscard)):
        return "Theorem 3"
    if isinstance(recipe.admission, Coin):
        return "Theorem 2"
    return None if isinstance(recipe.bound, Unbounded) or not isinstance(recipe.maintenance, Keep) else "Theorem 1"


def _reasons(run: Evidence) -> list[str]:
    recipe, reasons = run.recipe, []
    if recipe.step.regularisation > 0.0:
        reasons.append("f decays: λ must be 0")
    if not isinstance(recipe.bound, Ball):
        reasons.append("f is not projected onto a ball ‖f‖ ≤ U")
    if recipe.batch > 1:
        reasons.append("examples are learned in batches")
    if isinstance(recipe.admission, Coin) and not isinstance(recipe.maintenance, Keep):
        reasons.append("random updating and a budget are combined, for which there is no theorem")
    if math.isnan(run.squares):
        reasons.append("how far discarding moved f is not known with these probabilities")
    return reasons
