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


def owner_of(
    jaxpr: Any, files: Container[str], made: Collection[str], key: Key
) -> tuple[str, str, int | None] | None:
    """Return name, file and line of the student's function that a program is of, if it is of one.

    Args:
        jaxpr, files, made: as for `autograder.criteria.compilations.one_program.split_equations`.
        key: of the call that the program is compiled for.
    """
    source = name, file, _ = source_of(jaxpr)
    if not file:  # an object that can be called, or a wrapper that JAX makes
        kind = type(key.function)
        call = getattr(kind, "__call__", None)  # noqa: B004
        return _place(call, files, kind.__name__) if key.direct else source
    is_made = name in made or (key.direct and not _is_jitted_by_a_library(key.function))
    if file in files or is_made:
        return source
    inner = [source_of(each) for _, each in nested(jaxpr)]
    if students := [each for each in inner if each[1] in files]:
        return students[0]
    if len(jaxpr.eqns) < 2 and not inner:  # one operation, such as a step back of an eager grad
        return None
    # jax.lax.map, jnp.piecewise and the like call the student's function in one of their own.
    return next(filter(None, (_place(function, files) for function in key.handed)), None)


def _place(
    function: object, files: Container[str], name: str = ""
) -> tuple[str, str, int | None] | None:
    code = getattr(function, "__code__", None)
    if code is None:
        return (name, "", None) if name else None
    found = name or code.co_name, code.co_filename, code.co_firstlineno
    return found if name or code.co_filename in files else None


def _is_jitted_by_a_library(function: object) -> bool:
    """Whether a library's name is not this function, but something that the library made of it.

    `jax.numpy` has jitted functions and ufuncs of its own.
    """
    function = getattr(function, "__func__", function)
    path = f"{getattr(function, '__module__', '')}:{getattr(function, '__qualname__', '')}"
    try:
        known = pkgutil.resolve_name(path)
    except (AttributeError, ImportError, ValueError):
        return False
    return known is not None and known is not function


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
