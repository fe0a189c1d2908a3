"""Frames between processes: a JSON header and raw bytes. Nothing is ever unpickled.

A frame is the 4-byte big-endian length of the header, the header (JSON with the lengths of the
blobs under ``"blobs"``), then the blobs. Sizes are capped before anything is read.
"""

from __future__ import annotations

import json
import os
import select
import struct
import sys
import time
from collections.abc import Sequence
from importlib import import_module
from typing import Any, BinaryIO, Protocol

import jax
import numpy as np

MAX_HEADER = 16 * 2**20
MAX_ANSWER = 4 * 2**20
"""Of a header that an untrusted process sends."""
MAX_BLOBS = 256 * 2**20
MAX_BLOB_COUNT = 10_000
MAX_DEPTH = 8
DTYPES = {np.dtype(c) for c in "?bhilqBHILQefdFD"}


class FrameError(Exception):
    """Bytes that are not a frame, or a frame over the caps."""


def write_frame(stream: BinaryIO, header: dict[str, Any], blobs: Sequence[bytes] = ()) -> None:
    text = json.dumps({**header, "blobs": [len(b) for b in blobs]}).encode()
    stream.write(struct.pack(">I", len(text)) + text)
    for blob in blobs:
        stream.write(blob)
    stream.flush()


class Readable(Protocol):
    """What frames are read from: `read` blocks until `size` bytes are there, or the end is."""

    def read(self, size: int, /) -> bytes: ...


class DeadlineReader:
    """Reads a pipe, until a time on the monotonic clock.

    `read` raises `TimeoutError` when the bytes do not come in time.
    """

    def __init__(self, descriptor: int, deadline: float) -> None:
        self._descriptor = descriptor
        self._deadline = deadline

    def read(self, size: int, /) -> bytes:
        parts: list[bytes] = []
        while size > 0:
            left = self._deadline - time.monotonic()
            if left <= 0 or not select.select([self._descriptor], [], [], left)[0]:
                raise TimeoutError
            part = os.read(self._descriptor, min(size, 2**20))
            if not part:
                break
            parts.append(part)
            size -= len(part)
        return b"".join(parts)


def _read_exactly(stream: Readable, size: int) -> bytes:
    data = stream.read(size)
    if data is None or len(data) != size:
        raise FrameError("the other process closed the connection")
    return data


def read_frame(
    stream: Readable, max_header: int = MAX_HEADER
) -> tuple[dict[str, Any], list[bytes]]:
    """Read one frame.

    Args:
        stream: of the other process.
        max_header: bytes of the header; no more is read or parsed.

    Raises:
        FrameError: end of stream, a frame over the caps, or a header that is not a JSON object
            with sensible blob lengths.
    """
    (size,) = struct.unpack(">I", _read_exactly(stream, 4))
    if size > max_header:
        raise FrameError(f"header of {size} bytes")
    try:
        header = json.loads(_read_exactly(stream, size))
        lengths = header["blobs"]
        if len(lengths) > MAX_BLOB_COUNT:
            raise ValueError(f"{len(lengths)} blobs")
        total = sum(lengths)
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise FrameError(f"malformed header: {error}") from None
    if any(type(n) is not int or n < 0 for n in lengths) or total > MAX_BLOBS:
        raise FrameError("malformed blob lengths")
    return header, [_read_exactly(stream, n) for n in lengths]


# --- arrays -------------------------------------------------------------------------------------


def array_to_blob(array: np.ndarray) -> tuple[dict[str, Any], bytes]:
    return {"dtype": str(array.dtype), "shape": list(array.shape)}, np.ascontiguousarray(
        array
    ).tobytes()


def array_from_blob(meta: Any, blob: bytes) -> np.ndarray:
    """Rebuild an array from untrusted parts.

    Raises:
        FrameError: unknown dtype, or a length that does not fit the shape.
    """
    try:
        dtype = {str(d): d for d in DTYPES}[meta["dtype"]]
        shape = tuple(meta["shape"])
        if any(type(n) is not int or not 0 <= n < 2**31 for n in shape):
            raise ValueError(f"shape {shape}")
        return np.frombuffer(blob, dtype=dtype).reshape(shape)
    except Exception as error:  # whatever strange parts lead to
        raise FrameError(f"malformed array: {error!r}") from None


# --- calls on shapes ----------------------------------------------------------------------------


def call_to_json(value: Any) -> Any:
    """A call whose arrays are `jax.ShapeDtypeStruct`, as JSON."""
    if isinstance(value, jax.ShapeDtypeStruct):
        return {"array": [str(value.dtype), list(value.shape)]}
    if isinstance(value, tuple):
        parts = [call_to_json(v) for v in value]
        if hasattr(value, "_fields"):
            return {"named": [_name(type(value)), parts]}
        return {"tuple": parts}
    if isinstance(value, list):
        return {"list": [call_to_json(v) for v in value]}
    if isinstance(value, dict):
        return {"dict": [[k, call_to_json(v)] for k, v in value.items()]}
    if value is None or isinstance(value, (bool, int, float, str)):
        return {"static": value}
    raise TypeError(f"a {type(value).__name__} cannot be an argument of an exercise")


def _name(kind: type) -> list[str]:
    """Where a NamedTuple, such as a state of Optax, is imported from on the other side."""
    importable = getattr(sys.modules.get(kind.__module__), kind.__name__, None) is kind
    if kind.__module__.startswith("_") or not importable:
        raise TypeError(
            f"the NamedTuple {kind.__name__} cannot be an argument of an exercise: the worker must "
            "be able to import it, so take it from a package, or pass a plain tuple"
        )
    return [kind.__module__, kind.__name__]


def call_from_json(data: Any, depth: int = 0) -> Any:
    """What `call_to_json` wrote. For the grader's own requests only: it imports what they name."""
    if depth > MAX_DEPTH:
        raise FrameError("arguments nested too deeply")
    ((kind, value),) = data.items()
    if kind == "array":
        dtype, shape = value
        return jax.ShapeDtypeStruct(tuple(shape), np.dtype(dtype))
    if kind == "tuple":
        return tuple(call_from_json(v, depth + 1) for v in value)
    if kind == "named":
        (module, name), parts = value
        return getattr(import_module(module), name)(*(call_from_json(v, depth + 1) for v in parts))
    if kind == "list":
        return [call_from_json(v, depth + 1) for v in value]
    if kind == "dict":
        return {k: call_from_json(v, depth + 1) for k, v in value}
    return value
