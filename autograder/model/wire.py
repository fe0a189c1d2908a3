"""What frames hold: arrays, the calls of an exercise, and what a rubric's probe reports.

A probe's report says nothing by itself: trusted code decides what it means.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib import import_module
from typing import Any

import jax
import numpy as np

from autograder.model.printable import clean
from autograder.processes.frames import FrameError

DTYPES = {np.dtype(c) for c in "?bhilqBHILQefdFD"}


def array_to_blob(array: np.ndarray) -> tuple[dict[str, Any], bytes]:
    """Return an array's dtype and shape as JSON, and its bytes in C order."""
    return {"dtype": str(array.dtype), "shape": list(array.shape)}, array.tobytes()


def array_from_blob(meta: Any, blob: bytes) -> np.ndarray:
    """Rebuild an array from untrusted parts.

    Raises:
        FrameError: the dtype is unknown, or the blob's length does not fit the shape.
    """
    try:
        dtype = {str(d): d for d in DTYPES}[meta["dtype"]]
        shape = tuple(meta["shape"])
        if any(type(n) is not int or not 0 <= n < 2**31 for n in shape):
            raise ValueError(f"shape {shape}")
        return np.frombuffer(blob, dtype=dtype).reshape(shape)
    except Exception as error:  # any error that malformed parts cause
        raise FrameError(f"malformed array: {error!r}") from None


def call_to_json(value: Any) -> Any:
    """Encode a call whose arrays are `jax.ShapeDtypeStruct` as JSON."""
    if isinstance(value, jax.ShapeDtypeStruct):
        return {"array": [str(value.dtype), list(value.shape)]}
    if isinstance(value, tuple):
        parts = [call_to_json(v) for v in value]
        if hasattr(value, "_fields"):
            return {"named": [_import_location(type(value)), parts]}
        return {"tuple": parts}
    if isinstance(value, list):
        return {"list": [call_to_json(v) for v in value]}
    if isinstance(value, dict):
        return {"dict": [[k, call_to_json(v)] for k, v in value.items()]}
    if value is None or isinstance(value, (bool, int, float, str)):
        return {"static": value}
    raise TypeError(f"a {type(value).__name__} cannot be an argument of an exercise")


def _import_location(kind: type) -> list[str]:
    """Module and name of a NamedTuple, such as one of Optax's states."""
    importable = getattr(sys.modules.get(kind.__module__), kind.__name__, None) is kind
    if kind.__module__.startswith("_") or not importable:
        raise TypeError(
            f"the NamedTuple {kind.__name__} cannot be an argument of an exercise: the worker must "
            "be able to import it, so take it from a package, or pass a plain tuple"
        )
    return [kind.__module__, kind.__name__]


def call_from_json(data: Any) -> Any:
    """Decode a call. Only for the grader's own requests: this imports the types that they name."""
    ((kind, value),) = data.items()
    if kind == "array":
        dtype, shape = value
        return jax.ShapeDtypeStruct(tuple(shape), np.dtype(dtype))
    if kind == "tuple":
        return tuple(call_from_json(v) for v in value)
    if kind == "named":
        (module, name), parts = value
        return getattr(import_module(module), name)(*(call_from_json(v) for v in parts))
    if kind == "list":
        return [call_from_json(v) for v in value]
    if kind == "dict":
        return {k: call_from_json(v) for k, v in value}
    return value


_MAX_DEPTH = 6
_MAX_PARTS = 20_000
_MAX_TEXT = 1_000
_INTEGERS = range(-(2**63), 2**64)


def plain(value: Any) -> Any:
    """Return a value as plain data; of what is none, only the name of its type."""
    if value is None or isinstance(value, (bool, float)):
        return value
    if isinstance(value, int) and value in _INTEGERS:
        return int(value)
    if isinstance(value, str):
        return clean(value, _MAX_TEXT)
    if isinstance(value, dict):
        return {clean(name, _MAX_TEXT): plain(part) for name, part in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(part) for part in value]
    if isinstance(value, (np.ndarray, np.generic, jax.Array)) and value.dtype in DTYPES:
        return np.asarray(value)
    return clean(f"<{type(value).__name__}>", _MAX_TEXT)


def encode_plain(value: Any, put: Callable[[bytes], int]) -> Any:
    """Write plain data as JSON; `put` stores the bytes of an array and returns their number."""
    if isinstance(value, dict):
        return {"parts": {name: encode_plain(part, put) for name, part in value.items()}}
    if isinstance(value, list):
        return [encode_plain(part, put) for part in value]
    if isinstance(value, np.ndarray):
        meta, blob = array_to_blob(value)
        return {**meta, "blob": put(blob)}
    return value


def decode_plain(data: Any, blob: Callable[[Any], bytes]) -> Any:
    """Rebuild plain data from what an untrusted process sent.

    Args:
        data: JSON of any kind.
        blob: returns the blob with a number.

    Raises:
        ValueError, FrameError, KeyError, TypeError: it is none, or too much.
    """
    parts = 0

    def decode(data: Any, depth: int) -> Any:
        nonlocal parts
        parts += 1
        if parts > _MAX_PARTS or depth > _MAX_DEPTH:
            raise ValueError("too many parts")
        if isinstance(data, list):
            return [decode(part, depth + 1) for part in data]
        if isinstance(data, dict) and "parts" in data:
            return {
                clean(name, _MAX_TEXT): decode(part, depth + 1)
                for name, part in data["parts"].items()
            }
        if isinstance(data, dict):
            return array_from_blob(data, blob(data["blob"]))
        if isinstance(data, int) and data not in _INTEGERS:
            raise ValueError("too large an integer")
        return clean(data, _MAX_TEXT) if isinstance(data, str) else data

    return decode(data, 0)
