"""Who takes part: seven recipes with room for 100 support vectors, and one without a limit.

All have the kernel exp(−4‖x − z‖²), which has fallen to 1/e half a square away. Steps, λ and tolerances were chosen for
each on another stream of the same board, so that every recipe is seen near its best.
"""

from collections.abc import Callable
from typing import NamedTuple

from ... import recipes
from ...admission import ByDerivative
from ...bounds import Unbounded
from ...kernels import Gaussian
from ...losses import Logistic
from ...maintenance import Merge
from ...recipe import Recipe
from ...steps import Constant

BUDGET = 100
KERNEL = Gaussian(4.0)


class Entrant(NamedTuple):
    """A recipe under the name that table and figure give it."""

    name: str
    paper: str
    recipe: Callable[[int], Recipe]  # from the length of the stream
    share: float = 1.0  # of the stream that it takes part in
    limited: bool = True

    def length(self, examples: int) -> int:
        """How many of the stream's examples it learns from."""
        return int(self.share * examples)


def _bsgd(maintenance: str, budget: int = BUDGET) -> Recipe:
    # t₀ = 2/λ; the ball of the paper would then never act
    return recipes.bsgd(KERNEL, lam=1e-5, budget=budget, maintenance=maintenance, offset=2.0, bound=Unbounded())


ENTRANTS = {
    # removal whose budget is never reached is plain kernel SGD, and needs no compilation of its own
    "unlimited": Entrant(
        "kernel SGD, no budget", "Kivinen et al. 2004", lambda n: _bsgd("smallest", n), share=0.2, limited=False
    ),
    "remove": Entrant("BSGD, remove smallest", "Wang et al. 2010", lambda n: _bsgd("smallest")),
    "discard": Entrant(
        "OLRD, random discarding", "He & Kwok 2014",
        lambda n: recipes.olrd(KERNEL, eta=0.5, budget=BUDGET, schedule="constant"),
    ),
    "project": Entrant("BSGD, project", "Wang et al. 2010", lambda n: _bsgd("project-best")),
    "merge": Entrant("BSGD, merge", "Wang et al. 2010", lambda n: _bsgd("merge")),
    # maintenance becomes a matter of chance towards the end of the stream, and the model may outgrow its budget
    "sometimes": Entrant(
        "NBSGD, project on nearest", "Le et al. 2016",
        lambda n: recipes.nbsgd(KERNEL, lam=1e-5, budget=BUDGET, beta=0.9 * n, maintenance="project-nearest", offset=2),
    ),
    # no budget but a tolerance: with this one it settles near 100
    "prune": Entrant(
        "POLK, prune", "Koppel et al. 2017", lambda n: recipes.polk(KERNEL, eta=0.5, lam=1e-6, parsimony=0.4)
    ),
    "mix": Entrant(
        "OSKL sampling + merging", "a mix of two papers",
        lambda n: Recipe(
            KERNEL, Logistic(), Constant(0.1), admission=ByDerivative(G=1.0), maintenance=Merge(), budget=BUDGET
        ),
    ),
}  # fmt: skip
# What one process does in turn, the slow compilations first. Those who share compiled code share a line.
JOBS = (("project",), ("prune",), ("merge",), ("mix",), ("sometimes",), ("discard",), ("remove", "unlimited"))
