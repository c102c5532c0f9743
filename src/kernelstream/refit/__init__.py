"""Refit: the coefficients of a recipe's support vectors, fitted again by second-order steps."""

from .stage import Refit

__all__ = ["Refit"]
