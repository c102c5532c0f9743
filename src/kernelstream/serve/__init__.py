"""`kernelstream serve`: models that learn from requests, keep what they acknowledged, and predict meanwhile.

A `Service` holds the models of one folder of data. Rows to learn are written to an event log (SQLite) before they are
acknowledged; one thread for each model learns them in the order of the log; snapshots are model files. `http_app` puts
HTTP on top, and needs the packages of `pip install "kernelstream[serve]"`; everything else here does not.
"""

from .event_bus import EventBus, ServiceEvent
from .event_log import EventLog, LogUnavailable, Transaction
from .limits import Limits
from .refused_request import RefusedRequest
from .service import Service

__all__ = [
    "EventBus",
    "EventLog",
    "Limits",
    "LogUnavailable",
    "RefusedRequest",
    "Service",
    "ServiceEvent",
    "Transaction",
]
