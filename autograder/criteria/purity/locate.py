"""Finds the student's line that changed something, by running the call again line by line."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from types import FrameType
from typing import Any

from autograder.core.kit_fault import is_kits
from autograder.core.student_code import Line
from autograder.criteria.purity import trusted
from autograder.criteria.purity.audit import Audit
from autograder.criteria.purity.hits import Hits
from autograder.criteria.purity.runs import EAGER_OPERATIONS, Bench, Mode, Run, captured
from autograder.criteria.purity.tripwires import TooLongError, Tripwires

_MAX_LOOKS = 4000
_Trace = Callable[[FrameType, str, Any], Any]


def locate(bench: Bench, mode: Mode, look: Callable[[tuple], Any]) -> int | None:
    """The line after which `look(arguments)` first gives another value; None if it never does.

    The state of the student's module is put back before and after. A jitted function whose
    program is compiled runs no Python, so the body is traced anew if `mode` shows nothing.
    """
    found = _locate(bench, mode, look)
    return found if found is not None or mode == "trace" else _locate(bench, "trace", look)


def _locate(bench: Bench, mode: Mode, look: Callable[[tuple], Any]) -> int | None:
    bench.restore()
    args = bench.arguments()
    student = bench.student
    last = look(args)
    blamed: int | None = None
    current: int | None = None
    looks = 0

    def check() -> None:
        nonlocal blamed, looks
        looks += 1
        if blamed is None and looks < _MAX_LOOKS and current is not None and look(args) != last:
            blamed = current

    def local(frame: FrameType, event: str, arg: object) -> Any:
        nonlocal current
        if event != "exception" and blamed is None:
            check()
        if event == "line":
            current = Line.of(frame)
        return local

    def call(frame: FrameType, event: str, arg: object) -> Any:
        nonlocal current
        if not student.owns_frame(frame):
            return None
        check()
        if current is None:
            current = Line.of(frame)
        return local

    _call_traced(bench, mode, args, call)
    check()
    bench.restore()
    return blamed


def covered_lines(bench: Bench, wanted: set[tuple[str, int]]) -> set[tuple[str, int]]:
    """(file, line) of the student's lines that run, traced or without jit.

    Without jit the function is run only if the trace has left out some of the `wanted` lines.
    """
    seen: set[tuple[str, int]] = set()
    student = bench.student

    def local(frame: FrameType, event: str, arg: object) -> Any:
        if event == "line":
            seen.add((frame.f_code.co_filename, frame.f_lineno))
        return local

    def call(frame: FrameType, event: str, arg: object) -> Any:
        return local if student.owns_frame(frame) else None

    modes: tuple[Mode, ...] = ("trace", "nojit")
    for mode in modes:
        if wanted <= seen:
            break
        bench.restore()
        watcher = Tripwires(Hits(student))
        watcher.binds = EAGER_OPERATIONS if mode == "nojit" else None
        _call_traced(bench, mode, bench.arguments(), call, watcher)
    bench.restore()
    return seen


def _call_traced(
    bench: Bench, mode: Mode, args: tuple, trace: _Trace, watcher: Tripwires | None = None
) -> None:
    """Call the student's function, however it ends, with a trace function of ours."""
    before = trusted.gettrace()
    with captured(), Audit(Hits(bench.student)):
        trusted.settrace(trace)
        try:
            with watcher or contextlib.nullcontext():
                bench.call(mode, args, Run(mode))
        except BaseException as error:
            student = bench.student
            if not isinstance(error, TooLongError) and is_kits(
                error, student.module, student.files
            ):
                raise
        finally:
            trusted.settrace(before)
