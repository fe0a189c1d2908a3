"""Reads jaxprs: what they were traced from, and what is nested in them."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any

from autograder.core.jax_access import ClosedJaxpr
from autograder.core.student_code import Line


def source_of(jaxpr: Any) -> tuple[str, str, int | None]:
    """Name, file and line of the function a jaxpr was traced from; "" and None when unknown."""
    info = getattr(getattr(jaxpr, "debug_info", None), "func_src_info", None) or ""
    name, _, location = str(info).partition(" at ")
    file, _, line = location.rpartition(":")
    return name, file, int(line) if line.isdigit() else None


def _jaxprs(value: object) -> Iterator[Any]:
    if isinstance(value, ClosedJaxpr):
        yield value.jaxpr
    elif hasattr(value, "eqns"):
        yield value
    elif isinstance(value, tuple | list):
        for item in value:
            yield from _jaxprs(item)


def nested(jaxpr: Any) -> Iterator[tuple[str, Any]]:
    """All jaxprs inside `jaxpr`, at any depth, each with the primitive it belongs to."""
    for eqn in jaxpr.eqns:
        for value in eqn.params.values():
            for inner in _jaxprs(value):
                yield eqn.primitive.name, inner
                yield from nested(inner)


def student_line_of(eqn: Any, files: Collection[str]) -> int | None:
    """The innermost line of the student's code that an equation was traced from."""
    traceback = eqn.source_info.traceback
    for frame in traceback.frames if traceback is not None else ():
        if frame.file_name in files:
            return Line(frame.line_num, frame.file_name)
    return None
