"""`Client`: a server of `kernelstream serve`, from Python.

Needs httpx: `pip install "kernelstream[client]"`. Requests are sent again after lost connections and when the server is
busy, with the same ids, so that nothing is learned twice (`docs/serving.md`).
"""

from .client import Client
from .errors import RequestRefused, ServerUnavailable

__all__ = ["Client", "RequestRefused", "ServerUnavailable"]
