"""Which code is the student's: files, frames and lines of the module a student's code ran in.

The code may come from a file on disk, from notebook cells (each cell has a pseudo file name
registered with `linecache`) or from a plain `exec`; all three are one module object here.
"""

from __future__ import annotations

import functools
import inspect
import linecache
import types
from collections.abc import Callable, Iterator
from types import CodeType, FrameType, ModuleType
from typing import Any


def nested_codes(code: CodeType) -> Iterator[CodeType]:
    """Yield a code object and those of the functions, classes and lambdas inside it."""
    yield code
    for const in code.co_consts:
        if isinstance(const, CodeType):
            yield from nested_codes(const)


def _functions(value: object, namespace: dict, depth: int = 0) -> Iterator[types.FunctionType]:
    """Python functions of `namespace` behind a value: plain, wrapped by jit, or methods."""
    try:
        value = inspect.unwrap(value)  # type: ignore[arg-type]
    except (ValueError, AttributeError):
        return
    value = getattr(value, "__func__", value)
    if isinstance(value, types.FunctionType):
        if value.__globals__ is namespace:
            yield value
    elif isinstance(value, type) and depth == 0 and value.__module__ == namespace.get("__name__"):
        for member in vars(value).values():
            yield from _functions(member, namespace, depth + 1)
    elif isinstance(value, functools.partial):
        yield from _functions(value.func, namespace, depth)


def student_functions(module: ModuleType) -> list[types.FunctionType]:
    """All Python functions defined by the student in `module`, unwrapped from jit and partial."""
    namespace = vars(module)
    return [f for value in list(namespace.values()) for f in _functions(value, namespace)]


def student_files(module: ModuleType) -> set[str]:
    """File names (`co_filename`) of the student's code: the module's file or its cells."""
    files = {f.__code__.co_filename for f in student_functions(module)}
    path = getattr(module, "__file__", None)
    if path:
        files.add(path)
    return files


def student_codes(module: ModuleType) -> set[CodeType]:
    """Code objects of all functions the student defined, nested ones included."""
    return {code for f in student_functions(module) for code in nested_codes(f.__code__)}


def is_student_frame(frame: FrameType, module: ModuleType, files: set[str]) -> bool:
    """Whether `frame` runs the student's code: by its globals, or by its file."""
    return frame.f_globals is vars(module) or frame.f_code.co_filename in files


def called(function: Callable[..., Any], *args: Any) -> Any:
    """Call the student's function; this frame marks where its own errors come from.

    A function of a library's, or one written in C, has no frame of the student's.
    """
    return function(*args)


class Line(int):
    """A 1-based line number that remembers its file: a notebook has one file a cell."""

    file: str

    def __new__(cls, number: int, file: str) -> Line:
        line = super().__new__(cls, number)
        line.file = file
        return line

    @classmethod
    def of(cls, frame: FrameType) -> Line:
        """The line that `frame` is at."""
        return cls(frame.f_lineno, frame.f_code.co_filename)

    @property
    def text(self) -> str:
        """The stripped text of the line; empty when its source is not at hand."""
        return source_line(self.file, self)


def source_line(filename: str, line: int | None) -> str:
    """The stripped text of one source line, or an empty string when the source is not at hand."""
    return linecache.getline(filename, line).strip() if line else ""


def source_text(filename: str) -> str:
    """The whole source of a file or cell, or an empty string when it is not at hand."""
    return "".join(linecache.getlines(filename))
