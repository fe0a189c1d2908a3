"""Tripwires: C functions and library methods that no pure function calls, seen by the profiler.

Only calls made by the student's own frames count (through the standard library, never through
JAX): JAX reads clocks and environment variables for itself.
"""

from __future__ import annotations

import _thread
import atexit
import builtins
import datetime
import gc
import inspect
import io
import logging
import os
import posixpath
import random
import sys
import time
import warnings
import weakref
from collections.abc import Callable
from types import CodeType, FrameType, TracebackType

import jax
import numpy as np
from jax.extend.core import Primitive

from autograder.criteria.purity import trusted
from autograder.criteria.purity.audit import code_of
from autograder.criteria.purity.hits import Hits
from autograder.criteria.purity.student import Student

_Wire = tuple[str, str]
_TIME_SAFE = {"mktime", "struct_time", "tzset"}
_POSIX_SAFE = {
    "fspath",
    "_path_normpath",
    "_path_splitroot",
    "_path_splitroot_ex",
    "_fspath",
    "strerror",
    "register_at_fork",
    "get_terminal_size",
    "device_encoding",
    "fsencode",
    "fsdecode",
}
_POSIX_READS = {
    "getpid",
    "getppid",
    "getuid",
    "getgid",
    "geteuid",
    "getegid",
    "getlogin",
    "getcwd",
    "getcwdb",
    "cpu_count",
    "process_cpu_count",
    "sched_getaffinity",
    "uname",
    "times",
    "getloadavg",
    "sysconf",
    "getpriority",
    "umask",
}
_POSIX_PROCESS = {"fork", "system", "kill", "killpg", "_exit", "abort", "posix_spawn", "execv"}


def _c_functions() -> dict[Callable, _Wire]:
    wires: dict[Callable, _Wire] = {}

    def add(function: object, rule: str, what: str) -> None:
        if inspect.isbuiltin(function):
            wires[function] = (rule, what)

    for name, function in vars(time).items():
        if name not in _TIME_SAFE:
            rule = "sleeps" if name == "sleep" else "reads-clock"
            add(function, rule, f"time.{name}() reads the clock" if rule[0] == "r" else "waits")
    for cls, names in (
        (datetime.datetime, ("now", "utcnow", "today")),
        (datetime.date, ("today",)),
    ):
        for name in names:
            add(getattr(cls, name), "reads-clock", f"{cls.__name__}.{name}() reads the clock")
    for name, function in vars(sys.modules[os.name]).items():
        if name in ("urandom", "getrandom"):
            add(function, "random-state", "the system's random source is read")
        elif name in _POSIX_READS:
            add(function, "reads-environment", f"os.{name}() reads the state of the process")
        elif name in _POSIX_PROCESS:
            add(function, "process", f"os.{name}() acts on processes")
        elif name in ("putenv", "unsetenv", "chdir", "fchdir"):
            add(function, "environment-changed", f"os.{name}() changes the environment")
        elif name not in _POSIX_SAFE and not name.startswith("W"):
            add(function, "file-access", f"os.{name}() uses the file system")
    for module in (random, np.random):
        for name, function in vars(module).items():
            owner = getattr(function, "__self__", None)
            if isinstance(owner, (random.Random, np.random.RandomState)) and name[:3] != "get":
                what = f"{module.__name__}.{name}() uses a hidden random state"
                wires[function] = ("random-state", what)
    add(print, "prints", "print() is called")
    add(builtins.input, "reads-environment", "input() reads the keyboard")
    add(warnings.warn, "warns", "warnings.warn() is called")
    add(warnings.warn_explicit, "warns", "warnings.warn_explicit() is called")
    for name in ("getprofile", "gettrace", "_current_frames", "getrefcount", "_getframe"):
        add(getattr(sys, name), "inspects-interpreter", f"sys.{name}() looks at who is watching")
    for name in ("setprofile", "settrace", "addaudithook"):
        add(getattr(sys, name), "probe-tampered", f"sys.{name}() is called")
    for name in ("setrecursionlimit", "setswitchinterval"):
        add(getattr(sys, name), "interpreter-changed", f"sys.{name}() is called")
    for name in ("disable", "enable", "freeze", "set_threshold"):
        add(getattr(gc, name), "interpreter-changed", f"gc.{name}() is called")
    for name in ("get_objects", "get_referrers", "get_referents"):
        add(getattr(gc, name), "inspects-interpreter", f"gc.{name}() is called")
    for name in ("start_new_thread", "start_joinable_thread"):
        add(getattr(_thread, name, None), "thread", "a thread is started")
    add(atexit.register, "deferred-call", "a function is registered to run at exit")
    signal = __import__("_signal")
    for name in ("signal", "alarm", "setitimer", "raise_signal"):
        if hasattr(signal, name):
            add(getattr(signal, name), "interpreter-changed", f"signal.{name}() is called")
    return wires


def _python_functions() -> dict[CodeType, _Wire]:
    wires: dict[CodeType, _Wire] = {}

    def add(function: object, rule: str, what: str) -> None:
        code = getattr(inspect.unwrap(function), "__code__", None)  # type: ignore[arg-type]
        if type(code) is CodeType:
            wires[code] = (rule, what)

    environ = type(os.environ)
    for name in ("__getitem__", "__iter__", "__len__", "copy"):
        add(getattr(environ, name), "reads-environment", "an environment variable is read")
    for name in ("__setitem__", "__delitem__", "setdefault"):
        add(getattr(environ, name), "environment-changed", "an environment variable is changed")
    for name in ("debug", "info", "warning", "error", "exception", "critical", "log"):
        add(getattr(logging.Logger, name), "logs", f"a line is logged ({name})")
        add(getattr(logging, name), "logs", f"logging.{name}() is called")
    add(weakref.finalize.__init__, "deferred-call", "a finalizer is registered")
    add(type(jax.config).update, "jax-config-changed", "jax.config is changed")
    add(jax.clear_caches, "interpreter-changed", "jax.clear_caches() is called")
    for name in dir(jax.monitoring):
        if name.startswith(("clear", "register", "unregister")):
            add(getattr(jax.monitoring, name), "probe-tampered", f"jax.monitoring.{name}()")
    add(inspect.stack, "inspects-interpreter", "inspect.stack() looks at the callers")
    add(inspect.currentframe, "inspects-interpreter", "inspect.currentframe() is called")
    add(posixpath.exists, "file-access", "the file system is looked at")
    return wires


_C = _c_functions()
_PYTHON = _python_functions()
_STREAM_METHODS = {"write", "writelines", "flush", "read", "readline", "readlines", "truncate"}
_IN_MEMORY = (io.StringIO, io.BytesIO)


def _written() -> int:
    """How much was written to what stands in for the screen."""
    return sys.stdout.tell() if issubclass(type(sys.stdout), io.StringIO) else -1


def _has_stream(frame: FrameType) -> bool:
    """Whether a frame has a text buffer of its own that it may print into."""
    return any(type(value) in _IN_MEMORY for value in frame.f_locals.values())


def _stream(function: object) -> _Wire | None:
    """Reading or writing a file or terminal that was opened elsewhere."""
    name = function.__name__  # type: ignore[attr-defined]
    if name not in _STREAM_METHODS:
        return None
    owner = getattr(function, "__self__", None)
    kind = type(owner)
    if not issubclass(kind, io.IOBase) or kind in _IN_MEMORY:
        return None
    if owner in (sys.__stdout__, sys.__stderr__, sys.stdout, sys.stderr):
        return ("prints", f"{name}() on the standard output is called")
    return ("file-access", f"{name}() on a file is called")


class TooLongError(BaseException):
    """Ends a run without jit that is too long (a scan of many steps runs in Python there)."""


# Raised where it surely travels up to the run: a frame of the garbage collector's would swallow it.
_BIND = Primitive.bind.__code__


class Tripwires:
    """Context manager: a profiler hook that notes the student's impure calls.

    `binds` is the number of operations of JAX after which the run is ended; counted, not timed, so
    that the same code is always ended at the same place. `tampered` is set when the hook was no
    longer in place at the end, `expired` when the run was ended.
    """

    def __init__(self, hits: Hits) -> None:
        self.hits = hits
        self.tampered = self.expired = False
        self.binds: int | None = None
        student: Student = hits.student
        namespace, own_files = student.namespace, student.own_files
        streams = (sys.__stdout__, sys.__stderr__, sys.stdout, sys.stderr)
        codes = [getattr(type(s).write, "__code__", None) for s in streams if s is not None]
        on_screen: _Wire = ("prints", "the standard output is written to")
        wires = {code: on_screen for code in codes if code is not None} | _PYTHON
        # By file first: to hash code takes long, and `id` is an event for the audit hook.
        wired_files = {code.co_filename for code in wires}

        printing: list[tuple[FrameType, int]] = []

        def hook(frame: FrameType, event: str, arg: object) -> None:
            if event == "c_call":
                try:
                    wire = _C.get(arg) or _stream(arg)  # type: ignore[arg-type]
                except Exception:
                    return
                if wire is None:
                    return
                owner = student.cause(frame)
                if owner is None:
                    return
                if wire[1].startswith("sys._getframe") and owner is not frame:
                    return  # namedtuple, enum and typing look up the module's name with it
                if arg is print:
                    printing.append((owner, _written()))
                    return
                hits.note(*wire, owner)
            elif event == "c_return" and arg is print and printing:
                owner, before = printing.pop()
                if _written() != before or not _has_stream(owner):
                    hits.note(*_C[print], owner)
            elif event == "call":
                code = code_of(frame)
                if code is _BIND and self.binds is not None:
                    self.binds -= 1
                    if self.binds < 0:
                        self.binds, self.expired = None, True
                        raise TooLongError
                if frame.f_globals is namespace or code.co_filename in own_files:
                    hits.codes.setdefault(code)
                    return
                wire = wires.get(code) if code.co_filename in wired_files else None
                if wire is not None:
                    owner = student.cause(frame.f_back)
                    if owner is not None:
                        hits.note(*wire, owner)

        self.hook = hook

    def __enter__(self) -> Tripwires:
        self.before = trusted.getprofile()
        trusted.thread_setprofile(self.hook)
        trusted.setprofile(self.hook)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.tampered = trusted.getprofile() is not self.hook and not self.expired
        trusted.setprofile(self.before)
        trusted.thread_setprofile(None)  # type: ignore[arg-type]


def wire_for(function: object) -> _Wire | None:
    """The rule and words for a function known to be impure; None for all others."""
    try:
        found = _C.get(function)  # type: ignore[arg-type]
    except TypeError:
        return None
    if function is open:
        return ("file-access", "open() opens a file")
    return found or _PYTHON.get(getattr(function, "__code__", None))  # type: ignore[arg-type]
