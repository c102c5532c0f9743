"""Averages: which of the functions f_1, f_2, … is the model?"""

from ..strategy import Strategy, lowered


class Average(Strategy):
    """Slot 7 of the loop. The base is the last iterate: nothing to keep, nothing to be told."""

    __slots__ = ()

    @lowered
    def update(self, own, r, st):
        """The t-th update begins; f is still f_t."""

    @lowered
    def inserted(self, own, r, st, j):
        """Slot j has just got a new support vector."""

    @lowered
    def dropping(self, own, r, st, j):
        """SV j is about to go, and the last one to take its slot."""

    @lowered
    def retiring(self, own, r, st, j):
        """SV j is about to be overwritten."""

    @lowered
    def spread(self, own, ex, c, q, v):
        """coef[c, j] has grown by q v_j for all j."""

    @lowered
    def changed(self, own, c, j, change):
        """coef[c, j] has grown by `change`."""

    @lowered
    def settling(self, own, ex):
        """All coefficients are about to be multiplied by the scale, which becomes 1."""

    @lowered
    def noted(self, own, r, st, x, y, weight):
        """An example has come; its scores are in `work.f`, and nothing has been learned from it."""

    @lowered
    def room(self, own, removals):
        """Whether that many support vectors can be retired before memory must grow."""
        return True

    @lowered
    def weights(self, own, ex, out):
        """Write the weights of the present SVs in the model's function; return how many of them count."""
        n, coef, scale = ex.n[0], ex.coef, ex.scale[0]
        for c in range(coef.shape[0]):
            for j in range(n):
                out[c, j] = coef[c, j] * scale
        return n

    @lowered
    def attic(self, own, ex):
        """Support vectors that only the average still has: (sv, sq, coef, how many, factor)."""
        return ex.sv, ex.sq, ex.coef, 0, 0.0

    def check_recipe(self, recipe) -> None:
        """Raise a ValueError in a sentence if it cannot serve this recipe."""

    def attend(self, recipe, state) -> bool:
        """The loop has stopped for want of room (from Python): whether some has been made without more memory."""
        return False

    def finish(self, recipe, state, X, Y, weight, held) -> None:
        """All the data is at hand, and all rows but those `held` back have been learned (from Python)."""

    def restart(self, own, ex) -> None:
        """Forget all iterates but the present one (from Python, after f has been replaced)."""

    def mixed(self, own, ex) -> None:
        """The outputs are others now, mixed from those of before, and so is what `own` has of them (from Python)."""
