"""How many programs calls of a proved entry point compile: counted from the calls, without running.

Where the entry point is one jitted function bound at the top, and no function of the slice makes
another, jit finds a program by the call alone: how many arguments are given by position, which by
name, the shape, data type and weak type of each array, and each static value and its type.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from typing import Any, NamedTuple

from autograder.source.cells_read import Place
from autograder.source.jit_options import JittedFunction
from autograder.source.proof import SourceProof
from autograder.source.slicing import Unproved

_SHORTER = {"int64": "int32", "uint64": "uint32", "float64": "float32", "complex128": "complex64"}
"""What JAX makes of NumPy's types, as the kit runs it: without 64 bits."""


_PLAIN: dict[type, Hashable] = {
    bool: ((), "bool", False),
    int: ((), "int32", True),
    float: ((), "float32", True),
    complex: ((), "complex64", True),
}
"""Shape, data type and weak type of Python's numbers."""


class CallOfEntry(NamedTuple):
    """One call: its arguments, by position and by name. Arrays need only `shape` and `dtype`."""

    args: tuple[Any, ...]
    kwargs: Mapping[str, Any] = {}


def find_jitted(proof: SourceProof, name: str) -> JittedFunction | Unproved:
    """Return an entry point that is one jitted function bound at the top, or why it is none."""
    if proof.unproved is not None:
        return proof.unproved
    found = [s for s in proof.slice.statements if name in s.binds]
    place = Place(found[-1].cell, found[-1].node.lineno) if found else Place("", 0)
    if proof.makes_jits:
        return Unproved(place, "A function makes a jitted function, or compiles one, at each call.")
    jitted = proof.jitted.get(name)
    if jitted is None:
        return Unproved(place, f"`{name}` is not a jitted function bound at the top.")
    return Unproved(place, jitted.unclear) if jitted.unclear else jitted


def program_keys(entry: JittedFunction, calls: Iterable[CallOfEntry]) -> list[Hashable] | str:
    """Return for each call what jit finds its program by, or why that is not known.

    >>> entry = JittedFunction(("x", "n"), frozenset({"n"}))
    >>> calls = [CallOfEntry((1.0, 2)), CallOfEntry((3.5, 2)), CallOfEntry((1.0, 3))]
    >>> len(set(program_keys(entry, calls)))
    2
    """
    try:
        return [_key(entry, call) for call in calls]
    except _Unknown as unknown:
        return str(unknown)


class _Unknown(Exception):
    """Why a call's part of jit's key is not known."""


def _key(entry: JittedFunction, call: CallOfEntry) -> Hashable:
    by_place = []
    for i, value in enumerate(call.args):
        is_known = i < len(entry.parameters)
        if entry.static and not is_known:
            raise _Unknown(f"The function does not take {len(call.args)} arguments.")
        is_static = is_known and entry.parameters[i] in entry.static
        by_place.append(_static(value) if is_static else _traced(value))
    by_name = [
        (name, _static(value) if name in entry.static else _traced(value))
        for name, value in sorted(call.kwargs.items())
    ]
    return tuple(by_place), tuple(by_name)


def _static(value: Any) -> Hashable:
    if isinstance(value, float) and value != value:
        raise _Unknown("NaN as a static value is another program each time.")
    if value is None or type(value) in (bool, int, float, complex, str, bytes):
        return type(value), value
    if type(value) is tuple:
        for part in value:
            _static(part)
        return tuple, value
    raise _Unknown(
        f"Whether two static values of type {type(value).__name__} are equal is not known."
    )


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
    raise _Unknown(f"A value of type {type(value).__name__} is no array.")
