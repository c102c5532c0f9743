"""The stage: gathers examples in the loop, takes them in together between two of them."""

import numpy as np

from ..averaging import Average
from ..rows import copy_row
from ..strategy import Count, NonNegative, Whole, strategy
from .data import Here, Places
from .passes import Rows, fit_passes
from .state import RefitState, new_state
from .statistics import Statistics, best_scale

WITHOUT_LAMBDA = 1e-5  # λ of a recipe that has none


@strategy
class Refit(Average):
    """The model is the best function on the support vectors, not the one that first-order steps have come to.

    Whatever the recipe does, its support vectors are copied now and then, and their coefficients are fitted to the
    stream by second-order statistics in memory O(B²). Until that fit has made no more mistakes than the recipe's own
    function, each judged on examples before they are learned, the latter predicts. `KernelClassifier.fit` (and
    `Model.finish`) fits with `passes` over the data instead. A hinge is fitted through its square.

    Parameters
    ----------
    lam : float
        Regularisation λ; 0 takes the recipe's.
    half_life : float
        Examples after which an old one counts half, for streams that drift; 0 never forgets.
    passes : int
        The most passes that `finish` makes over data that is all there; it stops when they gain little.
    moves : int
        Passes after those in which support vectors move too, downhill, if the kernel is a Gaussian.
    start : int
        Updates before anything is fitted. Where the length of the stream is known it is that: `finish` will follow.
    """

    lam: NonNegative = 0.0
    half_life: NonNegative = 0.0
    passes: Count = 20
    moves: Whole = 0
    start: Whole = 0

    def init(self, dims):
        return new_state(dims)

    def resolve(self, facts):
        return self if facts.total is None else self.replace(start=max(self.start, facts.total))

    def check_recipe(self, recipe) -> None:
        if recipe.kernel.fixed:
            raise ValueError(f"Recipe: Refit fits support vectors, and {recipe.kernel!r} has a basis of its own.")
        if recipe.loss.smooth() is None:
            raise ValueError(
                f"Recipe: Refit cannot fit {recipe.loss!r}, which has no second derivative. Use Squared() or Huber()."
            )

    def noted(self, own, r, st, x, y, weight):
        waiting, f = own.waiting, st.work.f
        k = waiting.filled[0]
        copy_row(x, waiting.x[k])
        for c in range(y.shape[0]):
            waiting.y[k, c] = y[c]
        for c in range(f.shape[0]):
            waiting.f[k, c] = f[c]
        waiting.weight[k] = weight
        waiting.filled[0] = k + 1

    def room(self, own, removals):
        return own.waiting.filled[0] < own.waiting.weight.shape[0]

    def weights(self, own, ex, out):
        n, coef, scale = ex.n[0], ex.coef, ex.scale[0]
        if own.serves[0] > 0:
            return 0
        for c in range(coef.shape[0]):
            for j in range(n):
                out[c, j] = coef[c, j] * scale
        return n

    def attic(self, own, ex):
        return own.sv, own.sq, own.coef, own.n[0] if own.serves[0] > 0 else 0, 1.0

    def attend(self, recipe, state) -> bool:
        own, ex, waiting = state.average, state.expansion, state.average.waiting
        if waiting.filled[0] < len(waiting.weight):
            return False
        waiting.filled[0] = 0
        t, n = int(state.run.t[0]), int(ex.n[0])
        if t < self.start or n == 0:
            return True
        fit = self._statistics(recipe, own)
        Y = waiting.y[:, :1] if recipe.loss.target == "class" else waiting.y
        T, weight = fit.smooth.targets(Y, waiting.f.shape[1]), waiting.weight
        if fit.n:
            K = fit.rows(waiting.x).astype(np.float64)
            F = K @ own.coef[:, : fit.n].T
            if own.solved[0] > 0:
                for i, scores in enumerate((F, waiting.f)):
                    own.tally[i] += float(weight @ fit.smooth.wrong(scores, T))
                own.serves[0] = own.tally[0] <= own.tally[1]
            if self.half_life > 0.0:
                fit.forget(0.5 ** (len(weight) / self.half_life))
            fit.add(K, F, T, weight)
        if t >= own.renew[0]:
            first = fit.n == 0
            sv, coef = ex.sv[:, :n].T, (ex.coef[:, :n] * ex.scale[0]).T
            scale = best_scale(fit.smooth, waiting.f, T, weight)
            fit.take_over(sv, ex.sq[:n], scale * coef)
            own.tally[:] = 0.0  # what either did in its youth says little of the present
            period = 2 * t if self.half_life == 0.0 else t + min(t, int(self.half_life))
            own.renew[0] = period
            if first:
                own.solve[0] = 2.0 * n
        elif own.mass[0] >= own.solve[0]:
            fit.solve()
        return True

    def finish(self, recipe, state, X, Y, weight, held) -> None:
        learned = weight.copy()
        learned[held] = 0.0
        self.finish_in_places(recipe, state, Here(X, Y, learned), Rows(X[held], Y[held], weight[held]))

    def finish_in_places(self, recipe, state, places: Places, held: Rows) -> None:
        """The same for rows that lie elsewhere, but for those held back."""
        own = state.average
        fit_passes(self._statistics(recipe, own), state.expansion, places, held, self.passes, self.moves)
        own.waiting.filled[0] = 0
        own.renew[0] = 2 * int(state.run.t[0])

    def restart(self, own: RefitState, ex) -> None:
        for array in (own.n, own.mass, own.solve, own.solved, own.renew, own.tally, own.serves, own.waiting.filled):
            array[...] = 0

    def mixed(self, own: RefitState, ex) -> None:
        # what comes now is unlike what it was fitted to: the recipe predicts until a new fit has proved itself
        self.restart(own, ex)

    def _statistics(self, recipe, own: RefitState) -> Statistics:
        lam = self.lam or getattr(recipe.step, "lam", 0.0) or WITHOUT_LAMBDA
        return Statistics(own, recipe.kernel, recipe.loss.smooth(), lam)
