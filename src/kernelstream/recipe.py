"""A recipe: one choice per stage of the loop.

>>> from kernelstream import Recipe, kernels, losses, steps, admission, maintenance
>>> Recipe(                              # no paper has mixed these
...     kernel=kernels.Gaussian(4.0),
...     loss=losses.Logistic(),
...     step=steps.Constant(0.5),
...     admission=admission.ByDerivative(G=2.0),
...     maintenance=maintenance.Merge(),
...     budget=100,
... ).budget
Fixed(size=100)
"""

from typing import Any

import numpy as np

from .admission import Admission, Always
from .bounds import Ball, Bound, Unbounded
from .budgets import Budget, Fixed, as_budget
from .core.inverse import FixedBasis, Inverse, KernelInverse, NoInverse
from .core.look_ahead import LEAST, WIDE, Blocks, LookAhead, RowByRow
from .core.norms import Norm, Tracked, Untracked
from .core.precision import LONGEST
from .core.state import allocate, nbytes
from .core.strategy import Count, Dims, Facts, Strategy, Whole, strategy
from .kernels import Gaussian, Kernel
from .losses import Hinge, Loss
from .maintenance import Keep, Maintenance
from .output import Last, Output
from .steps import Forgetting, InverseTime, Step


@strategy
class Composition(Strategy):
    """A recipe with nothing left open: what the engine is compiled for."""

    kernel: Kernel
    loss: Loss
    step: Step
    admission: Admission
    maintenance: Maintenance
    budget: Budget
    bound: Bound
    output: Output
    inverse: Inverse
    norm: Norm
    look_ahead: LookAhead
    batch: Count


_PARTS = ("kernel", "loss", "admission", "maintenance", "bound", "output")


@strategy
class Recipe(Strategy):
    """An algorithm: one strategy for each stage of the loop.

    Parameters
    ----------
    kernel : Kernel, default Gaussian(gamma=1.0)
        The kernel κ(x, z).
    loss : Loss, default Hinge()
        The loss ℓ(f(x), y).
    step : Step, default InverseTime(lam=0.0001, t0=0.0)
        The length of a step, and the decay of f.
    admission : Admission, default Always()
        Which examples become support vectors.
    maintenance : Maintenance, default Keep()
        What is done when the support vectors exceed the budget.
    budget : int, str, None or Budget, default None
        A number of support vectors, a size in bytes such as "64 KiB", None for no limit, or e.g. `Growing(c)`.
    bound : Bound, default Unbounded()
        What f is projected on after each step.
    output : Output, default Last()
        Which function predicts: the last iterate, a mean, a refit.
    batch : int, default 1
        Examples per update (a mini-batch).
    track_norm : bool, default False
        Track ‖f‖² even if no stage needs it; costs a kernel row or more per removal.
    look_ahead : int or None, default None
        How many kernel rows to compute at once, by a matrix product: 0 for row by row, None for blocks if they are
        faster. The model is the same up to rounding; a block of rows needs memory.

    See Also
    --------
    kernelstream.recipes : Published algorithms as recipes.
    KernelClassifier : Takes a recipe as `algorithm`.
    Model : Learns with a recipe.

    Examples
    --------
    >>> from kernelstream import Recipe, admission, maintenance, steps
    >>> from kernelstream.kernels import Gaussian
    >>> from kernelstream.losses import Logistic
    >>> Recipe(Gaussian(4.0), Logistic(), steps.Constant(0.5), admission.ByDerivative(G=2.0), maintenance.Merge(),
    ...        budget=100).budget
    Fixed(size=100)
    """

    kernel: Kernel = Gaussian()
    loss: Loss = Hinge()
    step: Step = InverseTime()
    admission: Admission = Always()
    maintenance: Maintenance = Keep()
    budget: Any = None
    bound: Bound = Unbounded()
    output: Output = Last()
    batch: Count = 1
    track_norm: bool = False
    look_ahead: Whole | None = None

    @staticmethod
    def complete(values: dict) -> dict:
        return values | {"budget": as_budget(values["budget"])}

    def check(self) -> None:
        if self.maintenance.needs_merging and not self.kernel.mergeable:
            raise ValueError(
                "Recipe: support-vector merging needs a Gaussian kernel, for which the best point between two support "
                f"vectors is known, not {self.kernel!r}. Use maintenance=Project() with it."
            )
        if self.maintenance.needs_budget and not self.budget.limited:
            raise ValueError(
                f"Recipe: {self.maintenance!r} needs a budget. Give one, budget=100, or use maintenance=Keep()."
            )
        if self.bound.needs_budget and not self.budget.limited:
            raise ValueError(
                f"Recipe: {self.bound!r} divides by the budget, and there is none. Give one, or use Ball(radius=…)."
            )
        if self.budget.limited and isinstance(self.maintenance, Keep):
            raise ValueError(
                f"Recipe: nothing keeps the model within {self.budget!r}. Choose a maintenance such as Merge(), "
                "Project() or Remove(), or budget=None."
            )
        shared = self.maintenance.needs_inverse or self.maintenance.keeper is not None
        if shared and not self.keeper.whole:
            raise ValueError(
                f"Recipe: {self.maintenance!r} projects on all support vectors, but {self.admission!r} on those of one "
                "class. Use own=False, or a maintenance such as Remove()."
            )
        if isinstance(self.bound, Ball) and self.bound.radius == 0.0:
            self.bound.reach(self, 2, 1.0)

        self.output.check_recipe(self)

    def forgetting(self, half_life: float) -> "Recipe":
        """This recipe for a stream that drifts: the weight of an example halves every `half_life` examples, and steps
        do not become shorter with age.

        Examples
        --------
        >>> from kernelstream import recipes
        >>> recipes.pegasos(lam=0.01).forgetting(1000.0).step
        Forgetting(inner=InverseTime(lam=0.01, t0=0.0), half_life=1000.0, batch=1)
        """
        if not self.keeper.forgets:
            raise ValueError(
                f"half_life: {self.keeper!r} fits all examples alike and cannot forget. Use algorithm='default' with "
                "half_life for a regression that does."
            )
        return self.replace(step=Forgetting(self.step, float(half_life)), output=self.output.forgetting(half_life))

    def resolve(self, facts: Facts) -> Composition:
        """Decide what was left open from the first rows of the stream."""
        if self.admission.binary and facts.outputs > 1:
            raise ValueError(f"Recipe: {self.admission!r} is for two classes only. Use ByDerivative() for more.")
        if facts.total is not None:
            facts = facts._replace(total=max(facts.total // self.batch, 1))  # in updates
        parts: dict[str, Any] = {name: getattr(self, name).for_recipe(self, facts) for name in _PARTS}
        composition = Composition(
            **parts,
            step=self.step,
            budget=self.budget,
            inverse=self.keeper,
            norm=Tracked(self.kernel.fixed) if self.needs_norm else Untracked(),
            look_ahead=self.foresight(facts.features),
            batch=self.batch,
        )

        def measured(size: int) -> int:
            return nbytes(allocate(composition, Dims(size, facts.features, facts.outputs, facts.dtype, self.batch)))

        # memory is a + b n + c n² in the capacity n: three small models determine it
        square = np.polynomial.Polynomial.fit([1, 2, 3], [measured(1), measured(2), measured(3)], 2).convert()

        def bytes_for(size: int) -> int:
            return round(float(square(capacity(size, self.batch))))

        decided = self.replace(**parts, budget=self.budget.within(facts, bytes_for))
        step: Any = self.step.for_recipe(decided, facts)
        if not step.rate(1, 1.0, 1.0) <= LONGEST:
            raise ValueError(
                f"Recipe: the first step of {step!r} is {step.rate(1, 1.0, 1.0):g}, and scores would overflow. Its "
                f"parameters must give a step of at most {LONGEST:g}."
            )
        return composition.replace(budget=decided.budget, step=step)

    def foresight(self, features: int) -> LookAhead:
        """Whether kernel rows are computed one by one or in blocks."""
        possible = self.kernel.blocks and self.batch == 1
        if self.look_ahead:
            if not possible:
                raise ValueError(
                    f"Recipe: look_ahead = {self.look_ahead} needs a kernel of distances or dot products and single "
                    f"examples, not {self.kernel!r} in batches of {self.batch}. Leave it None."
                )
            return Blocks(self.look_ahead)
        # a budget in bytes is better spent on support vectors
        large = not self.budget.limited or (isinstance(self.budget, Fixed) and self.budget.size >= 2 * LEAST)
        wide = features >= WIDE
        return Blocks() if self.look_ahead is None and possible and large and wide else RowByRow()

    @property
    def needs_norm(self) -> bool:
        return self.bound.needs_norm or self.maintenance.needs_norm or self.track_norm

    @property
    def keeper(self) -> Inverse:
        """The `Inverse` that the recipe's kernel, admission and maintenance need."""
        if self.kernel.fixed:
            return FixedBasis()
        for stage in (self.admission, self.maintenance):
            if stage.keeper is not None:
                return stage.keeper
        return KernelInverse() if self.maintenance.needs_inverse or self.admission.needs_inverse else NoInverse()


ALIGNMENT = 16  # float32 numbers in a cache line: capacities are multiples of it


def capacity(size: int, batch: int) -> int:
    """Room for `size` support vectors and a mini-batch.

    An odd number of cache lines: the features of one support vector are that far apart, and would otherwise compete for
    the same few cache sets.
    """
    return (-(-(size + batch) // ALIGNMENT) | 1) * ALIGNMENT
