"""Compilations proved: the source says what jit finds a program by, and the calls say the rest."""

from __future__ import annotations

from collections.abc import Hashable

from autograder.model.call_text import call_text
from autograder.model.figures import CallEffect, CallSeen, Timeline, cut_timeline
from autograder.model.rubric import Drawn
from autograder.programs.exported import FLOATS, NUMBERS, signature, without_values
from autograder.source import JittedFunction, program_keys


def prove_compilations(drawn: Drawn, entry: JittedFunction) -> Timeline | None:
    """Return what the watched calls compile, where they compile no more than they may.

    None where they may compile more, or where it is not known: then they are made and watched, so
    that the line and the cause can be told. The source proves the entry point to be one jitted
    function.
    """
    exercise, calls = drawn.exercise, drawn.watched_calls
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
