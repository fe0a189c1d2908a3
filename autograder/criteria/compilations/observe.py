"""Counts what calls of a function compile and run, in its process, and compares with what they may.

Each signature is called once more, while what JAX is asked to run is recorded: jitted functions and
single operations. Being jitted is not enough: `jnp.where` is, too. It must be a function of the
student's.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Container, Sequence
from types import ModuleType
from typing import Any, NamedTuple

import jax
import numpy as np

from autograder.criteria.compilations import messages
from autograder.criteria.compilations.count import (
    CallRecord,
    Counted,
    count_with_repeats,
    run_once,
)
from autograder.criteria.compilations.watch import Compilation, split_stack
from autograder.criteria.shape import Seen, Subject
from autograder.errors.jax_errors import error_line
from autograder.model.call_text import call_text
from autograder.model.exercise import Compilations
from autograder.model.figures import CallEffect, CallSeen, Timeline, cut_timeline
from autograder.model.finding import Finding
from autograder.model.student_code import student_files
from autograder.model.templates import join_texts
from autograder.programs.exported import concrete
from autograder.programs.jax_private import (
    Defined,
    passing_checks,
    recording_operations,
    source_of,
)

_MOVES = {"device_put", "copy", "copy_p", "stage"}
"""Moving data compiles nothing."""


def observe(subject: Subject) -> Seen | None:
    """Return findings on compilations, and what each of the repeated calls compiled."""
    calls = subject.repeated_calls
    if not calls or "compilations" not in subject.exercise.points:
        return None
    allowed = subject.exercise.compilations
    try:
        subject.restore()  # a tracer that was kept during the export is not the calls' fault
        counted = count_with_repeats(subject.function, calls, subject.module)
        found = check_compilations(subject.function, counted, subject.module, allowed)
    except Exception as error:
        return Seen((subject.explain(error, handling=False),))
    made = zip(counted.calls, counted.records, strict=True)
    raised = ((record.raised, args) for args, record in made if record.raised is not None)
    failed = next((subject.explain_call(error, args) for error, args in raised), None)
    timeline = timeline_of(counted, allowed)
    return Seen(tuple(found), failed, returns=failed is None, timeline=timeline)


def timeline_of(counted: Counted, allowed: Compilations) -> Timeline:
    """Return the calls as a card shows them."""
    seen: list[CallSeen] = []
    compiled = False
    known = counted.known(numbers=allowed.each_once)
    for args, record, why in zip(counted.calls, counted.records, known, strict=True):
        effect = _classify(record, bool(why), compiled, allowed.programs)
        count = len(record.programs) or len(record.operations)
        seen.append(CallSeen(call_text("", args), effect, count))
        compiled = compiled or bool(record.programs or record.ahead)
    return cut_timeline(seen, counted.repeats)


def _classify(record: CallRecord, known: bool, compiled: bool, programs: int) -> CallEffect:
    if record.raised is not None:
        return CallEffect.RAISED
    if len(record.programs) > programs or (known and (record.programs or record.operations)):
        return CallEffect.AGAIN
    if record.programs:
        return CallEffect.COMPILED
    if record.ahead or compiled:
        return CallEffect.REUSED
    return CallEffect.OPERATIONS if record.operations else CallEffect.NOTHING


class Operation(NamedTuple):
    """What JAX was asked to run: a jitted function of the student's, or an operation outside."""

    name: str
    line: int | None  # of the student's; None if a rubric's adapter asked for it
    is_program: bool
    disabled: bool = False  # whether jit was switched off


def record_operations(
    function: Callable[..., Any], args: tuple, module: ModuleType, made: Container[Defined] = ()
) -> list[Operation]:
    """Return what one call runs, one after another, as far as it gets.

    The library functions in `made` are those that the student has jitted.
    """
    files = student_files(module)
    found: list[Operation] = []

    def note(primitive: Any, params: dict[str, Any], operands: Sequence[Any]) -> None:
        is_program = False
        if primitive.name in ("jit", "pjit"):
            source = source_of(params["jaxpr"].jaxpr)
            is_program = not source.file or source.file in files or source in made
        is_move = primitive.name in _MOVES
        if primitive.name == "convert_element_type":  # of a number: `jnp.asarray(0.5, dtype)`
            is_move = np.shape(operands[0]) == ()
        if is_program or not is_move:
            line = split_stack(sys._getframe(1), module, files)[1]
            name = str(params.get("name") or primitive.name)
            disabled = bool(jax.config.jax_disable_jit)  # type: ignore[attr-defined]
            found.append(Operation(name, line, is_program, disabled))

    with recording_operations(note), passing_checks():
        run_once(function, concrete(args), module)  # the counted call returned
    return found


def check_operations(
    operations: Sequence[Operation], allowed: Compilations, *, ran_some: bool
) -> Finding | None:
    """Check that a call runs as compiled programs of the student's own, if any call ran some."""
    limit = allowed.dispatches
    if limit is None and allowed.one_program:
        limit = allowed.programs
    programs = [each for each in operations if each.is_program]
    # What a rubric's adapter does beside the student's programs is not the student's.
    eager = [each for each in operations if not each.is_program and (each.line or not ran_some)]
    disabled = [each.line for each in eager if each.disabled]
    if disabled and (allowed.one_program or not ran_some):
        return Finding.at("jit-disabled", messages.page_text("jit-disabled"), disabled)
    if eager and allowed.one_program:
        names = dict.fromkeys(each.name for each in eager)
        count = messages.plural(len(eager), "operation")
        seen = messages.EAGER.format(count=count, names=", ".join([*names][:5]))
        pads = {"pad", "_pad"}.intersection(names)
        text = messages.page_text("eager-code", seen, messages.PAD if pads else "")
        return Finding.at("eager-code", text, [each.line for each in eager])
    if limit is not None and len(programs) > limit:
        seen = messages.MANY_DISPATCHES.format(count=len(programs), budget=limit)
        text = messages.page_text("many-programs-run", seen)
        return Finding.at("many-programs-run", text, [each.line for each in programs])
    return None


def _repeated(programs: Sequence[Compilation]) -> Sequence[Compilation]:
    """Return the first program of a function that has another one."""
    sources = [program.source for program in programs]
    return [p for i, p in enumerate(programs) if p.source in sources[:i]][:1]


_AGAIN = "compiled-again", messages.COMPILED_AGAIN
_TOO_MANY = "too-many-compilations", messages.TOO_MANY
_TWICE = "too-many-compilations", messages.TWICE_IN_A_CALL
_RULES: tuple[tuple[str, Callable[..., Any], tuple[str, str]], ...] = (
    ("programs", lambda made, known, _: known and made, _AGAIN),
    ("operations", lambda made, known, _: known == "same" and made, _AGAIN),
    # The first program is expected: what to explain is the others.
    ("programs", lambda made, _, most: made[1:] if len(made) > most.programs else (), _TOO_MANY),
    ("programs", lambda made, _, most: most.each_once and _repeated(made), _TWICE),
)
"""What a call makes, which of it breaks the rule, and the rule's name and sentence."""


def check_compilations(
    function: Callable[..., Any], counted: Counted, module: ModuleType, allowed: Compilations
) -> list[Finding]:
    """Check what a function compiled, and that it runs as programs of the student's own.

    Its calls and what each has compiled are compared with what is `allowed`. All findings
    are errors; there are none when the function is right.
    """
    failed = _check_failed(counted.records)
    programs = [program for record in counted.records for program in record.programs]
    over = _check_each_call(counted, allowed) or _check_total(programs, allowed.budget)
    several = allowed.one_function and not (failed or over) and _check_one_function(programs)
    runs = not failed and _check_runs(function, counted, module, allowed)
    return [found for found in (failed, over, several, runs) if found]


def _check_failed(records: Sequence[CallRecord]) -> Finding | None:
    for call, record in enumerate(records, 1):
        if record.raised is not None:
            try:
                error = error_line(record.raised)
            except Exception:  # its own `__str__` fails
                error = type(record.raised).__name__
            seen = messages.CALL_FAILED.format(call=call, error=error.rstrip("."))
            return Finding.error("call-failed", messages.page_text("call-failed", seen))
    return None


def _check_each_call(counted: Counted, allowed: Compilations) -> Finding | None:
    """Find the first call that breaks a rule."""
    known = counted.known(numbers=allowed.each_once)
    for call, (record, why) in enumerate(zip(counted.records, known, strict=True), 1):
        for what, find, (rule, message) in _RULES:
            made = getattr(record, what)
            if found := find(made, why, allowed):
                causes = [one.cause for one in found if one.cause]
                noun = "program" if what == "programs" else "single operation"
                text = message.format(
                    call=call,
                    count=messages.plural(len(made), noun),
                    budget=allowed.programs,
                    known=messages.KNOWN.get(why),
                    name=found[0].name,
                    reasons=join_texts(" ", dict.fromkeys(causes or messages.PAGES["eager-code"])),
                )
                return Finding.at(rule, text, [one.line for one in found])
    return None


def _check_total(programs: Sequence[Compilation], total: int | None) -> Finding | None:
    if total is None or len(programs) <= total:
        return None
    # One sentence for each fix: the others only have other shapes and values.
    shown = {p.fix: p.cause for p in reversed(programs) if p.fix not in ("", "FIRST")}
    count = messages.plural(len(programs), "program")
    reasons = join_texts(" ", [*reversed(shown.values())] or messages.PAGES[_TOO_MANY[0]])
    message = messages.OVER_TOTAL.format(count=count, budget=total, reasons=reasons)
    return Finding.at(_TOO_MANY[0], message, [program.line for program in programs])


def _check_one_function(programs: Sequence[Compilation]) -> Finding | None:
    """Find a second jitted function among those that calls run."""
    firsts: dict[object, Compilation] = {}
    for program in programs:
        firsts.setdefault(program.function, program)
    if len(firsts) < 2:
        return None
    _, *others = firsts.values()
    names = ", ".join(dict.fromkeys(f"`{program.name}`" for program in firsts.values()))
    seen = messages.SEVERAL_FUNCTIONS.format(count=len(firsts), names=names)
    text = messages.page_text("several-functions", seen)
    return Finding.at("several-functions", text, [program.line for program in others])


def _check_runs(
    function: Callable[..., Any], counted: Counted, module: ModuleType, allowed: Compilations
) -> Finding | None:
    """Check what a call of each signature runs: a static value may lead to what is not jitted."""
    records = counted.records
    made = {program.source for record in records for program in record.programs}
    ran_some = any(record.programs or record.ahead for record in records)
    for args in counted.calls[-counted.repeats :]:
        operations = record_operations(function, args, module, made)
        if wrong := check_operations(operations, allowed, ran_some=ran_some):
            return wrong
        if operations and not ran_some:
            break  # the others run no program either, and may take long
    return None if ran_some else Finding.error("no-program", messages.page_text("no-program"))
