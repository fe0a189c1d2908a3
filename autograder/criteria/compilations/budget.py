"""How many programs a student's function may compile, and that it runs as programs at all."""

from __future__ import annotations

import functools
from collections.abc import Callable, Collection, Sequence
from types import ModuleType
from typing import Any

import jax

from autograder.core import jax_access
from autograder.core.finding import Finding
from autograder.core.kit_fault import is_kits
from autograder.core.student_code import Line, called, student_files
from autograder.core.templates import join_texts
from autograder.criteria.compilations import messages, one_program
from autograder.criteria.compilations.arguments import fresh, is_array, signature
from autograder.criteria.compilations.dispatches import count_dispatches
from autograder.criteria.compilations.programs import library_jits
from autograder.criteria.compilations.records import CallRecord
from autograder.criteria.compilations.timeline import Counted, count_with_repeats


def _error(rule: str, line: int | None, message: str) -> Finding:
    return Finding(rule, "error", line, message, line.text if isinstance(line, Line) else "")


def _first(lines: Sequence[int | None]) -> int | None:
    return next((line for line in lines if line), None)


def _plural(count: int, noun: str) -> str:
    return f"{count} {noun}" + ("" if count == 1 else "s")


def _over_budget(record: CallRecord, call: int, programs: int) -> Finding:
    # The first program is expected: what to say is why there were others.
    others = record.reasons[1:] if len(record.reasons) > 1 else record.reasons
    message = messages.TOO_MANY.format(
        call=call + 1,
        count=_plural(record.compilations, "program"),
        budget=programs,
        reasons=join_texts(" ", dict.fromkeys(others)),
    )
    return _error("too-many-compilations", _first(record.lines[1:] or record.lines), message)


def _again(record: CallRecord, call: int) -> Finding | None:
    if record.compilations:
        message = messages.SAME_CALL.format(
            call=call + 1,
            count=_plural(record.compilations, "program"),
            reasons=join_texts(" ", dict.fromkeys(record.reasons)),
        )
        return _error("compiled-again", _first(record.lines), message)
    if record.library:
        message = messages.SAME_CALL_EAGER.format(call=call + 1, count=record.library)
        return _error("compiled-again", _first(record.library_lines), message)
    return None


def trace_once(function: Callable[..., Any], args: tuple) -> Any:
    """The jaxpr of `function` on the shapes of `args`; what is no array keeps its value."""
    leaves, tree = jax.tree.flatten(args)
    at = [i for i, leaf in enumerate(leaves) if is_array(leaf)]

    def on_arrays(*arrays: Any) -> Any:
        filled = list(leaves)
        for i, array in zip(at, arrays, strict=True):
            filled[i] = array
        return called(function, *jax.tree.unflatten(tree, filled))

    return jax_access.make_jaxpr(on_arrays)(*[leaves[i] for i in at]).jaxpr


def _trace_or_none(function: Callable[..., Any], args: tuple, module: ModuleType) -> Any:
    try:
        return trace_once(function, fresh(args))
    except Exception as error:  # whatever the student's code does with a tracer
        if is_kits(error, module, student_files(module)):
            raise
        return None


def _compiled_ahead(function: object) -> bool:
    while isinstance(function, functools.partial):
        function = function.func
    return isinstance(function, jax_access.Compiled)


def _not_one_program(
    function: Callable[..., Any],
    args: tuple,
    first: CallRecord,
    dispatches: int | None,
    module: ModuleType,
    shared: bool,
    eager_too: bool,
) -> list[Finding]:
    """`shared`: an earlier call may have compiled what this one runs; `eager_too`: work outside
    of the student's programs is allowed beside them."""
    if _compiled_ahead(function):
        return []
    files, made = student_files(module), library_jits(function, module)
    # Tracers do not cross threads: what waits for a thread could wait for ever.
    jaxpr = None if first.threads else _trace_or_none(function, args, module)
    if jaxpr is None:
        # Code around the programs works on numbers (NumPy, a compiled object): go by what ran.
        if first.library and not eager_too:
            message = messages.EAGER_SEEN.format(count=first.library)
            return [_error("eager-code", _first(first.library_lines), message)]
        if not (first.compilations or first.compiled_ahead or shared):
            return [_error("no-program", None, messages.NO_PROGRAM)]
        if dispatches is None:
            return []
        runs = 0 if first.threads else count_dispatches(function, fresh(args), module)
        if runs > dispatches:
            message = messages.MANY_DISPATCHES.format(count=runs, budget=dispatches)
            return [_error("many-programs-run", _first(first.lines), message)]
        return []
    eager = one_program.eager_equations(jaxpr, files, made)
    if eager and not eager_too:
        names = ", ".join(list(dict.fromkeys(e.name for e in eager))[:5])
        pad = messages.PAD if any(e.name in ("pad", "_pad") for e in eager) else ""
        count = _plural(len(eager), "operation")
        message = messages.EAGER.format(count=count, names=names, pad=pad)
        return [_error("eager-code", _first([e.line for e in eager]), message)]
    programs = one_program.own_programs(jaxpr, files, made)
    if not programs:
        return [_error("no-program", None, messages.NO_PROGRAM)]
    if dispatches is not None and len(programs) > dispatches:
        message = messages.MANY_DISPATCHES.format(count=len(programs), budget=dispatches)
        return [_error("many-programs-run", _first([p.line for p in programs]), message)]
    return []


def check_compilations(
    function: Callable[..., Any],
    calls: Sequence[tuple],
    module: ModuleType,
    *,
    programs: int = 1,
    total: int | None = None,
    dispatches: int | None = None,
    statics: Collection[int] | None = None,
    one_program_only: bool = True,
    counted: Counted | None = None,
) -> list[Finding]:
    """Judge what `function` compiles, and that it runs as compiled programs of the student's own.

    Each signature (shapes, dtypes, structure, static values) may cost `programs` compilations at
    its first call. Every signature is then called once more, with slightly other numbers, and
    must compile nothing. Read arguments of `count_compilations` for the first three.

    Args:
        function: the student's function.
        calls: argument tuples; several draws and several shapes.
        module: the module object the student's code ran in.
        programs: the student's programs that a new signature may compile.
        total: programs of all calls together; None for no limit. For exercises on padding.
        dispatches: programs that one call may run one after another; `programs` when None.
        statics: positions of the arguments that may be static; None for all but arrays, floats
            and complex numbers.
        one_program_only: whether code outside the student's jitted functions is an error. Where
            it is not, the student's programs are counted only against `dispatches` as given, and
            there must be one at least.
        counted: what `count_with_repeats` gave for these calls; by default they are made here.

    Returns:
        Findings, all errors; none when the function is right.
    """
    counted = counted or count_with_repeats(function, calls, module, statics)
    records = counted.records
    findings: list[Finding] = []
    tampered = list(dict.fromkeys(sign for record in records for sign in record.tampered))
    if tampered:
        message = messages.TAMPERED.format(signs=join_texts("; ", tampered))
        findings.append(_error("counting-tampered-with", None, message))
    failed = [(i, record) for i, record in enumerate(records) if record.error]
    if failed:
        call, record = failed[0]
        message = messages.CALL_FAILED.format(call=call + 1, error=record.error)
        findings.append(_error("call-failed", None, message))
    seen: set[tuple] = set()
    for call, (key, record) in enumerate(zip(counted.signatures, records, strict=True)):
        if key in seen:
            again = _again(record, call)
            if again:
                findings.append(again)
                break
        elif record.compilations > programs:
            findings.append(_over_budget(record, call, programs))
            break
        seen.add(key)
    count = sum(record.compilations for record in records)
    if (
        total is not None
        and count > total
        and not any(f.rule in ("compiled-again", "too-many-compilations") for f in findings)
    ):
        line = _first([line for record in records for line in record.lines])
        why = [reason for record in records for reason in record.reasons if " because " in reason]
        # One sentence for each repair: what else they say is shapes and values.
        shown = {reason.partition(": ")[2]: reason for reason in reversed(why)}
        only_shapes = set(shown) == {f"{messages.SHAPE}."}
        cause = messages.SIZES_VARY if only_shapes else messages.KEYS_VARY
        message = messages.OVER_TOTAL.format(
            count=count,
            budget=total,
            cause=cause,
            reasons=join_texts(" ", reversed(shown.values())),
        )
        findings.append(_error("too-many-compilations", line, message))
    if not failed:
        limit = programs if dispatches is None and one_program_only else dispatches
        # Each signature: a static value may lead to a branch that is not jitted.
        firsts = {signature(args, statics): i for i, args in reversed(list(enumerate(calls)))}
        for i in sorted(firsts.values()):
            wrong = _not_one_program(
                function,
                calls[i],
                records[i],
                limit,
                module,
                shared=i > 0,
                eager_too=not one_program_only,
            )
            if wrong:
                return findings + wrong
    return findings
