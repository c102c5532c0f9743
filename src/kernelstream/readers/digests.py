"""Digests of what was read, by which a run that is resumed recognizes its input."""

import hashlib
from typing import BinaryIO

_PART, _PARTS = 1 << 14, 64  # of a file that is not read whole for its digest


class ChangedInput(ValueError):
    """Input that is not what the run to resume has read."""


def changed(name: str, how: str) -> ChangedInput:
    return ChangedInput(
        f"{name} is not the data that the run to resume has learned from: {how}. Resume with the original data, or "
        "learn this data from its first row with --new-data; the model is unchanged."
    )


def sampled_digest(file: BinaryIO, size: int) -> str:
    """A digest of the first `size` bytes of a file: of their number and of 64 parts, evenly spaced and in ascending
    order, which include the beginning and the end. A file of up to 1 MB is read whole."""
    digest = hashlib.sha256(str(size).encode())
    last = max(size - _PART, 0)
    whole = size <= _PART * _PARTS
    for i in range(_PARTS):
        start = min(i * _PART, size) if whole else last * i // (_PARTS - 1)
        file.seek(start)
        digest.update(file.read(min(_PART, size - start)))
    return digest.hexdigest()
