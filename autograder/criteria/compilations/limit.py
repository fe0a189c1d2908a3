"""`compiles`: a limit on the programs that a block of code compiles, for any test suite."""

from __future__ import annotations

import inspect
import os
import site
import sysconfig
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import jax

from autograder.core.student_code import Line, unwrap
from autograder.criteria.compilations.causes import blamed_line, explain
from autograder.criteria.compilations.one_program import plural
from autograder.criteria.compilations.watch import Compilation, Watch


class TooManyCompilations(AssertionError):
    """A block compiled more programs than it may; the message has a line and a cause for each."""


@dataclass(frozen=True)
class CompiledProgram:
    """One program that a block compiled.

    Attributes:
        name: of the function that was compiled.
        file: in which the line is that caused it.
        line: number of that line; None where no line of the project's led to it.
        reason: a sentence with the cause.
    """

    name: str
    file: str
    line: int | None
    reason: str

    def __str__(self) -> str:
        return f"{_shorten(self.file)}:{self.line}: {self.reason}"


class _ProjectFiles:
    """All files but those of the standard library, of installed packages and of JAX."""

    def __init__(self, *more: str) -> None:
        paths = [
            sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib")
        ]
        paths += [*site.getsitepackages(), site.getusersitepackages()]
        paths.append(os.path.dirname(jax.__file__))
        self._others = tuple(os.path.join(_spell(path), "") for path in paths)
        self._known: dict[object, bool] = dict.fromkeys(more, True)

    def __contains__(self, file: object, /) -> bool:
        if file not in self._known:
            self._known[file] = self._is_project(str(file))
        return self._known[file]

    def add(self, file: str, /) -> None:
        """Do nothing: the folder of a file decides."""

    def _is_project(self, file: str) -> bool:
        if file.startswith("<"):  # made by `exec`: a method of a dataclass, say
            return False
        return not _spell(file).startswith(self._others)


def _spell(path: str) -> str:
    """Spell a path in the one way in which two can be compared."""
    return os.path.normcase(os.path.realpath(path))


def _shorten(file: str) -> Path:
    path, here = Path(file).resolve(), Path.cwd().resolve()
    return path.relative_to(here) if path.is_relative_to(here) else path


def _source_of(function: Callable[..., Any]) -> tuple[str, int]:
    """Return the file and the line where a function begins, behind jit, grad, vmap and partial."""
    found = unwrap(function)
    if not inspect.isfunction(found):
        raise TypeError(f"`of` must be a Python function, jitted or not, not {function!r}")
    return found.__code__.co_filename, found.__code__.co_firstlineno


@contextmanager
def compiles(
    *, at_most: int, of: Callable[..., Any] | None = None
) -> Iterator[list[CompiledProgram]]:
    """Fail where a block compiles more programs than it may.

    Programs count that come from the project's own functions: those in no installed package. What
    JAX compiles for single operations, outside of jit, does not count. What was compiled before the
    block is not compiled again in it. For a first call to count, call `jax.clear_caches()` first.

    Args:
        at_most: the number of programs that may be compiled; 0 for none.
        of: count only the programs of this function, in whatever package: plain, jitted,
            differentiated, mapped, a partial or a bound method.

    Yields:
        A list, filled at the end of the block: the programs in the order of their compilation.

    Raises:
        TooManyCompilations: more were compiled. An `AssertionError`, whose message names for each
            program the line that led to it, and says why: for example which argument differed.
        TypeError: `of` is no function written in Python.

    Examples:
        >>> with compiles(at_most=1):
        ...     step(counts[:10])
        ...     step(counts[10:20])
    """
    source = None if of is None else _source_of(of)
    files = _ProjectFiles() if source is None else _ProjectFiles(source[0])
    watch = Watch({}, files, files)
    programs: list[CompiledProgram] = []
    with watch:
        yield programs
    for compilation, cause in zip(watch.compilations, explain(watch.compilations), strict=True):
        if compilation.own and source in (None, (compilation.file, compilation.def_line)):
            programs.append(_describe(compilation, cause.text))
    if len(programs) > at_most:
        count = plural(len(programs), "program")
        head = f"this block compiled {count}, at most {at_most} allowed:"
        raise TooManyCompilations("\n".join([head, *(f"  {program}" for program in programs)]))


def _describe(compilation: Compilation, reason: str) -> CompiledProgram:
    line = blamed_line(compilation)
    file = line.file if isinstance(line, Line) else compilation.file
    return CompiledProgram(compilation.name, file, line, reason)
