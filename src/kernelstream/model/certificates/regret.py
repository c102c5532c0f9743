"""He & Kwok, Neural Networks 2014: the regret of OLK, OLRU and OLRD against every function of norm at most U.

With f_1 = 0 and steps that do not grow, Σ ℓ_t(f_t) − Σ ℓ_t(u) ≤ D²/(2η_T) + ½Σ η_t‖g_t‖²/p_t + ½Σ‖e_t‖²/η_t, in
expectation where draws are random: the paper's equations (5), (7) and (12), and Theorem 2 for admission with
probability p_t. e_t is the error of discarding. D = ‖u‖ for a constant step, else max‖f_t − u‖ ≤ ‖u‖ + U. Theorem 3's
own form also needs n max|a_i| ≤ U, which the ball does not imply, so it is not used.
"""

import math

import numpy as np

from ...admission import Always, Coin
from ...bounds import Ball, Unbounded
from ...maintenance import Discard, Keep, WeightedDiscard
from ...steps import Constant, Discarding, Power
from .base import Evidence, Guarantee, Refusal, common_reasons, lipschitz, number

PAPER = "He & Kwok 2014"
MOST = 1_000_000  # terms of a sum that are added one by one


def check(run: Evidence) -> list[Guarantee | Refusal]:
    name = _theorem(run)
    if name is None:
        return []
    reasons = common_reasons(run) + _reasons(run)
    if reasons:
        return [Refusal(f"{PAPER}, {name}", tuple(reasons))]
    U = float(run.recipe.bound.parameters()["radius"])
    most = bound(run, U)
    each, best = most / run.examples, (run.loss - most) / run.examples
    if name == "Theorem 1":
        what = (
            f"The regret against any function of norm at most {U:g} is at most {number(most)}, {each:.4g} per example"
        )
        what += f": none has a mean loss below {best:.4g} on these examples." if best > 0.0 else "."
    else:
        what = (
            f"On average over the random draws, the regret against any function of norm at most {U:g} is at most "
            f"{number(most)}, {each:.4g} per example, as estimated from this run."
        )
    return [
        Guarantee(
            f"{PAPER}, {name}", f"The mean loss over the stream was {run.mean_loss:.4g}. {what}",
            "regret", most, run.loss, "sum of losses",
            {"U": U, "last step": run.eta, "steps": 0.5 * _steps(run), "discarding": 0.5 * run.squares}
            | _promised(run, U),
            () if name == "Theorem 1" else ("the examples do not depend on the random draws",),
        )
    ]  # fmt: skip


def bound(run: Evidence, norm: float) -> float:
    """The bound on the regret against functions of this norm, which is at most U."""
    U = float(run.recipe.bound.parameters()["radius"])
    distance = norm if isinstance(run.recipe.step, Constant) else norm + U
    return distance**2 / (2.0 * run.eta) + 0.5 * _steps(run) + 0.5 * run.squares


def _steps(run: Evidence) -> float:
    """Σ η_t‖g_t‖²/p_t. With random updating, whether or not an example was admitted: η_t/p_t falls, so it is largest if
    those with a loss came first."""
    recipe = run.recipe
    if not isinstance(recipe.admission, Coin):
        return run.travel
    G = (lipschitz(run) or math.inf) ** 2
    c, gamma, total = recipe.admission.c, recipe.admission.gamma, recipe.admission.total
    if isinstance(recipe.step, Constant) and total > 0.0:
        return G * run.lossy * recipe.step.eta / min(1.0, c * total**-gamma)
    t = np.arange(1.0, min(run.lossy, MOST) + 1.0)
    eta, b = recipe.step.parameters()["eta"], recipe.step.parameters().get("b", 0.0)
    ratio = eta * t**-b / np.minimum(1.0, c * t**-gamma)
    return G * float(ratio.sum() + max(run.lossy - MOST, 0) * (ratio[-1] if len(ratio) else 0.0))


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
    if isinstance(recipe.maintenance, (Discard, WeightedDiscard)) and recipe.budget.at(1) < 2:
        reasons.append("the budget must be at least 2: a single support vector is removed without compensation")
    if isinstance(recipe.admission, Coin) and lipschitz(run) is None:
        reasons.append(f"no bound on the gradient of {recipe.loss!r} is known here")
    if math.isnan(run.squares):
        reasons.append("how far discarding moved f is not known with these probabilities")
    return reasons
