"""The traced program: is it the same twice, does it have effects, does it keep tracers alive?"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from autograder.core.student_code import Line
from autograder.criteria.purity import trusted
from autograder.criteria.purity.student import Student
from autograder.criteria.purity.values import digest, is_array, to_numpy

_ADDRESS = re.compile(r"0x[0-9a-f]+")
_INTERNAL_EFFECTS = ("Mutable", "Internal", "Read", "Write", "Accum", "Array")


def _inner(value: Any) -> Iterator[Any]:
    """Jaxprs inside the parameter of an equation."""
    for item in value if isinstance(value, (list, tuple)) else [value]:
        if hasattr(item, "eqns"):
            yield item
        elif hasattr(item, "jaxpr") and hasattr(item.jaxpr, "eqns"):
            yield item.jaxpr


def equations(jaxpr: Any) -> Iterator[Any]:
    """All equations, those of inner programs (jit, scan, cond, ...) included."""
    for equation in jaxpr.eqns:
        yield equation
        for value in equation.params.values():
            for inner in _inner(value):
                yield from equations(inner)


def _constants(closed: Any) -> Iterator[Any]:
    yield from closed.consts
    todo = [closed.jaxpr]
    while todo:
        for equation in todo.pop().eqns:
            for atom in equation.invars:
                if hasattr(atom, "val"):
                    yield atom.val
            for value in equation.params.values():
                for item in value if isinstance(value, (list, tuple)) else [value]:
                    yield from getattr(item, "consts", ())
                    if is_array(item):
                        yield item
                todo += _inner(value)


def _constant_digests(closed: Any) -> list[str]:
    return [
        digest(to_numpy(c).tobytes())
        for c in _constants(closed)
        if not issubclass(type(c), trusted.Tracer) and (hasattr(c, "dtype") or type(c) is float)
    ]


def _lines(closed: Any) -> list[str]:
    return _ADDRESS.sub("0x", str(closed)).splitlines()


def line_of(equation: Any, student: Student) -> int | None:
    """The student's line that an equation came from."""
    trace = getattr(getattr(equation, "source_info", None), "traceback", None)
    for frame in getattr(trace, "frames", ()) or ():
        if frame.file_name in student.files:
            return Line(frame.line_num, frame.file_name)
    return None


@dataclass(frozen=True)
class Program:
    """A traced program as it was at once after tracing: its text and its constants."""

    closed: Any
    lines: list[str]
    constants: list[str]

    @classmethod
    def of(cls, closed: Any) -> Program:
        return cls(closed, _lines(closed), _constant_digests(closed))


def difference(first: Program, second: Program, student: Student) -> tuple[str, int | None] | None:
    """Where two traced programs differ: in words, and the student's line; None if they agree."""
    a, b = first.lines, second.lines
    if a == b and first.constants == second.constants:
        return None
    line = None
    ones, others = equations(first.closed.jaxpr), equations(second.closed.jaxpr)
    for x, y in zip(ones, others, strict=False):
        if _ADDRESS.sub("", str(x)) != _ADDRESS.sub("", str(y)):
            line = line_of(x, student)
            break
    for x, y in zip(a, b, strict=False):
        if x != y:
            return f"`{x.strip()[:90]}` became `{y.strip()[:90]}`", line
    return "a constant or the number of operations differs", line


def effects(closed: Any, student: Student) -> list[tuple[str, str, int | None]]:
    """(rule, words, line) of every call back into Python and every other effect."""
    found: dict[tuple[str, str, int | None], None] = {}
    explained = False
    for equation in equations(closed.jaxpr):
        name, line = equation.primitive.name, line_of(equation, student)
        if name in ("debug_callback", "debug_print"):
            found["debug-print", "jax.debug.print or jax.debug.callback is used", line] = None
        elif name == "pure_callback":
            found["pure-callback", "jax.pure_callback is used", line] = None
        elif "callback" in name or name in ("infeed", "outfeed", "print"):
            explained = True
            found["host-callback", f"`{name}` calls back into Python", line] = None
    for effect in sorted(map(_effect_name, closed.effects)):
        if "Debug" in effect or explained or any(w in effect for w in _INTERNAL_EFFECTS):
            continue
        found["host-callback", f"the program has the effect {effect}", None] = None
    return list(found)


def _effect_name(effect: object) -> str:
    return type(effect).__name__


def live_tracers() -> list[object]:
    """The tracers alive now; outside a trace there should be none."""
    trusted.collect()
    return [o for o in trusted.tracked_objects() if issubclass(type(o), trusted.Tracer)]
