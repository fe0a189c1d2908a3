"""Counts what each call of a student's function compiles."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from types import ModuleType
from typing import Any

import jax

from autograder.core import jax_access
from autograder.core.jax_errors import error_line
from autograder.core.jax_internals import form_of
from autograder.core.kit_fault import is_kits
from autograder.core.student_code import called, is_interruption, student_files
from autograder.criteria.compilations.arguments import copy_arrays, nudge, signature
from autograder.criteria.compilations.causes import Cause, blamed_line, explain
from autograder.criteria.compilations.watch import Watch

_THREAD_SECONDS = 2.0


@dataclass
class CallRecord:
    """What one call of the student's function compiled.

    `lines` has, for each program of the student's own, the student's line that caused it (the line
    of the `def` when the call came from outside the student's code; None if unknown), and
    `causes` why it was compiled. `library_lines` has the student's line for each single
    operation of JAX that was run eagerly and compiled.
    """

    lines: list[int | None] = field(default_factory=list)
    causes: list[Cause] = field(default_factory=list)
    functions: list[tuple] = field(default_factory=list)  # of the student's programs
    # What jit was given, None if unknown: an object, so two records of a program are still equal.
    jitted: list[object] = field(default_factory=list, compare=False, repr=False)
    programs: list[object] = field(default_factory=list, compare=False, repr=False)  # their jaxprs
    library_lines: list[int | None] = field(default_factory=list)
    compiled_ahead: bool = False  # whether a program compiled ahead of time was run
    threads: bool = False  # whether the call started threads
    error: str = ""  # that ended the call; empty when it returned
    raised: BaseException | None = field(default=None, compare=False, repr=False)

    @property
    def compilations(self) -> int:
        return len(self.lines)

    @property
    def reasons(self) -> list[str]:
        """A sentence with the cause of each program."""
        return [cause.text for cause in self.causes]

    @cached_property
    def forms(self) -> set[tuple]:
        """What each program is but for the numbers in it, with its function."""
        known = zip(self.functions, self.programs, strict=True)
        return {(f[:3], form_of(program)) for f, program in known if program is not None}

    @property
    def library(self) -> int:
        return len(self.library_lines)


@dataclass(frozen=True)
class Counted:
    """Calls in order with their signatures and records; the last `repeats` repeat earlier ones."""

    calls: list[tuple]
    signatures: list[tuple]
    records: list[CallRecord]
    repeats: int


def _run(function: Callable[..., Any], args: tuple, module: ModuleType) -> BaseException | None:
    """Make one call. Return the error that it raised, if any."""
    try:
        jax_access.block_until_ready(called(function, *args))
    except BaseException as error:  # SystemExit too: it must not end the grader
        if is_interruption(error) or is_kits(error, module, student_files(module)):
            raise
        return error
    return None


def _spell(error: BaseException | None) -> str:
    try:
        return "" if error is None else error_line(error)
    except Exception:  # its own `__str__` fails
        return type(error).__name__


def _wait_for_threads(before: set[threading.Thread]) -> None:
    """Let threads begun in a call finish, so that what they compile is counted with that call."""
    end = time.monotonic() + _THREAD_SECONDS
    for thread in set(threading.enumerate()) - before:
        # Workers of an executor never end; `ThreadPoolExecutor` names them so.
        if not thread.name.startswith("ThreadPoolExecutor"):
            thread.join(max(0.0, end - time.monotonic()))


def count_compilations(
    function: Callable[..., Any], calls: Sequence[tuple], module: ModuleType
) -> list[CallRecord]:
    """Call `function` on each tuple of `calls`, in order, and count what each call compiles.

    JAX's caches are cleared first. Arguments are copied before counting begins, and each call waits
    for its result. Everything set up for counting is removed afterwards. Import this module before
    the student's code runs: it keeps references to the parts of JAX that it uses.

    Args:
        function: the student's: plain, jitted, a partial, a bound method, compiled ahead of time.
        calls: argument tuples, one for each call.
        module: the module object the student's code ran in.

    Returns:
        One record for each call. If a call raises, its record has the `error`, and the next calls
        still run.
    """
    ready = [tuple(copy_arrays(args)) for args in calls]
    jax_access.block_until_ready([x for x in jax.tree.leaves(ready) if isinstance(x, jax.Array)])
    jax_access.clear_caches()
    watch = Watch.of(function, module)
    records: list[CallRecord] = []
    with watch:
        for watch.call, args in enumerate(ready):
            threads = set(threading.enumerate())
            watch.threads = False
            watch.ahead = isinstance(function, jax_access.Compiled)
            raised = _run(function, args, module)
            record = CallRecord(error=_spell(raised), raised=raised)
            _wait_for_threads(threads)
            record.compiled_ahead, record.threads = watch.ahead, watch.threads
            records.append(record)
    for compilation, cause in zip(watch.compilations, explain(watch.compilations), strict=True):
        record = records[compilation.call]
        if compilation.own:
            record.lines.append(blamed_line(compilation))
            record.causes.append(cause)
            record.functions.append(compilation.function)
            record.jitted.append(compilation.key.function)
            record.programs.append(compilation.program)
        else:
            record.library_lines.append(compilation.line)
    return records


def count_with_repeats(
    function: Callable[..., Any], calls: Sequence[tuple], module: ModuleType
) -> Counted:
    """Count what the calls compile, then each signature once more, with slightly different numbers.

    The arguments are those of `count_compilations`.
    """
    repeats = {signature(args): nudge(args) for args in calls}
    everything = [*calls, *repeats.values()]
    signatures = [*map(signature, calls), *repeats]
    records = count_compilations(function, everything, module)
    return Counted(everything, signatures, records, len(repeats))
