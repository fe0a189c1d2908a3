"""Watches a student's function while it runs, by an audit hook and a profiler hook.

Python's audit hooks cannot be removed, so a student's code cannot switch that one off. It is
added once, when this package is imported, and does nothing outside a check. The profiler hook
counts only calls made by the student's own frames (through the standard library, never through
JAX): JAX reads clocks and environment variables for itself.
"""

from __future__ import annotations

import io
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import CodeType, FrameType

from jax.extend.core import Primitive

from autograder.core import jax_access
from autograder.core.finding import StudentFacingError
from autograder.core.quiet_modules import quiet_modules
from autograder.criteria.purity.impure_calls import (
    AUDIT_EVENTS,
    AUDIT_PREFIXES,
    C_FUNCTIONS,
    PYTHON_FUNCTIONS,
    Impurity,
)
from autograder.criteria.purity.student import StudentModule

# With these, a student's code could reach what was noted, and delete it.
_DENIED = (
    "gc.get_objects",
    "gc.get_referrers",
    "gc.get_referents",
    "sys._current_frames",
    "sys._getframe",
    "object.__getattr__",
)
_STREAM_METHODS = {"write", "writelines", "flush", "read", "readline", "readlines", "truncate"}
# What `logging` does for each line that is logged, which is a finding already.
_OF_A_LOG = ("prints", "reads-clock", "reads-environment")
_IN_MEMORY = (io.StringIO, io.BytesIO)
# `TooLongError` is raised only in a frame of this function. A finalizer would swallow it.
_BIND = Primitive.bind.__code__


@dataclass
class Hits:
    """Holds what the probes note in one check, by (rule, line, file), and the code that ran."""

    student: StudentModule
    found: dict[tuple[str, int, str], str] = field(default_factory=dict)
    codes: dict[CodeType, None] = field(default_factory=dict)

    def note(self, rule: str, what: str, frame: FrameType) -> None:
        if rule in ("prints", "logs") and _inside_debug_callback(frame):
            rule, what = "debug-print", "jax.debug.callback writes on the screen"
        line, file = frame.f_lineno or 0, frame.f_code.co_filename
        logs = any((other, line, file) in self.found for other in ("logs", "debug-print"))
        if logs and rule in _OF_A_LOG:
            return
        self.found.setdefault((rule, line, file), what)


def _inside_debug_callback(frame: FrameType | None) -> bool:
    while frame is not None:
        name = frame.f_code.co_filename
        if name.endswith("debugging.py") and "jax" in name:
            return True
        frame = frame.f_back
    return False


class DeniedError(StudentFacingError, RuntimeError):
    """Raised where a student's code reads the interpreter's objects while it is checked."""


_active: list[Hits] = []
_busy: list[bool] = []  # reading frames raises audit events, too


def _hook(event: str, args: tuple) -> None:
    if not _active or _busy:
        return
    _busy.append(True)
    try:
        _note(event, args, _active[-1])
    finally:
        _busy.clear()


def _note(event: str, args: tuple, hits: Hits) -> None:
    known = AUDIT_EVENTS.get(event) or AUDIT_PREFIXES.get(event.partition(".")[0] + ".")
    if event == "object.__setattr__" and args[1] == "__code__":
        known = ("module-patched", "the code of a function is replaced")
    elif (
        event == "sys._getframe" or (event == "object.__getattr__" and args[1] == "tb_frame")
    ) and hits.student.owns_frame(jax_access.getframe(2)):
        known = ("inspects-interpreter", "the frames of the callers are read")
    if known is None:
        return
    frame = hits.student.cause(jax_access.getframe(2), libraries=True)
    if frame is None:
        return
    rule, what = known
    if event == "open" and type(args[0]) in (str, bytes):
        what = f"{what} ({str(args[0])[-60:]})"
    hits.note(rule, what, frame)
    if event in _DENIED:
        raise DeniedError(f"{what}: not while the function is checked")


sys.addaudithook(_hook)


def _code_of(frame: FrameType) -> CodeType:
    """Read the code of a frame without handling the audit event: there are very many frames."""
    _busy.append(True)
    try:
        return frame.f_code
    finally:  # at the limit of recursion, this event raises
        _busy.pop()


@contextmanager
def audit(hits: Hits) -> Iterator[None]:
    """Context manager: note in `hits` what the student's code causes."""
    _active.append(hits)
    try:
        yield
    finally:
        _active.clear()


def _count_written() -> int:
    """Count the characters written to the captured screen."""
    return sys.stdout.tell() if issubclass(type(sys.stdout), io.StringIO) else -1


def _has_stream(frame: FrameType) -> bool:
    """Check whether a frame has a text buffer of its own that it may print into."""
    return any(type(value) in _IN_MEMORY for value in frame.f_locals.values())


def _stream_use(function: object) -> Impurity | None:
    """Name the use of a file or terminal that was opened elsewhere."""
    name = function.__name__  # type: ignore[attr-defined]
    if name not in _STREAM_METHODS:
        return None
    owner = getattr(function, "__self__", None)
    if not issubclass(type(owner), io.IOBase) or type(owner) in _IN_MEMORY:
        return None
    if owner in (sys.__stdout__, sys.__stderr__, sys.stdout, sys.stderr):
        return ("prints", f"{name}() on the standard output is called")
    return ("file-access", f"{name}() on a file is called")


class TooLongError(BaseException):
    """Ends a run that takes too long: without jit, a scan runs as a Python loop."""


class Tripwires:
    """Context manager: a profiler hook that notes the student's impure calls.

    The run is ended after `binds` operations of JAX. They are counted, not timed, so that the
    same code always ends at the same operation. `expired` is set when the run was ended, and
    `tampered` when the hook was removed during the run.
    """

    def __init__(self, hits: Hits, binds: int | None = None) -> None:
        self.tampered = self.expired = False
        self.binds = binds
        student = hits.student
        namespace, own_files = student.namespace, student.own_files
        streams = (sys.__stdout__, sys.__stderr__, sys.stdout, sys.stderr)
        codes = [getattr(type(s).write, "__code__", None) for s in streams if s is not None]
        on_screen: Impurity = ("prints", "the standard output is written to")
        impure = {code: on_screen for code in codes if code is not None} | PYTHON_FUNCTIONS
        # Files are compared first: hashing code is slow, and `id` raises an audit event.
        impure_files = {code.co_filename for code in impure}
        quiet = quiet_modules({*impure_files, _BIND.co_filename})
        printing: list[tuple[FrameType, int]] = []

        def is_quiet(frame: FrameType) -> bool:
            names = frame.f_globals
            try:
                return names is not namespace and names.get("__name__") in quiet
            except TypeError:  # a name that the student's code has made up
                return False

        def hook(frame: FrameType, event: str, arg: object) -> None:
            if event == "return" or is_quiet(frame):
                return
            if event == "c_call":
                try:
                    found = C_FUNCTIONS.get(arg) or _stream_use(arg)  # type: ignore[arg-type]
                except Exception:
                    return
                owner = student.cause(frame) if found is not None else None
                if found is None or owner is None:
                    return
                if found[1].startswith("sys._getframe") and owner is not frame:
                    return  # namedtuple, enum and typing find the module's name with it
                if arg is print:
                    printing.append((owner, _count_written()))
                else:
                    hits.note(*found, owner)
            elif event == "c_return" and arg is print and printing:
                owner, before = printing.pop()
                if _count_written() != before or not _has_stream(owner):
                    hits.note(*C_FUNCTIONS[print], owner)
            elif event == "call":
                code = _code_of(frame)
                if code is _BIND and self.binds is not None:
                    self.binds -= 1
                    if self.binds < 0:
                        self.binds, self.expired = None, True
                        raise TooLongError
                if frame.f_globals is namespace or code.co_filename in own_files:
                    hits.codes.setdefault(code)
                elif code.co_filename in impure_files and code in impure:
                    owner = student.cause(frame.f_back)
                    if owner is not None:
                        hits.note(*impure[code], owner)

        self.hook = hook

    def __enter__(self) -> Tripwires:
        self.before = jax_access.getprofile()
        jax_access.set_thread_profile(self.hook)
        jax_access.setprofile(self.hook)
        return self

    def __exit__(self, *exc: object) -> None:
        self.tampered = jax_access.getprofile() is not self.hook and not self.expired
        jax_access.setprofile(self.before)
        jax_access.set_thread_profile(None)  # type: ignore[arg-type]
