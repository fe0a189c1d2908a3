"""Checks how many programs a student's function compiles, and that it runs as programs at all."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import ModuleType
from typing import Any

from autograder.core.finding import Finding
from autograder.core.templates import join_texts
from autograder.criteria.compilations import messages
from autograder.criteria.compilations.arguments import floats_alike, numbers_alike, signature
from autograder.criteria.compilations.count import CallRecord, Counted, count_with_repeats
from autograder.criteria.compilations.disabled import disabled_finding, find_disabled, is_disabled
from autograder.criteria.compilations.key import identity
from autograder.criteria.compilations.one_program import check_one_program, error_at, plural


def check_compilations(
    function: Callable[..., Any],
    calls: Sequence[tuple],
    module: ModuleType,
    *,
    programs: int = 1,
    total: int | None = None,
    dispatches: int | None = None,
    one_program_only: bool = True,
    one_function: bool = False,
    each_once: bool = False,
    counted: Counted | None = None,
) -> list[Finding]:
    """Check what `function` compiles, and that it runs as compiled programs of the student's own.

    Each signature (shapes, dtypes, structure, static values) may cost `programs` compilations at
    its first call. Every signature is then called once more, with slightly different numbers, and
    must compile nothing. Nor may another float, unless programs differ in more than numbers: then
    it decides about a shape, a branch or a loop.

    Args:
        function: the student's function.
        calls: argument tuples; several draws and several shapes.
        module: the module object the student's code ran in.
        programs: how many of the student's programs a new signature may compile.
        total: how many all calls together may compile; None for no limit. For padding.
        dispatches: how many one call may run, one after another; `programs` if None.
        one_program_only: whether code outside the student's jitted functions is an error. Where
            it is not, the student's programs are counted only against `dispatches` as given, and
            there must be one at least.
        one_function: whether all programs must be of one jitted function.
        each_once: whether a new signature may compile each function only once, and Python's
            integers and floats are one signature.
        counted: what `count_with_repeats` returned for these calls; if None, it is called here.

    Returns:
        Findings, all errors; none when the function is right.
    """
    if is_disabled():
        return [disabled_finding()]
    counted = counted or count_with_repeats(function, calls, module)
    records = counted.records
    findings: list[Finding] = []
    failed = [(i, record.error) for i, record in enumerate(records) if record.error]
    if failed:
        call, error = failed[0]
        message = messages.CALL_FAILED.format(call=call + 1, error=error.rstrip("."))
        findings.append(error_at("call-failed", [], message))
    over = _check_each_call(counted, programs, each_once) or _check_total(records, total)
    if over:
        findings.append(over)
    several = _check_one_function(records) if one_function and not findings else None
    if several:
        findings.append(several)
    if failed:
        return findings
    limit = programs if dispatches is None and one_program_only else dispatches
    # Each signature: a static value may lead to a branch that is not jitted.
    firsts = {signature(args): i for i, args in reversed(list(enumerate(calls)))}
    without: list[Finding] = []
    for i in sorted(firsts.values()):
        wrong = check_one_program(
            function,
            calls[i],
            records[i],
            module,
            dispatches=limit,
            is_first=i == 0,
            eager_too=not one_program_only,
        )
        if not one_program_only and [f.rule for f in wrong] == ["no-program"]:
            without += wrong  # a loop of no steps runs nothing
            continue
        if wrong:
            return findings + [find_disabled(module) or f for f in wrong]
    # A loop of JAX's outside of jit is a program, too, if its body is the student's.
    ran_some = any(record.compilations or record.compiled_ahead for record in records)
    return findings + ([] if ran_some else without[:1])


def _check_one_function(records: Sequence[CallRecord]) -> Finding | None:
    """Find a second jitted function among those that calls run.

    Functions of one place are told apart by what jit was given: a `lambda` or `partial` that is
    made again is another function.
    """
    lines: dict[tuple, int | None] = {}
    first: dict[tuple, tuple] = {}
    for record in records:
        found = zip(record.functions, record.jitted, record.lines, strict=True)
        for function, jitted, line in found:
            which = first.setdefault(function, identity(jitted)) if jitted is not None else None
            again = which is not None and which != identity(jitted)
            lines.setdefault((*function, identity(jitted)) if again else function, line)
    if len(lines) < 2:
        return None
    names = ", ".join(dict.fromkeys(f"`{name}`" for name, *_ in lines))
    message = messages.SEVERAL_FUNCTIONS.format(count=len(lines), names=names)
    return error_at("several-functions", list(lines.values())[1:], message)


def find_known(counted: Counted) -> list[bool]:
    """Find the calls for which a program was there already, or would have been enough.

    That is one for the same signature. It is also one for other floats, if the programs of all
    calls that differ in nothing but floats are the same but for numbers: where no float decides
    about a shape, a branch or a loop's length, a traced one does.
    """
    forms: dict[tuple, set[tuple]] = {}
    for key, record in zip(counted.signatures, counted.records, strict=True):
        forms.setdefault(floats_alike(key), set()).update(record.forms)
    known: list[bool] = []
    seen: set[tuple] = set()
    compiled: dict[tuple, set[tuple]] = {}
    for key, record in zip(counted.signatures, counted.records, strict=True):
        alike = floats_alike(key)
        before = compiled.setdefault(alike, set())
        functions = [function for function, _ in forms[alike]]
        decides = len(set(functions)) < len(functions)
        known.append(key in seen or (not decides and bool(before & record.forms)))
        seen.add(key)
        before |= record.forms
    return known


def _check_each_call(counted: Counted, programs: int, each_once: bool) -> Finding | None:
    """Find the first call that compiled more than its signature allows."""
    seen: set[tuple] = set()
    alike: set[tuple] = set()
    calls = zip(counted.signatures, counted.records, find_known(counted), strict=True)
    for call, (key, record, known) in enumerate(calls, 1):
        count = plural(record.compilations, "program")
        other_numbers = key not in seen and numbers_alike(key) in alike
        if each_once and other_numbers and record.compilations:
            reasons = join_texts(" ", dict.fromkeys(record.reasons))
            message = messages.OTHER_NUMBERS.format(call=call, count=count, reasons=reasons)
            return error_at("compiled-again", record.lines, message)
        if key in seen and record.compilations:
            reasons = join_texts(" ", dict.fromkeys(record.reasons))
            message = messages.SAME_CALL.format(call=call, count=count, reasons=reasons)
            return error_at("compiled-again", record.lines, message)
        if known and record.compilations:
            reasons = join_texts(" ", dict.fromkeys(record.reasons))
            message = messages.OTHER_FLOATS.format(call=call, count=count, reasons=reasons)
            return error_at("compiled-again", record.lines, message)
        if key in seen and record.library:
            operations = plural(record.library, "single operation")
            message = messages.SAME_CALL_EAGER.format(call=call, count=operations)
            return error_at("compiled-again", record.library_lines, message)
        if key not in seen and record.compilations > programs:
            # The first program is expected: what to explain is the others.
            others = record.reasons[1:] or record.reasons
            reasons = join_texts(" ", dict.fromkeys(others))
            message = messages.TOO_MANY.format(
                call=call, count=count, budget=programs, reasons=reasons
            )
            return error_at("too-many-compilations", record.lines[1:] or record.lines, message)
        places = [function[:3] for function in record.functions]
        again = [i for i, place in enumerate(places) if place in places[:i]]
        if each_once and again:
            message = messages.TWICE_IN_A_CALL.format(
                call=call, name=places[again[0]][0], reason=record.reasons[again[0]]
            )
            return error_at("too-many-compilations", [record.lines[again[0]]], message)
        seen.add(key)
        alike.add(numbers_alike(key))
    return None


def _check_total(records: Sequence[CallRecord], total: int | None) -> Finding | None:
    count = sum(record.compilations for record in records)
    if total is None or count <= total:
        return None
    why = [cause for record in records for cause in record.causes if cause.fix in messages.REPAIRS]
    # One sentence for each fix: the others only have other shapes and values.
    shown = {cause.fix: cause.text for cause in reversed(why)}
    cause = messages.SIZES_VARY if set(shown) == {"SHAPE"} else messages.KEYS_VARY
    message = messages.OVER_TOTAL.format(
        count=count, budget=total, cause=cause, reasons=join_texts(" ", reversed(shown.values()))
    )
    lines = [line for record in records for line in record.lines]
    return error_at("too-many-compilations", lines, message)
