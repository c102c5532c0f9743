"""Published data sets: known by name, read from a folder, the cache or the web, and checked by their content."""

from .data_set import DataSet, DataUnavailable
from .fetching import DataSetSummary, available, fetch, unavailable

__all__ = ["DataSet", "DataSetSummary", "DataUnavailable", "available", "fetch", "unavailable"]
