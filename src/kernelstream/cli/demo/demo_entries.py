"""The entries of the demo: seven recipes with a budget of 100 support vectors, and one without a budget.

All have the kernel exp(−4‖x − z‖²), which falls to 1/e at half a square. Steps, λ and tolerances were tuned for each on
another stream of the same board.
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


class DemoEntry(NamedTuple):
    """A recipe and its name in table and plot."""

    name: str
    paper: str
    recipe: Callable[[int], Recipe]  # from the length of the stream
    share: float = 1.0  # of the stream that it learns
    limited: bool = True

    def length(self, examples: int) -> int:
        """Number of examples that it learns."""
        return int(self.share * examples)


def _bsgd(maintenance: str, budget: int = BUDGET) -> Recipe:
    # t₀ = 2/λ; the ball of the paper would then never act
    return recipes.bsgd(KERNEL, lam=1e-5, budget=budget, maintenance=maintenance, offset=2.0, bound=Unbounded())


ENTRIES = {
    # removal whose budget is never reached is plain kernel SGD, and needs no compilation of its own
    "unlimited": DemoEntry(
        "kernel SGD, no budget", "Kivinen et al. 2004", lambda n: _bsgd("smallest", n), share=0.2, limited=False
    ),
    "remove": DemoEntry("BSGD, remove smallest", "Wang et al. 2010", lambda n: _bsgd("smallest")),
    "discard": DemoEntry(
        "OLRD, random discarding", "He & Kwok 2014",
        lambda n: recipes.olrd(KERNEL, eta=0.5, budget=BUDGET, schedule="constant"),
    ),
    "project": DemoEntry("BSGD, project", "Wang et al. 2010", lambda n: _bsgd("project-best")),
    "merge": DemoEntry("BSGD, merge", "Wang et al. 2010", lambda n: _bsgd("merge")),
    # maintenance is random towards the end of the stream, and the model may exceed its budget
    "sometimes": DemoEntry(
        "NBSGD, project on nearest", "Le et al. 2016",
        lambda n: recipes.nbsgd(KERNEL, lam=1e-5, budget=BUDGET, beta=0.9 * n, maintenance="project-nearest", offset=2),
    ),
    # no budget but a tolerance: with this one it settles near 100
    "prune": DemoEntry(
        "POLK, prune", "Koppel et al. 2017", lambda n: recipes.polk(KERNEL, eta=0.5, lam=1e-6, parsimony=0.4)
    ),
    "mix": DemoEntry(
        "OSKL sampling + merging", "two papers combined",
        lambda n: Recipe(
            KERNEL, Logistic(), Constant(0.1), admission=ByDerivative(G=1.0), maintenance=Merge(), budget=BUDGET
        ),
    ),
}  # fmt: skip
# Each is run by one process, the slow compilations first. Entries that share compiled code are one job.
JOBS = (("project",), ("prune",), ("merge",), ("mix",), ("sometimes",), ("discard",), ("remove", "unlimited"))
