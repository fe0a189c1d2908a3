"""Calls of a student's function, each signature once more than asked for, and what they did."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import Any

from autograder.core.call_text import call_text
from autograder.core.figures import CallEffect, CallSeen, Timeline, cut_timeline
from autograder.criteria.compilations.arguments import nudged, signature
from autograder.criteria.compilations.count import count_compilations
from autograder.criteria.compilations.records import CallRecord


@dataclass(frozen=True)
class Counted:
    """Calls in order with their signatures and records; the last `repeats` repeat earlier ones."""

    calls: list[tuple]
    signatures: list[tuple]
    records: list[CallRecord]
    repeats: int


def count_with_repeats(
    function: Callable[..., Any],
    calls: Sequence[tuple],
    module: ModuleType,
    statics: Collection[int] | None = None,
) -> Counted:
    """Count what the calls compile, then each signature once more, with slightly other numbers.

    Arguments as for `autograder.criteria.compilations.check_compilations`.
    """
    repeats = {signature(args, statics): nudged(args) for args in calls}
    everything = [*calls, *repeats.values()]
    signatures = [*(signature(args, statics) for args in calls), *repeats]
    records = count_compilations(function, everything, module)
    return Counted(everything, signatures, records, len(repeats))


def timeline_of(counted: Counted, programs: int = 1) -> Timeline:
    """The calls as a card shows them, where a new signature may compile `programs`."""
    seen: list[CallSeen] = []
    known: set[tuple] = set()
    compiled = False
    for args, key, record in zip(counted.calls, counted.signatures, counted.records, strict=True):
        what = _what(record, key in known, compiled, programs)
        seen.append(CallSeen(call_text("", args), what, record.compilations or record.library))
        known.add(key)
        compiled = compiled or bool(record.compilations or record.compiled_ahead)
    return cut_timeline(seen, counted.repeats)


def _what(record: CallRecord, known: bool, compiled: bool, programs: int) -> CallEffect:
    if record.error:
        return CallEffect.RAISED
    if record.compilations > programs or (known and (record.compilations or record.library)):
        return CallEffect.AGAIN
    if record.compilations:
        return CallEffect.COMPILED
    if record.compiled_ahead or compiled:
        return CallEffect.REUSED
    return CallEffect.OPERATIONS if record.library else CallEffect.NOTHING
