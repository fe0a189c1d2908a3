"""Whose program is this: the student's own, or one operation of a library run eagerly?"""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable, Collection
from types import FrameType, ModuleType
from typing import Any

from autograder.core.jax_access import LOWERED_COMPILE_CODE, ClosedJaxpr
from autograder.core.jaxprs import nested, source_of


def program_on_stack(frame: FrameType | None, stop: Callable[[FrameType], bool]) -> Any:
    """The jaxpr being lowered or compiled: the innermost one held by JAX's own frames."""
    while frame is not None and not stop(frame):
        for value in list(frame.f_locals.values()):
            if isinstance(value, ClosedJaxpr):
                return value.jaxpr
        frame = frame.f_back
    return None


def compiled_by_hand(frame: FrameType | None, is_student: Callable[[FrameType], bool]) -> bool:
    """Whether the student's own code called `.compile()` on a lowered program."""
    while frame is not None and not is_student(frame):
        if frame.f_code is LOWERED_COMPILE_CODE:
            return True
        frame = frame.f_back
    return False


def files_on_stack(frame: FrameType | None) -> list[str]:
    """File names of `frame` and its callers."""
    files = []
    while frame is not None:
        files.append(frame.f_code.co_filename)
        frame = frame.f_back
    return files


def _runs_student_code(jaxpr: Any, files: Collection[str], stack: list[str]) -> bool:
    """Whether an equation of `jaxpr` comes from the student's code; `stack` is the files running.

    The traceback of an equation begins where its trace began. Before JAX 0.10 it went on to the
    callers: then the student's frames that are running now do not count.
    """
    depth = sum(file in files for file in stack)
    for _, inner in [("", jaxpr), *nested(jaxpr)]:
        for eqn in inner.eqns:
            traceback = eqn.source_info.traceback
            traced = [f.file_name for f in traceback.frames] if traceback is not None else []
            callers = depth if traced and traced[-1] == stack[-1] else 0
            if sum(file in files for file in traced) > callers:
                return True
    return False


def is_own(jaxpr: Any, files: Collection[str], made: Collection[str], stack: list[str]) -> bool:
    """Whether a program is the student's.

    Args:
        jaxpr: the program.
        files: file names of the student's code.
        made: names of library functions the student gave to `jax.jit`.
        stack: the files of the Python frames running now, innermost first, if the student's code
            was traced since the last program of its own; empty if not.
    """
    name, file, _ = source_of(jaxpr)
    if file in files or (name in made):
        return True
    if not file:  # a callable object: library programs always know where they come from
        return True
    inner = list(nested(jaxpr))
    if any(source_of(each)[1] in files for _, each in inner):
        return True
    if len(jaxpr.eqns) == 1 and not inner:  # one operation, such as a step back of an eager grad
        return False
    # jax.lax.map, jnp.piecewise and the like call the student's function in one of their own.
    return bool(stack) and _runs_student_code(jaxpr, files, stack)


def _wrapped(value: object) -> object:
    while isinstance(value, functools.partial):
        value = value.func
    return getattr(value, "__func__", value)


def made_from_library(value: object) -> str | None:
    """The name of the library function that `value` jits, when the student made that jit."""
    value = _wrapped(value)
    if not (hasattr(value, "lower") and hasattr(value, "__wrapped__")):
        return None
    name = str(getattr(value, "__name__", ""))
    home = sys.modules.get(str(getattr(value, "__module__", "")))
    return None if getattr(home, name, None) is value else name


def library_jits(function: object, module: ModuleType) -> set[str]:
    """Names of library functions which the student's module or `function` jits itself."""
    values = [function, *vars(module).values()]
    for value in list(values):
        if isinstance(value, dict):
            values.extend(value.values())
        elif isinstance(value, list | tuple):
            values.extend(value)
    return {name for value in values if (name := made_from_library(value))}


_TRANSFORMS = ("ad.py", "batching.py")


def transformed(frame: FrameType | None, is_student: Callable[[FrameType], bool]) -> bool:
    """Whether grad or vmap is at work between the compiler and the student's line."""
    while frame is not None and not is_student(frame):
        if frame.f_code.co_filename.endswith(_TRANSFORMS):
            return True
        frame = frame.f_back
    return False
