"""The only code that knows numba: how values, states and rows of ours become types of compiled code."""

from .versions import check_numba

check_numba()
