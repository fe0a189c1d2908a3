"""`compiles`: a limit on the programs that a block of code compiles, for any test suite."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from autograder.criteria.compilations.messages import plural
from autograder.criteria.compilations.watch import Watch, explain
from autograder.model.student_code import Line, is_installed, unwrap


class TooManyCompilations(AssertionError):
    """A block compiled more programs than it may; the message has a line and a cause for each."""


@dataclass(frozen=True)
class CompiledProgram:
    """One program that a block compiled, the line that caused it, and a sentence with the cause.

    The line is None where no line of the project's led to it.
    """

    name: str
    file: str
    line: int | None
    reason: str

    def __str__(self) -> str:
        return f"{_shorten(self.file)}:{self.line}: {self.reason}"


class _ProjectFiles(frozenset[str]):
    """These files, and all but those of installed packages and what is made by `exec`.

    Methods of dataclasses, for example, are made by `exec`.
    """

    def __contains__(self, file: object, /) -> bool:
        name = str(file)
        return super().__contains__(name) or not (name.startswith("<") or is_installed(name))


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
    wanted = (None, None) if of is None else _source_of(of)
    programs: list[CompiledProgram] = []
    with Watch(_ProjectFiles(filter(None, wanted[:1]))).watching() as watch:
        yield programs
    for one in explain(watch.compilations):
        if one.source and wanted in ((None, None), one.source[1:]):
            file = one.line.file if isinstance(one.line, Line) else one.source.file
            programs.append(CompiledProgram(one.source.name, file, one.line, one.cause))
    if len(programs) > at_most:
        head = f"this block compiled {plural(len(programs), 'program')}, at most {at_most} allowed:"
        raise TooManyCompilations("\n".join([head, *(f"  {program}" for program in programs)]))
