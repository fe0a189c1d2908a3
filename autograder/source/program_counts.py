"""How many programs calls of a proved entry point compile: counted from the calls, without running.

Where the entry point is one jitted function bound at the top, and no function of the slice makes
another, jit finds a program by the call alone: how many arguments it has, the shape, data type and
weak type of each array, and each static value and its type.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import Any

from autograder.source.jit_options import JittedFunction

_SHORTER = {"int64": "int32", "uint64": "uint32", "float64": "float32", "complex128": "complex64"}
"""What JAX makes of NumPy's types, as the kit runs it: without 64 bits."""

_PLAIN: dict[type, Hashable] = {
    bool: ((), "bool", False),
    int: ((), "int32", True),
    float: ((), "float32", True),
    complex: ((), "complex64", True),
}
"""Shape, data type and weak type of Python's numbers."""


def program_keys(entry: JittedFunction, calls: Iterable[tuple]) -> list[Hashable] | None:
    """Return for each call what jit finds its program by; None where that is not known.

    Args:
        entry: the entry point.
        calls: the arguments of each, all by position. Arrays need only `shape` and `dtype`.

    >>> entry = JittedFunction(("x", "n"), ("n",))
    >>> len(set(program_keys(entry, [(1.0, 2), (3.5, 2), (1.0, 3)])))
    2
    """
    try:
        return [_key(entry, args) for args in calls]
    except _Unknown:
        return None


class _Unknown(Exception):
    """A call's part of jit's key is not known."""


def _key(entry: JittedFunction, args: tuple) -> Hashable:
    if entry.static and len(args) > len(entry.parameters):
        raise _Unknown  # it does not take so many
    static = [i for i, name in enumerate(entry.parameters) if name in entry.static]
    return tuple(_static(x) if i in static else _traced(x) for i, x in enumerate(args))


def _static(value: Any) -> Hashable:
    if isinstance(value, float) and value != value:
        raise _Unknown  # another program each time
    if value is None or type(value) in (bool, int, float, complex, str, bytes):
        return type(value), value
    if type(value) is tuple:
        for part in value:
            _static(part)
        return tuple, value
    raise _Unknown  # nobody knows which of these values are equal


def _traced(value: Any) -> Hashable:
    if value is None:
        return None
    if type(value) in _PLAIN:
        return _PLAIN[type(value)]
    if type(value) in (tuple, list):
        return type(value), tuple(_traced(part) for part in value)
    if type(value) is dict and all(isinstance(k, str) for k in value):
        return dict, tuple((k, _traced(v)) for k, v in sorted(value.items()))
    shape, dtype = getattr(value, "shape", None), getattr(value, "dtype", None)
    if isinstance(shape, tuple) and dtype is not None:
        weak = bool(getattr(value, "weak_type", False))
        return shape, _SHORTER.get(str(dtype), str(dtype)), weak
    raise _Unknown  # it is no array
