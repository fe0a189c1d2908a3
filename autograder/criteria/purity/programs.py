"""Reads traced programs: their differences and their effects."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from autograder.criteria.purity.messages import name_callback
from autograder.criteria.purity.student import StudentModule
from autograder.criteria.purity.values import digest, is_array, is_tracer, to_numpy
from autograder.programs.jax_private import equations, jaxprs_in, student_line_of

_ADDRESS = re.compile(r"0x[0-9a-f]+")
_INTERNAL_EFFECTS = ("Mutable", "Internal", "Read", "Write", "Accum", "Array", "ErrorEffect")
"""Parts of the names of effects that call nothing. The last is checkify's."""


def _constants(closed: Any) -> Iterator[Any]:
    yield from closed.consts
    for equation in equations(closed.jaxpr):
        for atom in equation.invars:
            if hasattr(atom, "val"):
                yield atom.val
        for value in equation.params.values():
            for item in value if isinstance(value, (list, tuple)) else [value]:
                yield from getattr(item, "consts", ())
                if is_array(item):
                    yield item


class TracedProgram:
    """Holds the text and the constants of a traced program, as they were just after tracing."""

    def __init__(self, closed: Any) -> None:
        self.closed = closed
        self.lines = _ADDRESS.sub("0x", str(closed)).splitlines()
        self.constants = [
            digest(to_numpy(c).tobytes())
            for c in _constants(closed)
            if not is_tracer(c) and (hasattr(c, "dtype") or type(c) is float)
        ]


def difference(
    first: TracedProgram, second: TracedProgram, student: StudentModule
) -> tuple[str, int | None] | None:
    """Find where two traced programs differ, with the student's line; None if they agree."""
    if first.lines == second.lines and first.constants == second.constants:
        return None
    pairs = zip(equations(first.closed.jaxpr), equations(second.closed.jaxpr), strict=False)
    differing = [x for x, y in pairs if _ADDRESS.sub("", str(x)) != _ADDRESS.sub("", str(y))]
    # A loop differs if anything in it does.
    differing.sort(key=lambda x: any(True for _ in jaxprs_in(x)))
    line = student_line_of(differing[0], student.files) if differing else None
    for x, y in zip(first.lines, second.lines, strict=False):
        if x != y:
            return f"`{x.strip()[:90]}` became `{y.strip()[:90]}`", line
    return "a constant or the number of operations differs", line


def effects(closed: Any, student: StudentModule) -> Iterator[tuple[str, str, int | None]]:
    """Yield every callback into Python and every other effect, as (rule, words, line)."""
    explained = False
    for equation in equations(closed.jaxpr):
        name = equation.primitive.name
        if "callback" in name or name in ("infeed", "outfeed", "print", "debug_print"):
            rule, what = name_callback(name)
            explained = explained or rule == "host-callback"
            yield rule, what, student_line_of(equation, student.files)
    for effect in sorted({type(effect).__name__ for effect in closed.effects}):
        if not (explained or "Debug" in effect or any(w in effect for w in _INTERNAL_EFFECTS)):
            yield "host-callback", f"the program has the effect {effect}", None
