"""Tokens of single values: equal tokens, equal content. No student code runs while reading.

A value's real type decides, never `__class__`, `__eq__`, `__hash__` or `__repr__`, so that a
class of the student's cannot lie.
"""

from __future__ import annotations

import enum
import hashlib

import numpy as np

from autograder.criteria.purity import trusted

Token = tuple

_EXACT = (bool, int, complex, type(None), type(Ellipsis), slice, range)


def is_tracer(value: object) -> bool:
    return issubclass(type(value), trusted.Tracer)


def is_array(value: object) -> bool:
    """A concrete JAX or NumPy array or NumPy scalar, typed PRNG keys included."""
    kind = type(value)
    if issubclass(kind, trusted.Tracer):
        return False
    return issubclass(kind, trusted.Array) or issubclass(kind, (np.ndarray, np.generic))


def is_jax_array(value: object) -> bool:
    return is_array(value) and issubclass(type(value), trusted.Array)


def to_numpy(array: object) -> np.ndarray:
    """The numbers of an array (a typed key gives its key data)."""
    if issubclass(type(array), trusted.Array) and trusted.issubdtype(array.dtype, trusted.prng_key):  # type: ignore[attr-defined]
        with trusted.compile_time():  # also while something else is being traced
            array = trusted.key_data(array)  # type: ignore[arg-type]
    return trusted.asarray(array)


def digest(data: bytes) -> str:
    return hashlib.blake2b(data, digest_size=8).hexdigest()


def _array_token(array) -> Token:
    if issubclass(type(array), trusted.Array) and array.is_deleted():
        return ("deleted",)
    if type(array) is np.ma.MaskedArray:
        return ("array", "masked", digest(array.filled().tobytes() + array.mask.tobytes()))
    numbers = to_numpy(array)
    return ("array", str(array.dtype), numbers.shape, digest(np.ndarray.tobytes(numbers)))


def leaf_token(value: object) -> Token | None:
    """The token of a tracer, number, text or array; None for everything that has parts."""
    kind = type(value)
    if is_tracer(value):
        return ("tracer", str(value.aval))  # type: ignore[attr-defined]
    if kind in _EXACT:
        return (kind.__name__, repr(value))
    if kind is float:
        return ("float", value.hex())  # type: ignore[attr-defined]
    if kind in (str, bytes, bytearray):
        return (kind.__name__, digest(bytes(value, "utf8", "replace") if kind is str else value))  # type: ignore[arg-type]
    if issubclass(kind, enum.Enum):
        return ("enum", kind.__qualname__, value._name_)  # type: ignore[attr-defined]
    if issubclass(kind, np.ndarray) and value.dtype.hasobject:  # type: ignore[attr-defined]
        return None
    if is_array(value):
        return _array_token(value)
    return None


def describe(token: Token | None) -> str:
    """A token in words for a message; the same in every process."""
    if token is None:
        return "nothing"
    kind = token[0]
    if kind in ("bool", "int", "complex", "NoneType"):
        return str(token[1])[:60]
    if kind == "float":
        return repr(float.fromhex(token[1]))
    if kind in ("dict", "list", "tuple", "set", "frozenset", "deque"):
        return f"a {kind} of {token[1]}"
    if kind == "array":
        return "an array"
    if kind == "tracer":
        return f"a tracer {token[1]}"
    if kind == "str":
        return "a string"
    return f"a {kind}"
