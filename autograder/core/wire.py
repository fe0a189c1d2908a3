"""What frames (`autograder.core.frames`) hold: arrays, and the calls of an exercise."""

from __future__ import annotations

import sys
from importlib import import_module
from typing import Any

import jax
import numpy as np

from autograder.core.frames import FrameError

MAX_DEPTH = 8
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


def call_from_json(data: Any, depth: int = 0) -> Any:
    """Decode a call. Only for the grader's own requests: this imports the types that they name."""
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
