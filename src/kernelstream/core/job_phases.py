"""The phases of a running refit's job, in their order: compiled code starts jobs, `refit.jobs` does them."""

IDLE, FACTORISE, PROJECT, MULTIPLY, COMPLETE, COPY, SOLVE, FINISH = range(8)
