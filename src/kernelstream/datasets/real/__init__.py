"""Data sets from elsewhere: what is known of them, where they are found, how they are read, checked and kept."""

from .errors import DataUnavailable
from .fetching import Offer, available, fetch, unavailable
from .table import Table

__all__ = ["DataUnavailable", "Offer", "Table", "available", "fetch", "unavailable"]
