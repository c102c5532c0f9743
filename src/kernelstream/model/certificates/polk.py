"""Koppel, Warnell, Stump & Ribeiro, ICASSP 2017: how far pruning and a constant step keep POLK from the optimum.

The optimum is that of the mean loss + ½λ‖f‖², as in equation (1) of the paper; its experiment (23) is printed without
the ½, which would be the problem with 2λ and a decay of 1 − 2ηλ.
"""

import math

from ...admission import Always
from ...bounds import Unbounded
from ...maintenance import Prune
from ...steps import Constant
from .base import KERNEL, Evidence, Guarantee, Refusal, common_reasons, lipschitz, number

PAPER = "Koppel, Warnell, Stump & Ribeiro 2017"


def check(run: Evidence) -> list[Guarantee | Refusal]:
    recipe = run.recipe
    if not isinstance(recipe.maintenance, Prune):
        return []
    theorem = f"{PAPER}, Theorem 2"
    reasons = common_reasons(run)
    step, C = recipe.step, lipschitz(run)
    if not isinstance(step, Constant) or step.lam == 0.0:
        reasons.append("the step is not constant, or λ is 0")
    if not recipe.kernel.normalised:
        reasons.append(KERNEL)
    elif C is None:
        reasons.append(f"no bound on the gradient of {recipe.loss!r} is known for functions of any norm")
    if not isinstance(recipe.admission, Always) or not isinstance(recipe.bound, Unbounded):
        reasons.append("POLK admits every example and has no bound, as this recipe does not")
    if reasons or C is None or not isinstance(step, Constant):
        return [Refusal(theorem, tuple(reasons))]
    eta, lam = step.eta, step.lam
    allowed = recipe.maintenance.factor * eta**recipe.maintenance.power
    moved = run.error_most * eta
    sigma = 2.0 * C + allowed / eta
    radius = (allowed + math.sqrt(allowed**2 + lam * eta**3 * sigma**2)) / (lam * eta)
    if moved > allowed * (1.0 + 1e-6):
        return [Refusal(theorem, (f"pruning moved f by {moved:.4g} at one update, more than {allowed:.4g}",))]
    # neither ‖f‖ nor ‖f*‖ exceeds C/λ
    loose = " They are never further apart than that, so it says nothing here." if radius >= 2.0 * C / lam else ""
    return [
        Guarantee(
            f"{PAPER}, Algorithm 1",
            f"Pruning moved f by at most {moved:.4g} at any update; {allowed:.4g} is allowed.",
            "distance moved by pruning", allowed, moved, "the largest distance moved", {"epsilon": allowed, "eta": eta},
        ),
        Guarantee(
            theorem,
            f"On an endless stream of independent examples f comes within {number(radius)} of the best function f*."
            f"{loose}",
            "distance from the best function", radius, None, "",
            {"epsilon": allowed, "eta": eta, "lambda": lam, "sigma": sigma}, ("the examples are drawn independently",),
        ),
    ]  # fmt: skip
