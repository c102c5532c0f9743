"""Models on their way from one process to another."""

import pickle
import zlib
from typing import Any


class Parcel:
    """Anything, compressed where it is pickled: room that a model has kept free costs little to send."""

    def __init__(self, content: Any):
        self.content = content

    def __reduce__(self) -> tuple[Any, ...]:
        return _opened, (zlib.compress(pickle.dumps(self.content, pickle.HIGHEST_PROTOCOL), 1),)


def _opened(data: bytes) -> Parcel:
    return Parcel(pickle.loads(zlib.decompress(data)))
