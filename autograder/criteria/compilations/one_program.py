"""Finds out whether a function runs as one jitted program of the student's own.

The equations at the top of its jaxpr show that. Being a `jit` equation is not enough: `jnp.where`
is one itself. The jitted function must come from the student's file.

Some calls cannot be traced as a whole: a Python loop that goes on until a computed value is small
needs numbers. Then the jitted functions of the student's module are replaced by counting ones for
one call.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Collection, Sequence
from types import ModuleType
from typing import Any

from autograder.core import jax_access
from autograder.core.finding import Finding
from autograder.core.jax_internals import (
    passing_checks,
    plain_calls,
    source_of,
    student_line_of,
)
from autograder.core.kit_fault import is_kits
from autograder.core.program import split_data
from autograder.core.student_code import Line, called, own_namespaces, student_files
from autograder.criteria.compilations import messages
from autograder.criteria.compilations.arguments import copy_arrays
from autograder.criteria.compilations.count import CallRecord
from autograder.criteria.compilations.ownership import library_jits

# Moving data compiles nothing.
_MOVES = {"device_put", "copy", "copy_p"}
_PADS = frozenset({"pad", "_pad"})


def error_at(rule: str, lines: Sequence[int | None], message: str) -> Finding:
    """Make a finding on the first line that is known."""
    line = next((line for line in lines if line), None)
    return Finding(rule, "error", line, message, line.text if isinstance(line, Line) else "")


def plural(count: int, noun: str) -> str:
    return f"{count} {noun}" + ("" if count == 1 else "s")


Equation = tuple[str, int | None]
"""An equation at the top level of a jaxpr: its operation and the student's line, if any."""


def split_equations(
    jaxpr: Any, files: Collection[str], made: Collection[str] = ()
) -> tuple[list[Equation], list[Equation]]:
    """Split the equations at the top of `jaxpr`: those that run the student's programs, and others.

    The others leave out equations that do not come from the student's code, but from a rubric's
    adapter, unless the student has no program at all.

    Args:
        jaxpr: of the function, as from ``jax.make_jaxpr(f)(*args).jaxpr``.
        files: file names of the student's code (`autograder.core.student_code.student_files`).
        made: names of library functions that the student gave to `jax.jit`.
    """
    programs, others = [], []
    for eqn in jaxpr.eqns:
        name = str(eqn.params.get("name") or eqn.primitive.name)
        equation = name, student_line_of(eqn, files)
        if _is_program(eqn, files, made):
            programs.append(equation)
        elif eqn.primitive.name not in _MOVES:
            others.append(equation)
    if programs:
        others = [(name, line) for name, line in others if line is not None]
    return programs, others


def _is_program(eqn: Any, files: Collection[str], made: Collection[str]) -> bool:
    if eqn.primitive.name not in ("jit", "pjit"):
        return False
    name, file, _ = source_of(eqn.params["jaxpr"].jaxpr)
    return file in files or not file or name in made


def trace_once(function: Callable[..., Any], args: tuple, module: ModuleType) -> Any:
    """Return the jaxpr of `function` on the shapes of `args`; None if it cannot be traced.

    Values that are not arrays stay as they are.
    """
    data, rebuild = split_data(copy_arrays(args))

    def on_arrays(*arrays: Any) -> Any:
        with passing_checks():
            return called(function, *rebuild(arrays))

    try:
        with plain_calls():
            return jax_access.make_jaxpr(on_arrays)(*data).jaxpr
    except Exception as error:  # whatever the student's code does with a tracer
        if is_kits(error, module, student_files(module)):
            raise
        return None


class _CountingJit:
    """Stands in for a jitted function and counts its calls from Python into `count`."""

    def __init__(self, jitted: Any, count: list[int]) -> None:
        self._jitted = jitted
        self._count = count
        functools.update_wrapper(self, jitted)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if not jax_access.under_jit():  # a jit inside another one is part of its program
            self._count[0] += 1
        return self._jitted(*args, **kwargs)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._jitted, name)


def _count_dispatches(function: Callable[..., Any], args: tuple, module: ModuleType) -> int:
    """Count the calls of jitted functions at the top of the student's modules, during one call."""
    count = [0]
    jitted = [
        (space, name, value)
        for space in own_namespaces(module)
        for name, value in space.items()
        if callable(value) and hasattr(value, "lower") and hasattr(value, "__wrapped__")
    ]
    for space, name, value in jitted:
        space[name] = _CountingJit(value, count)
    try:
        jax_access.block_until_ready(function(*args))
    except (Exception, SystemExit):  # the counted call returned: this one only shows more
        return 0
    finally:
        for space, name, value in jitted:
            space[name] = value
    return count[0]


def _is_compiled_ahead(function: object) -> bool:
    while isinstance(function, functools.partial):
        function = function.func
    return isinstance(function, jax_access.Compiled)


def check_one_program(
    function: Callable[..., Any],
    args: tuple,
    record: CallRecord,
    module: ModuleType,
    *,
    dispatches: int | None,
    is_first: bool,
    eager_too: bool,
) -> list[Finding]:
    """Check that one call runs as compiled programs of the student's own.

    Args:
        function, args, record, module: the call, what it compiled, and the student's module.
        dispatches: how many programs the call may run, one after another; None for no limit.
        is_first: whether no earlier call can have compiled what this one runs.
        eager_too: whether work outside of the student's programs is allowed beside them.
    """
    if _is_compiled_ahead(function):
        return []
    several = dispatches is None or dispatches > 1
    # Tracers do not cross threads: what waits for a thread could wait for ever.
    jaxpr = None if record.threads else trace_once(function, args, module)
    if jaxpr is None:
        # Code around the programs works on numbers (NumPy, a compiled object): go by what ran.
        if record.library and not eager_too:
            message = messages.EAGER_SEEN.format(count=plural(record.library, "operation"))
            return [error_at("eager-code", record.library_lines, message)]
        if not record.compilations and not record.compiled_ahead and is_first:
            return [error_at("no-program", [], messages.NO_PROGRAM)]
        if dispatches is None or record.threads:
            return []
        count, lines = _count_dispatches(function, copy_arrays(args), module), record.lines
    else:
        files, made = student_files(module), library_jits(function, module)
        programs, eager = split_equations(jaxpr, files, made)
        if eager and not eager_too:
            message = _say_eager([name for name, _ in eager], several=several)
            return [error_at("eager-code", [line for _, line in eager], message)]
        if not programs:
            return [error_at("no-program", [], messages.NO_PROGRAM)]
        count, lines = len(programs), [line for _, line in programs]
    if dispatches is not None and count > dispatches:
        template = messages.MANY_DISPATCHES_OF_SEVERAL if several else messages.MANY_DISPATCHES
        message = template.format(count=count, budget=dispatches)
        return [error_at("many-programs-run", lines, message)]
    return []


def _say_eager(operations: Sequence[str], *, several: bool) -> str:
    """Say which operations ran outside of jit, and what to do; `several`: functions are jitted."""
    if _PADS.issuperset(operations):
        return messages.EAGER_PAD
    return messages.EAGER.format(
        count=plural(len(operations), "operation"),
        names=", ".join(list(dict.fromkeys(operations))[:5]),
        fix=messages.EAGER_FIX_SEVERAL if several else messages.EAGER_FIX,
        pad=messages.PAD if _PADS.intersection(operations) else "",
    )
