"""Connectors: sources of rows that a model learns exactly once.

A connector is one file with a `Source`: it yields rows together with the positions that follow them, and continues from
stored positions. `consume` commits both in one transaction of the event log, so that a crash can neither lose a row nor
learn it twice.
"""

from .consume import Consumed, consume
from .consumer_thread import ConsumerThread
from .open_source import open_sink, open_source
from .source import PredictionSink, Source, SourceBatch

__all__ = [
    "Consumed",
    "ConsumerThread",
    "PredictionSink",
    "Source",
    "SourceBatch",
    "consume",
    "open_sink",
    "open_source",
]
