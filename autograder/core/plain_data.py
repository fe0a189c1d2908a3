"""What a rubric's probe may report: numbers, text, arrays, and lists and dictionaries of these.

It says nothing by itself: trusted code decides what it means.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import numpy as np

from autograder.core.printable import clean
from autograder.core.wire import DTYPES, array_from_blob, array_to_blob

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
