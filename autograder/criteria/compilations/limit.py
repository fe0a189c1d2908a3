"""`compiles`: a limit on the programs that a block of code compiles, for any test suite."""

from __future__ import annotations

import functools
import inspect
import os
import sys
import tomllib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ContextDecorator, ExitStack, contextmanager
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import Any

from autograder.criteria.compilations import messages
from autograder.criteria.compilations.watch import Watch, explain
from autograder.model.student_code import Line, installed_in, is_installed, spell, unwrap

_MOST_LISTED = 10


class TooManyCompilations(AssertionError):
    """A block compiled more programs than it may; the message has a line and a cause for each."""


@dataclass(frozen=True)
class CompiledProgram:
    """One program that a block compiled.

    Attributes:
        name: of the function that it is of.
        file: that has the line.
        line: that led to it; None where no line of the project's did.
        reason: a sentence with the cause.
        seconds: that JAX took to trace, lower and compile it.
    """

    name: str
    file: str
    line: int | None
    reason: str
    seconds: float = 0.0

    def __str__(self) -> str:
        return f"{shorten(self.file)}:{self.line}: {self.reason}"


def shorten(file: str) -> Path:
    """Return a path as one types it in the current folder."""
    path, here = Path(file).resolve(), Path.cwd().resolve()
    return path.relative_to(here) if path.is_relative_to(here) else path


def _source_of(function: Callable[..., Any]) -> tuple[str, int]:
    """Return the file and the line where a function begins, behind jit, grad, vmap and partial."""
    found = unwrap(function)
    if not inspect.isfunction(found):
        found = unwrap(vars(type(found)).get("__call__"))
    if not inspect.isfunction(found):
        raise TypeError(messages.NOT_A_FUNCTION.format(of=repr(function)))
    return found.__code__.co_filename, found.__code__.co_firstlineno


class Limit(ContextDecorator):
    """What `compiles` returns."""

    def __init__(self, at_most: int, of: Callable[..., Any] | None, near: str) -> None:
        self._at_most = at_most
        self._near = near
        self._wanted = (None, None) if of is None else _source_of(of)
        self._open: list[tuple[ExitStack, Watch, list[CompiledProgram], int]] = []

    def __enter__(self) -> list[CompiledProgram]:
        stack = ExitStack()
        files = ProjectFiles(filter(None, self._wanted[:1]), self._near)
        watch = stack.enter_context(Watch(files).watching())
        programs: list[CompiledProgram] = []
        self._open.append((stack, watch, programs, len(_of_run[-1].compilations) if _of_run else 0))
        return programs

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        __tracebackhide__ = True  # pytest shows the line of the block
        stack, watch, programs, known = self._open.pop()
        stack.close()
        programs += self._own_programs(watch, known)
        if kind is None and len(programs) > self._at_most:
            raise TooManyCompilations(_list_programs(programs, self._at_most))

    def _own_programs(self, watch: Watch, known: int) -> Iterator[CompiledProgram]:
        earlier = _of_run[-1].compilations[:known] if _of_run else []
        first = messages.CAUSES["FIRST"] if _of_run else messages.FIRST_IN_BLOCK
        for one in explain(watch.compilations, earlier, first):
            if one.source and self._wanted in ((None, None), one.source[1:]):
                file = one.line.file if isinstance(one.line, Line) else one.source.file
                yield CompiledProgram(one.name, file, one.line, one.cause, one.seconds)


def _list_programs(programs: Sequence[CompiledProgram], at_most: int) -> str:
    count = messages.plural(len(programs), "program")
    lines = [messages.TOO_MANY_IN_BLOCK.format(count=count, at_most=at_most)]
    lines += [f"  {program}" for program in programs[:_MOST_LISTED]]
    if rest := programs[_MOST_LISTED:]:
        lines.append("  " + messages.AND_MORE.format(count=len(rest)))
    return "\n".join(lines)


def compiles(*, at_most: int, of: Callable[..., Any] | None = None) -> Limit:
    """Fail where a block, or a function that it decorates, compiles more programs than it may.

    Programs count that come from the project's own functions: those in no installed package, and
    those of the project's own distribution where that is installed. What JAX compiles for single
    operations, outside of jit, does not count. What was compiled before the block is not compiled
    again in it. For a first call to count, call `jax.clear_caches()` first.

    Args:
        at_most: the number of programs that may be compiled; 0 for none.
        of: count only the programs of this function, in whatever package: plain, jitted,
            differentiated, mapped, a partial, a bound method, or an object that can be called.

    Returns:
        A context manager, and a decorator. `with` gives a list, filled at the end of the block: the
        programs in the order of their compilation.

    Raises:
        TooManyCompilations: more were compiled. An `AssertionError`, whose message names for each
            program the line that led to it, and says why: for example which argument differed.
        TypeError: `of` is no function written in Python.

    Examples:
        >>> with compiles(at_most=1):
        ...     step(counts[:10])
        ...     step(counts[10:20])
    """
    return Limit(at_most, of, sys._getframe(1).f_code.co_filename)


_of_run: list[Watch] = []
"""The watch of the whole run, while there is one."""


@contextmanager
def recording(near: str) -> Iterator[Watch]:
    """Record what this process compiles, for a report; `compiles` then knows what was before."""
    with Watch(ProjectFiles(near=near)).watching() as watch:
        _of_run.append(watch)
        try:
            yield watch
        finally:
            _of_run.remove(watch)


# Which files are a project's own, and which belong to packages that it uses

_TYPED = ("<stdin>", "<python-input-", "<ipython-input-", "<doctest ")
"""Pseudo files of what a person types: Python's and IPython's prompts, and examples in docstrings.
Other ones, such as `<string>`, are made by `exec`: methods of dataclasses, for example."""


class ProjectFiles(frozenset[str]):
    """These files, and those of the project that the file `near` belongs to.

    All files are the project's but those of installed packages. What is installed counts if it is
    the project's own distribution, as in a `tox` or `nox` environment, or the package that `near`
    itself is in.
    """

    near: str

    def __new__(cls, files: Iterable[str] = (), near: str = "") -> ProjectFiles:
        self = super().__new__(cls, files)
        self.near = near
        return self

    def __contains__(self, file: object, /) -> bool:
        name = str(file)
        if super().__contains__(name) or name.startswith(_TYPED):
            return True
        if name.startswith("<"):
            return False
        return not is_installed(name) or spell(name).startswith(own_packages(self.near))


@functools.cache
def own_packages(near: str) -> tuple[str, ...]:
    """Return the start of the path of each installed file that is the project's own.

    Args:
        near: a file of the project; where there is no such file, as for a notebook's cell, the
            current folder counts. The name of the project's distribution is in `pyproject.toml`, in
            the nearest folder above that has one.
    """
    path = spell(near if os.path.isfile(near) else os.getcwd())
    if packages := installed_in(path):
        return (_start(packages + path[len(packages) :].split(os.sep)[0]),)
    for folder in (Path(path), *Path(path).parents):
        try:
            text = (folder / "pyproject.toml").read_text(encoding="utf-8")
        except OSError:
            continue
        try:
            distribution = metadata.distribution(tomllib.loads(text)["project"]["name"])
        except (KeyError, TypeError, ValueError, metadata.PackageNotFoundError):
            break
        modules = [file for file in distribution.files or () if file.suffix == ".py"]
        return tuple({_start(str(distribution.locate_file(file.parts[0]))) for file in modules})
    return ()


def _start(path: str) -> str:
    return spell(path) if path.endswith(".py") else os.path.join(spell(path), "")
