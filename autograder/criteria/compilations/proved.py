"""Compilations proved: counted from the calls, without running.

Where the entry point is one jitted function bound at the top, and no function of the slice makes
another, jit finds a program by the call alone: how many arguments it has, the shape, data type and
weak type of each array, and each static value and its type.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import Any

import jax

from autograder.model.call_text import call_text
from autograder.model.figures import CallEffect, CallSeen, Timeline, cut_timeline
from autograder.model.rubric import Drawn
from autograder.programs.exported import FLOATS, NUMBERS, signature, without_values
from autograder.source import JittedFunction


def prove_compilations(drawn: Drawn, entry: JittedFunction) -> Timeline | None:
    """Return what the repeated calls compile, where they compile no more than they may.

    None where they may compile more, or where it is not known: then they are made and watched, so
    that the line and the cause can be named. The source proves the entry point to be one jitted
    function.
    """
    exercise, calls = drawn.exercise, drawn.repeated_calls
    if exercise.adapter is not None or "compilations" not in exercise.points or not calls:
        return None
    keys = program_keys(entry, calls)
    if keys is None:
        return None
    signatures = [signature(args) for args in calls]
    names = NUMBERS if exercise.compilations.each_once else FLOATS
    # One program for calls that differ in nothing but numbers, so that no number is static.
    alike = [without_values(key, names) for key in signatures]
    is_one = len({*zip(alike, keys, strict=True)}) == len({*alike})
    budget = exercise.compilations.budget
    too_many = budget is not None and len(set(keys)) > budget
    return _timeline(calls, keys) if is_one and not too_many else None


def _timeline(calls: list[tuple], keys: list[Hashable]) -> Timeline:
    """Return the calls, and then each signature once more, as they are when they are watched."""
    repeats = {signature(args): args for args in calls}
    compiles = [key not in keys[:i] for i, key in enumerate(keys)] + [False] * len(repeats)
    seen = [
        CallSeen(call_text("", args), CallEffect.COMPILED if new else CallEffect.REUSED, int(new))
        for args, new in zip([*calls, *repeats.values()], compiles, strict=True)
    ]
    return cut_timeline(seen, len(repeats))


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
    try:
        leaves, tree = jax.tree.flatten(value)
        return tree, tuple(map(jax.typeof, leaves))
    except (TypeError, ValueError, OverflowError):
        raise _Unknown from None  # jit does not take it
