"""Finds out whose program it is: the student's, or one operation of a library run eagerly."""

from __future__ import annotations

import functools
import os
import pkgutil
import sys
from collections.abc import Callable, Collection, Container, Iterable, Iterator
from types import FrameType, ModuleType
from typing import Any

from autograder.core.jax_access import LOWERED_COMPILE_CODE, ClosedJaxpr
from autograder.core.jax_internals import nested, source_of
from autograder.criteria.compilations.key import Key

_TRANSFORMS = ("ad.py", "batching.py")

IsStudent = Callable[[FrameType], bool]


def frames_below(frame: FrameType | None, is_student: IsStudent) -> Iterator[FrameType]:
    """Yield `frame` and its callers, up to the student's code."""
    while frame is not None and not is_student(frame):
        yield frame
        frame = frame.f_back


def program_in(frames: Iterable[FrameType]) -> Any:
    """Return the jaxpr being lowered or compiled: the first one held by these frames of JAX's."""
    values = (value for frame in frames for value in list(frame.f_locals.values()))
    return next((value.jaxpr for value in values if isinstance(value, ClosedJaxpr)), None)


def is_compiled_by_hand(frames: Iterable[FrameType]) -> bool:
    """Check whether the student's own code called `.compile()` on a lowered program."""
    return any(frame.f_code is LOWERED_COMPILE_CODE for frame in frames)


def transforms_in(frames: Iterable[FrameType]) -> tuple[str, ...]:
    """Return what is at work between the compiler and the student's line, of grad and vmap."""
    names = {os.path.basename(frame.f_code.co_filename) for frame in frames}
    return tuple(name for name in _TRANSFORMS if name in names)


def _runs_student_code(jaxpr: Any, files: Container[str], stack: list[str]) -> bool:
    """Check whether an equation of `jaxpr` comes from the student's code.

    The traceback of an equation ends where its trace began. Before JAX 0.10 it went on to the
    callers: there, the student's files in `stack`, which are running now, do not count.
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


def is_own(
    jaxpr: Any, files: Container[str], made: Collection[str], stack: list[str], key: Key
) -> bool:
    """Check whether the program `jaxpr` is the student's.

    Args:
        jaxpr, files, made: as for `autograder.criteria.compilations.one_program.split_equations`.
        stack: the files of the Python frames running now, innermost first, if the student's code
            was traced since the last program of its own; empty if not.
        key: of the call that the program is compiled for.
    """
    name, file, _ = source_of(jaxpr)
    # Without a file it is a callable object: library programs always have one.
    if file in files or name in made or not file:
        return True
    if key.direct and not _is_jitted_by_a_library(key.function):
        return True
    inner = list(nested(jaxpr))
    if any(source_of(each)[1] in files for _, each in inner):
        return True
    if len(jaxpr.eqns) == 1 and not inner:  # one operation, such as a step back of an eager grad
        return False
    # jax.lax.map, jnp.piecewise and the like call the student's function in one of their own.
    return bool(stack) and _runs_student_code(jaxpr, files, stack)


def _is_jitted_by_a_library(function: object) -> bool:
    """Whether a library has a jitted function of this one, as `jax.numpy` has of its own."""
    path = f"{getattr(function, '__module__', '')}:{getattr(function, '__qualname__', '')}"
    try:
        known = pkgutil.resolve_name(path)
    except (AttributeError, ImportError, ValueError):
        return False
    return known is not function and getattr(known, "__wrapped__", None) is function


def _library_name(value: object) -> str | None:
    """Return the name of the library function in `value`, if the student called jit on it."""
    while isinstance(value, functools.partial):
        value = value.func
    value = getattr(value, "__func__", value)
    if not (hasattr(value, "lower") and hasattr(value, "__wrapped__")):
        return None
    name = str(getattr(value, "__name__", ""))
    home = sys.modules.get(str(getattr(value, "__module__", "")))
    return None if getattr(home, name, None) is value else name


def library_jits(function: object, module: ModuleType) -> set[str]:
    """Return the names of library functions that the student's module or `function` jits."""
    values = [function, *vars(module).values()]
    for value in list(values):
        if isinstance(value, dict):
            values.extend(value.values())
        elif isinstance(value, list | tuple):
            values.extend(value)
    return {name for value in values if (name := _library_name(value))}
