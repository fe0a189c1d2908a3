"""Count what each call of a student's function compiles."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from types import ModuleType
from typing import Any

import jax

from autograder.core import jax_access
from autograder.core.kit_fault import is_kits
from autograder.core.student_code import called, student_files
from autograder.criteria.compilations import reasons
from autograder.criteria.compilations.arguments import fresh
from autograder.criteria.compilations.records import CallRecord
from autograder.criteria.compilations.tampering import Guard
from autograder.criteria.compilations.watch import Watch

_THREAD_SECONDS = 2.0


def _run(function: Callable[..., Any], args: tuple, module: ModuleType) -> str:
    try:
        jax_access.block_until_ready(called(function, *args))
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # SystemExit too: it must not end the grader
        if is_kits(error, module, student_files(module)):
            raise
        try:
            return f"{type(error).__name__}: {error}"[:500]
        except Exception:
            return type(error).__name__
    return ""


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

    JAX's caches are cleared first. Arguments are copied, and ready, before counting begins; a
    result is waited for. Everything set up for counting is taken down again. Import this module
    before the student's code runs: what it uses of JAX is taken at import.

    Args:
        function: the student's: plain, jitted, a partial, a bound method, compiled ahead of time.
        calls: argument tuples, one a call.
        module: the module object the student's code ran in.

    Returns:
        One record a call. A call that raises has its `error` set; the next ones still run.
    """
    ready = [tuple(fresh(args)) for args in calls]
    jax_access.block_until_ready([x for x in jax.tree.leaves(ready) if isinstance(x, jax.Array)])
    jax_access.clear_caches()
    watch = Watch(function, module)
    guard = Guard(watch)
    errors: list[str] = []
    ahead: list[tuple[bool, bool]] = []
    tampered: list[list[str]] = []
    with watch:
        guard.start()
        try:
            for watch.call, args in enumerate(ready):
                threads = set(threading.enumerate())
                watch.threads = False
                watch.ahead = isinstance(function, jax_access.Compiled)
                known = len(guard.found) if watch.call else 0
                errors.append(_run(function, args, module))
                _wait_for_threads(threads)
                guard.check()
                ahead.append((watch.ahead, watch.threads))
                tampered.append(guard.found[known:])
        finally:
            guard.stop()
    why = reasons.explain(watch.compilations)
    records = []
    for call in range(len(ready)):
        own = [(c, w) for c, w in zip(watch.compilations, why, strict=True) if c.call == call]
        library = [c for c, _ in own if not c.own]
        own = [(c, w) for c, w in own if c.own]
        records.append(
            CallRecord(
                compilations=len(own),
                lines=[reasons.blamed_line(c) for c, _ in own],
                reasons=[w for _, w in own],
                library=len(library),
                library_lines=[c.line for c in library],
                compiled_ahead=ahead[call][0],
                threads=ahead[call][1],
                error=errors[call],
                tampered=tampered[call],
            )
        )
    return records
