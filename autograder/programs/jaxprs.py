"""What a jaxpr shows: its operations in few words, and the student's lines that left them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Any, NamedTuple

from autograder.model.student_code import called
from autograder.programs import jax_access
from autograder.programs.exported import split_data
from autograder.programs.jax_private import (
    equations,
    is_jax_own,
    jaxprs_in,
    passing_checks,
    stack_of,
)

_INDENT = "  "
_CALLS = {"jit", "pjit", "closed_call", "core_call"}
"""Primitives that do nothing but run the jaxpr in them: their results are its, one for one."""


def trace_call(function: Callable[..., Any], args: tuple) -> Any:
    """Trace a call of the student's function, and return its jaxpr.

    Args:
        function: plain or jitted.
        args: of the call; arrays are data, and only their shapes and dtypes are used.
    """
    data, rebuild = split_data(args)

    def on_data(*leaves: Any) -> Any:
        with passing_checks():
            return called(function, *rebuild(leaves))

    return jax_access.make_jaxpr(on_data)(*data).jaxpr


def jaxpr_lines(function: Callable[..., Any], args: tuple) -> list[str]:
    """Trace a call (see `trace_call`) and describe its jaxpr, without names of variables.

    A function of JAX's own, such as `jnp.var`, is one line. What a loop or a branch does stands
    indented below it.

    Returns:
        Lines such as ``"float32[5] = sub"``.
    """
    return list(_describe(trace_call(function, args), ""))


def _describe(jaxpr: Any, indent: str) -> Iterator[str]:
    for eqn in jaxpr.eqns:
        name = eqn.primitive.name
        inside = list(jaxprs_in(eqn))
        results = ", ".join(v.aval.str_short() for v in eqn.outvars)
        if name in _CALLS and len(inside) == 1:
            if not is_jax_own(inside[0]):
                yield from _describe(inside[0], indent)
                continue
            name, inside = str(eqn.params.get("name", name)).strip("_"), []
        yield f"{indent}{results} = {name}" if results else f"{indent}{name}"
        for i, one in enumerate(inside):
            if len(inside) > 1:
                yield f"{indent}{_INDENT}{'branch' if name == 'cond' else 'part'} {i}:"
            yield from _describe(one, indent + _INDENT * (1 + (len(inside) > 1)))


Place = tuple[str, int]
"""A file and a line."""


class TracedLines(NamedTuple):
    """Where the operations of a jaxpr come from, the lines of callers included.

    Attributes:
        any: all lines that left operations.
        needed: those whose operations depend on the inputs, and the results on them. A compiler
            leaves out or computes beforehand what the others do.
    """

    any: set[Place]
    needed: set[Place]


def traced_lines(jaxpr: Any, files: Collection[str]) -> TracedLines:
    """Return the lines in `files` that a jaxpr was traced from."""
    every = {place for eqn in equations(jaxpr) for place in _places(eqn, files)}
    needed = set(_needed(jaxpr, [True] * len(jaxpr.outvars), files))
    return TracedLines(every, needed)


def _places(eqn: Any, files: Collection[str]) -> Iterator[Place]:
    for frame in stack_of(eqn):
        if frame.file_name in files:
            yield frame.file_name, frame.line_num


def _needed(jaxpr: Any, used: Sequence[bool], files: Collection[str]) -> Iterator[Place]:
    """Yield the lines of operations between the inputs and the results that are used."""
    given = set(jaxpr.invars)
    varying = []
    for eqn in jaxpr.eqns:
        if any(v in given for v in _variables(eqn.invars)):
            given.update(eqn.outvars)
            varying.append(eqn)
    results = [v for v, is_used in zip(jaxpr.outvars, used, strict=True) if is_used]
    wanted = set(_variables(results))
    for eqn in reversed(varying):
        outputs = [v in wanted for v in eqn.outvars]
        if not any(outputs) and not eqn.effects:
            continue
        wanted.update(_variables(eqn.invars))
        yield from _places(eqn, files)
        for inner in jaxprs_in(eqn):
            is_call = eqn.primitive.name in _CALLS and len(inner.outvars) == len(outputs)
            inside = outputs if is_call else [True] * len(inner.outvars)
            yield from _needed(inner, inside, files)


def _variables(atoms: Sequence[Any]) -> Iterator[Any]:
    """Yield the atoms that are no literals, which cannot be hashed."""
    return (atom for atom in atoms if not hasattr(atom, "val"))
