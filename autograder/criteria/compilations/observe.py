"""Counts what calls of a function compile, in the student's process."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import ModuleType
from typing import Any

import jax

from autograder.core.call_text import call_text
from autograder.core.figures import CallEffect, CallSeen, Timeline, cut_timeline
from autograder.core.finding import Finding
from autograder.core.program import concrete
from autograder.criteria.compilations.budget import check_compilations, find_known
from autograder.criteria.compilations.count import (
    CallRecord,
    Counted,
    count_compilations,
    count_with_repeats,
)
from autograder.criteria.shape import Seen, Subject


def observe(subject: Subject) -> Seen | None:
    """Return findings on compilations, and what each of the watched calls compiled."""
    exercise = subject.exercise
    if not subject.calls or "compilations" not in exercise.points:
        return None
    try:
        calls = [concrete(args) for args in subject.calls]
        jax.block_until_ready(calls)
        subject.restore()  # a tracer that was kept during the export is not the calls' fault
        counted = count_with_repeats(subject.function, calls, subject.module)
        found = check_compilations(
            subject.function,
            calls,
            subject.module,
            programs=exercise.programs,
            total=exercise.budget,
            dispatches=exercise.dispatches,
            one_program_only=exercise.one_program,
            one_function=exercise.one_function,
            each_once=exercise.each_once,
            counted=counted,
        )
    except Exception as error:
        return Seen((subject.explain(error, handling=False),))
    timeline = timeline_of(counted, exercise.programs)
    return Seen(tuple(found), _explain_failed(subject, counted), timeline=timeline)


def _explain_failed(subject: Subject, counted: Counted) -> tuple[Finding, ...]:
    """Return a finding on the first call that raised an error."""
    for args, record in zip(counted.calls, counted.records, strict=True):
        if record.raised is not None:
            return (subject.explain_call(record.raised, args),)
    return ()


def count_programs(
    function: Callable[..., Any], calls: Sequence[tuple], module: ModuleType
) -> list[int]:
    """Return how many of the student's programs each call compiles; nothing where one fails."""
    records = count_compilations(function, calls, module)
    failed = any(record.error for record in records)
    return [] if failed else [record.compilations for record in records]


def timeline_of(counted: Counted, programs: int = 1) -> Timeline:
    """Return the calls as a card shows them, where a new signature may compile `programs`."""
    seen: list[CallSeen] = []
    compiled = False
    for args, record, known in zip(
        counted.calls, counted.records, find_known(counted), strict=True
    ):
        what = _classify(record, known, compiled, programs)
        seen.append(CallSeen(call_text("", args), what, record.compilations or record.library))
        compiled = compiled or bool(record.compilations or record.compiled_ahead)
    return cut_timeline(seen, counted.repeats)


def _classify(record: CallRecord, known: bool, compiled: bool, programs: int) -> CallEffect:
    if record.error:
        return CallEffect.RAISED
    if record.compilations > programs or (known and (record.compilations or record.library)):
        return CallEffect.AGAIN
    if record.compilations:
        return CallEffect.COMPILED
    if record.compiled_ahead or compiled:
        return CallEffect.REUSED
    return CallEffect.OPERATIONS if record.library else CallEffect.NOTHING
