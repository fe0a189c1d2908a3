"""Reads single values: the tokens of leaves, and the real members of objects and classes.

Equal tokens mean equal content. No student code runs meanwhile: the real type of a value decides.
`__class__`, `__eq__`, `__hash__`, `__repr__` and `__getattribute__` could lie.
"""

from __future__ import annotations

import contextlib
import hashlib
import types
from collections.abc import Iterator
from typing import Any

import numpy as np

from autograder.programs import jax_access

Token = tuple

NUMBERS = (bool, int, float, complex)
_BY_REPR = (bool, int, complex, type(None), type(Ellipsis), range)
_CLASS_MACHINERY = """
    __weakref__ __doc__ __module__ __annotations__ __abstractmethods__ _abc_impl
    __dataclass_params__ __dataclass_fields__ __match_args__ __parameters__ __orig_bases__
    __annotate__ __annotate_func__ __annotations_cache__ __firstlineno__ __static_attributes__
    __qualname__ __slots__ __slotnames__
"""
_SKIP_MEMBERS = frozenset(_CLASS_MACHINERY.split())


def is_tracer(value: object) -> bool:
    """Return whether a value is a tracer; the value itself is not asked."""
    return issubclass(type(value), jax_access.Tracer)


def is_jax_array(value: object) -> bool:
    """Check whether a value is a concrete JAX array, typed PRNG keys included."""
    return issubclass(type(value), jax_access.Array) and not is_tracer(value)


def is_array(value: object) -> bool:
    """Check whether a value is a concrete JAX or NumPy array or a NumPy scalar."""
    return is_jax_array(value) or issubclass(type(value), (np.ndarray, np.generic))


def is_numeric(value: object) -> bool:
    """Check whether a value is a concrete array of numbers or keys, not of text or objects."""
    return is_array(value) and (is_jax_array(value) or value.dtype.kind in "biufcV")  # type: ignore[attr-defined]


def is_floating(array: Any) -> bool:
    """Check whether an array holds floating-point numbers, bfloat16 among them. A key does not."""
    return jax_access.issubdtype(array.dtype, np.floating)


def to_numpy(array: Any) -> np.ndarray:
    """Return the numbers of an array (of a typed key, its key data)."""
    is_jax = issubclass(type(array), jax_access.Array)
    if is_jax and jax_access.issubdtype(array.dtype, jax_access.prng_key):
        with jax_access.compile_time():  # also while something else is being traced
            array = jax_access.key_data(array)
    return jax_access.asarray(array)


def is_close(got: np.ndarray, want: np.ndarray, rtol: float, atol: float, floor=0.0) -> bool:
    """Compare numbers up to rounding; `atol` is relative to the largest finite entry of `want`."""
    scale = float(np.max(np.abs(want), where=np.isfinite(want), initial=0.0))
    return bool(
        jax_access.allclose(got, want, rtol=rtol, atol=atol * scale + floor, equal_nan=True)
    )


def digest(data: bytes) -> str:
    """Return a short digest of some bytes."""
    return hashlib.blake2b(data, digest_size=8).hexdigest()


def _array_token(array: Any) -> Token:
    if issubclass(type(array), jax_access.Array) and array.is_deleted():
        return ("deleted",)
    if type(array) is np.ma.MaskedArray:
        return ("array", "masked", digest(array.filled().tobytes() + array.mask.tobytes()))
    numbers = to_numpy(array)
    layout = numbers.strides if numbers is array else ()
    return ("array", str(array.dtype), numbers.shape, digest(np.ndarray.tobytes(numbers)), layout)


def leaf_token(value: object) -> Token | None:
    """Return the token of a tracer, number, text or array; None for values that have parts."""
    kind = type(value)
    if is_tracer(value):
        return ("tracer", str(value.aval))  # type: ignore[attr-defined]
    if kind in _BY_REPR:
        return (kind.__name__, repr(value))
    if kind is float:
        return ("float", value.hex())  # type: ignore[attr-defined]
    if kind in (str, bytes, bytearray):
        return (kind.__name__, digest(bytes(value, "utf8", "replace") if kind is str else value))  # type: ignore[arg-type]
    if issubclass(kind, (np.ndarray, np.void)) and value.dtype.hasobject:  # type: ignore[attr-defined]
        return None
    return _array_token(value) if is_array(value) else None


def describe(token: Token | None) -> str:
    """Describe a token in words for a message; the same in every process."""
    match token:
        case None:
            return "nothing"
        case ("bool" | "int" | "complex" | "NoneType", text):
            return str(text)[:60]
        case ("float", text):
            return repr(float.fromhex(text))
        case ("dict" | "list" | "tuple" | "set" | "frozenset" | "deque" as kind, size, *_):
            return f"a {kind} of {size}"
        case ("array", *_):
            return "an array"
        case ("tracer", text):
            return f"a tracer {text}"
        case ("str", *_):
            return "a string"
        case ("same", path):
            return f"the same object as `{path}`"
    return f"an {token[0]}" if token[0][0] in "aeiou" else f"a {token[0]}"


def class_dict(cls: type) -> types.MappingProxyType[str, object]:
    """Return a class's own dictionary; the class itself is not asked."""
    return type.__dict__["__dict__"].__get__(cls)  # type: ignore[attr-defined]


def class_name(cls: type) -> str:
    """Return a class's qualified name; the class itself is not asked."""
    return type.__dict__["__qualname__"].__get__(cls)  # type: ignore[attr-defined]


def instance_dict(value: object) -> dict | None:
    """Return the real `__dict__` of an object, whatever its `__getattribute__` returns."""
    for cls in type(value).__mro__:
        slot = class_dict(cls).get("__dict__")
        if type(slot) is types.GetSetDescriptorType:
            found = slot.__get__(value)
            return found if issubclass(type(found), dict) else None
    with contextlib.suppress(Exception):
        found = object.__getattribute__(value, "__dict__")
        return found if type(found) is dict else None
    return None


def members(cls: type) -> dict[str, object]:
    """Return what a class itself defines, without what Python adds."""
    descriptors = (types.GetSetDescriptorType, types.MemberDescriptorType)
    return {
        name: value
        for name, value in class_dict(cls).items()
        if name not in _SKIP_MEMBERS and type(value) not in descriptors
    }


def slots(cls: type) -> Iterator[tuple[str, types.MemberDescriptorType]]:
    """Yield the slots of a class and of its bases, by name."""
    for base in cls.__mro__:
        if type(base.__dict__.get("__slots__")) in (tuple, list, str):
            for name, slot in base.__dict__.items():
                if type(slot) is types.MemberDescriptorType:
                    yield name, slot
