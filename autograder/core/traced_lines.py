"""Which lines of the student's code left operations in a program, and which only ran in Python."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Any, NamedTuple

from autograder.core.jax_internals import jaxprs_in, nested

Place = tuple[str, int]
"""A file and a line."""

_CALLS = {"jit", "pjit", "closed_call", "core_call"}
"""Primitives whose results are those of the jaxpr inside, one for one."""


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
    jaxprs = [jaxpr, *(inner for _, inner in nested(jaxpr))]
    every = {place for one in jaxprs for eqn in one.eqns for place in _places(eqn, files)}
    needed = set(_needed(jaxpr, [True] * len(jaxpr.outvars), files))
    return TracedLines(every, needed)


def _places(eqn: Any, files: Collection[str]) -> Iterator[Place]:
    traceback = eqn.source_info.traceback
    for frame in traceback.frames if traceback is not None else ():
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
        for inner in jaxprs_in(tuple(eqn.params.values())):
            is_call = eqn.primitive.name in _CALLS and len(inner.outvars) == len(outputs)
            inside = outputs if is_call else [True] * len(inner.outvars)
            yield from _needed(inner, inside, files)


def _variables(atoms: Sequence[Any]) -> Iterator[Any]:
    """Yield the atoms that are no literals, which cannot be hashed."""
    return (atom for atom in atoms if not hasattr(atom, "val"))
