"""The file format: safetensors, with a JSON header in its metadata and a checksum over every byte.

A file starts with the length of safetensors' own header and `_START`, so the checksum is always at the same offset. It
is the SHA-256 of the whole file with 64 zeros in place of the checksum.
"""

import hashlib
import json
import os
from typing import Any, BinaryIO

import numpy as np
import safetensors
import safetensors.numpy

SCHEMA = 2
_START = b'{"__metadata__":{"kernelstream":"{\\"sha256\\":\\"'
_SUM = slice(8 + len(_START), 8 + len(_START) + 64)
_LONGEST = 100_000_000  # bytes of a header; safetensors refuses more


def pack(header: dict[str, Any], arrays: dict[str, np.ndarray]) -> bytes:
    """Header and arrays as the bytes of a file."""
    whole = {"sha256": "0" * 64, "schema": SCHEMA, **header}
    text = json.dumps(whole, separators=(",", ":"), allow_nan=False)
    ordered = {
        name: np.ascontiguousarray(array) for name, array in arrays.items()
    }  # safetensors copies memory as it is
    data = bytearray(safetensors.numpy.save(ordered, {"kernelstream": text}))
    assert data[8:].startswith(_START)
    data[_SUM] = hashlib.sha256(data).hexdigest().encode()
    return bytes(data)


def unpack(data: bytes, name: str) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    """Header and arrays from the bytes of a file, checked; `name` is its name in errors."""
    header, _ = _parse(data[: _SUM.stop], data[8 : 8 + _length(data, name)], name)
    zeroed = bytearray(data)
    zeroed[_SUM] = b"0" * 64
    if hashlib.sha256(zeroed).hexdigest() != header["sha256"]:
        raise damaged(name, "its checksum does not match")
    try:
        return header, safetensors.numpy.load(data)
    except (safetensors.SafetensorError, ValueError, KeyError) as error:
        raise damaged(name, f"its arrays cannot be read ({error})") from None


def read_header(file: BinaryIO, name: str) -> dict[str, Any]:
    """The header of an open file. The arrays are not read, so the checksum is not checked."""
    start = file.read(_SUM.stop)
    length = _length(start, name)
    if length > _LONGEST:
        raise foreign(name)
    header, end = _parse(start, start[8:] + file.read(max(8 + length - len(start), 0)), name)
    if file.seek(0, os.SEEK_END) != 8 + length + end:
        raise damaged(name, "its length does not match its header")
    return header


def _length(data: bytes, name: str) -> int:
    """The length of safetensors' header."""
    if len(data) < _SUM.stop or data[8 : _SUM.start] != _START:
        raise foreign(name)
    return int.from_bytes(data[:8], "little")


def _parse(start: bytes, text: bytes, name: str) -> tuple[dict[str, Any], int]:
    """Our header, and the number of bytes of all arrays according to safetensors' header."""
    try:
        outer = json.loads(text)
        header = json.loads(outer.pop("__metadata__")["kernelstream"])
        end = max((int(entry["data_offsets"][1]) for entry in outer.values()), default=0)
        schema = header["schema"]
        if type(schema) is not int or header["sha256"].encode() != start[_SUM]:
            raise ValueError("no schema")
    except (ValueError, KeyError, TypeError, AttributeError, IndexError, RecursionError):
        raise damaged(name, "its header cannot be read") from None
    if schema > SCHEMA:
        raise ValueError(
            f"{name} was written by kernelstream {header.get('version')} in schema {schema}; this version reads "
            f"schemas up to {SCHEMA}: pip install --upgrade kernelstream."
        )
    return header, end


def foreign(name: str) -> ValueError:
    return ValueError(
        f"{name} is not a kernelstream model file, or is truncated. Model files are written by "
        "kernelstream.save(model, path)."
    )


def damaged(name: str, how: str) -> ValueError:
    return ValueError(f"{name} is damaged or has been altered: {how}. Use another copy of the file.")
