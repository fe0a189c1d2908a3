"""Watches the calls that no pure function makes, by an audit hook and a profiler hook.

The audit hook is added once, when this package is imported, and does nothing outside of a check.
The profiler hook counts only calls made by the student's own frames (through the standard library,
never through JAX): JAX reads clocks and environment variables for itself.
"""

from __future__ import annotations

import _thread
import atexit
import builtins
import contextlib
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
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import CodeType, FrameType

import jax
import numpy as np
from jax.extend.core import Primitive

from autograder.core import jax_access
from autograder.core.quiet_modules import quiet_modules
from autograder.criteria.purity.student import StudentModule

Impurity = tuple[str, str]
"""The rule of a finding, and a description of the call."""

_FILES = """
    os.listdir os.scandir os.mkdir os.rmdir os.remove os.rename os.truncate os.link os.symlink
    os.chmod os.utime glob.glob mmap.__new__ sqlite3.connect
"""
_EVENTS: dict[str, Impurity] = {
    event: (rule, what.format(event))
    for rule, what, events in (
        ("file-access", "a file is opened", "open"),
        ("file-access", "{}() uses the file system", _FILES),
        ("network", "a web address is opened", "urllib.Request"),
        ("process", "another program is started", "subprocess.Popen os.system os.posix_spawn"),
        ("process", "{}() acts on processes", "os.exec os.fork os.forkpty os.kill"),
        ("process", "a browser is started", "webbrowser.open"),
        ("thread", "a thread is started", "_thread.start_new_thread _thread.start_joinable_thread"),
        ("environment-changed", "{}() changes the environment", "os.putenv os.unsetenv os.chdir"),
        ("sleeps", "time.sleep() waits", "time.sleep"),
        ("reads-environment", "input() reads the keyboard", "builtins.input"),
        ("interpreter-changed", "breakpoint() starts the debugger", "builtins.breakpoint"),
        ("interpreter-changed", "{}() changes a hook", "sys.setprofile sys.settrace"),
        ("inspects-interpreter", "the frames of all threads are read", "sys._current_frames"),
    )
    for event in events.split()
}
_EVENT_PREFIXES: dict[str, Impurity] = {
    "socket.": ("network", "a network socket is used"),
    "ctypes.": ("interpreter-changed", "ctypes reaches past Python"),
    "shutil.": ("file-access", "files are copied, moved or deleted"),
    "ftplib.": ("network", "a server is contacted"),
    "smtplib.": ("network", "a server is contacted"),
    "winreg.": ("file-access", "the registry is read"),
    "fcntl.": ("file-access", "a file is locked or changed"),
    "syslog.": ("logs", "a line is logged"),
}

_NOTHING = """
    fspath _path_normpath _path_splitroot _path_splitroot_ex _fspath strerror register_at_fork
    get_terminal_size device_encoding fsencode fsdecode
"""
_STATE_OF_PROCESS = """
    getpid getppid getuid getgid geteuid getegid getlogin getcwd getcwdb cpu_count process_cpu_count
    sched_getaffinity uname times getloadavg sysconf getpriority umask
"""
_ACTS, _ENVIRONMENT = (
    "fork system kill killpg _exit abort posix_spawn execv",
    "putenv unsetenv chdir",
)
_OS: dict[str, Impurity | None] = {
    **dict.fromkeys(_NOTHING.split(), None),
    **dict.fromkeys(
        _STATE_OF_PROCESS.split(), ("reads-environment", "{} reads the state of the process")
    ),
    **dict.fromkeys(_ACTS.split(), ("process", "{} acts on processes")),
    **dict.fromkeys(
        ("urandom", "getrandom"), ("random-state", "the system's random source is read")
    ),
    **dict.fromkeys(
        (*_ENVIRONMENT.split(), "fchdir"), ("environment-changed", "{} changes the environment")
    ),
}
"""What the system's own module does; all of it that is not listed uses the file system."""

_READS_VARIABLE, _CHANGES_VARIABLE = (
    "an environment variable is read",
    "an environment variable is changed",
)
_LOG_METHODS = "debug info warning error exception critical log"
_CALLS: tuple[tuple[object, str, str, str], ...] = (
    (datetime.datetime, "now utcnow today", "reads-clock", "{} reads the clock"),
    (datetime.date, "today", "reads-clock", "{} reads the clock"),
    (time, "sleep", "sleeps", "waits"),
    (builtins, "print", "prints", "print() is called"),
    (builtins, "input", "reads-environment", "input() reads the keyboard"),
    (warnings, "warn warn_explicit", "warns", "{} is called"),
    (sys, "getprofile gettrace _current_frames getrefcount _getframe", "inspects-interpreter",
     "{} inspects the interpreter"),
    (sys, "setrecursionlimit setswitchinterval", "interpreter-changed", "{} is called"),
    (gc, "disable enable freeze set_threshold", "interpreter-changed", "{} is called"),
    (gc, "get_objects get_referrers get_referents", "inspects-interpreter", "{} is called"),
    (_thread, "start_new_thread start_joinable_thread", "thread", "a thread is started"),
    (atexit, "register", "deferred-call", "a function is registered to run at exit"),
    (sys.modules["_signal"], "signal alarm setitimer raise_signal", "interpreter-changed",
     "{} is called"),
    (type(os.environ), "__getitem__ __iter__ __len__ copy", "reads-environment", _READS_VARIABLE),
    (type(os.environ), "__setitem__ __delitem__ setdefault", "environment-changed",
     _CHANGES_VARIABLE),
    (logging.Logger, _LOG_METHODS, "logs", "a line is logged ({name})"),
    (logging, _LOG_METHODS, "logs", "{} is called"),
    (weakref.finalize, "__init__", "deferred-call", "a finalizer is registered"),
    (type(jax.config), "update", "jax-config-changed", "jax.config is changed"),
    (jax, "clear_caches", "interpreter-changed", "{} is called"),
    (jax.monitoring, " ".join(n for n in dir(jax.monitoring) if "register" in n or "clear" in n),
     "interpreter-changed", "{} is called"),
    (inspect, "stack currentframe", "inspects-interpreter", "{} inspects the callers"),
    (posixpath, "exists", "file-access", "the file system is read"),
)  # fmt: skip
_C_FUNCTIONS: dict[Callable, Impurity] = {}
_PYTHON_FUNCTIONS: dict[CodeType, Impurity] = {}
_STREAM_METHODS = {"write", "writelines", "flush", "read", "readline", "readlines", "truncate"}
# What `logging` does for each line that is logged, which is a finding already.
_OF_A_LOG = ("prints", "reads-clock", "reads-environment")
_IN_MEMORY = (io.StringIO, io.BytesIO)
# `TooLongError` is raised only in a frame of this function. A finalizer would swallow it.
_BIND = Primitive.bind.__code__


def _add(owner: object, names: str, rule: str, what: str) -> None:
    home = owner.__name__.lstrip("_")  # type: ignore[attr-defined]
    for name in names.split():
        function = getattr(owner, name, None)
        impurity = rule, what.format(f"{home}.{name}()", name=name)
        code = getattr(inspect.unwrap(function), "__code__", None)  # type: ignore[arg-type]
        if inspect.isbuiltin(function):
            _C_FUNCTIONS[function] = impurity
        elif type(code) is CodeType:
            _PYTHON_FUNCTIONS[code] = impurity


def _fill_tables() -> None:
    clocks = vars(time).keys() - {"mktime", "struct_time", "tzset", "sleep"}
    _add(time, " ".join(clocks), "reads-clock", "{} reads the clock")
    for name in vars(sys.modules[os.name]):
        impurity = _OS.get(name, ("file-access", "{} uses the file system"))
        if impurity is not None and not name.startswith("W"):
            _add(os, name, *impurity)
    for module in (random, np.random):
        for name, function in vars(module).items():
            owner = getattr(function, "__self__", None)
            if isinstance(owner, (random.Random, np.random.RandomState)) and name[:3] != "get":
                what = f"{module.__name__}.{name}() uses a hidden random state"
                _C_FUNCTIONS[function] = ("random-state", what)
    for row in _CALLS:
        _add(*row)


_fill_tables()


class TooLongError(BaseException):
    """Ends a run that takes too long, or that would touch the system where nobody asked for it."""


@dataclass
class Calls:
    """Holds the watched calls of an experiment, by (rule, line, file), and the code that ran."""

    student: StudentModule
    stops: bool = False
    """Whether the call ends before an audit event that is noted."""
    found: dict[tuple[str, int, str], str] = field(default_factory=dict)
    codes: dict[CodeType, None] = field(default_factory=dict)

    def note(self, rule: str, what: str, frame: FrameType) -> None:
        if rule in ("prints", "logs") and _inside_debug_callback(frame):
            rule, what = "debug-print", "jax.debug.callback writes on the screen"
        line, file = frame.f_lineno or 0, frame.f_code.co_filename
        logs = any((other, line, file) in self.found for other in ("logs", "debug-print"))
        if not (logs and rule in _OF_A_LOG):
            self.found.setdefault((rule, line, file), what)


def _inside_debug_callback(frame: FrameType | None) -> bool:
    while frame is not None:
        name = frame.f_code.co_filename
        if name.endswith("debugging.py") and "jax" in name:
            return True
        frame = frame.f_back
    return False


_active: list[Calls] = []
_busy: list[bool] = []  # reading frames raises audit events, too


def _hook(event: str, args: tuple) -> None:
    if not _active or _busy:
        return
    _busy.append(True)
    noted = len(_active[-1].found)
    try:
        known = _EVENTS.get(event) or _EVENT_PREFIXES.get(event.partition(".")[0] + ".")
        if event == "object.__setattr__" and args[1] == "__code__":
            known = ("module-patched", "the code of a function is replaced")
        elif (
            event == "sys._getframe" or (event == "object.__getattr__" and args[1] == "tb_frame")
        ) and _active[-1].student.owns_frame(jax_access.getframe(1)):
            known = ("inspects-interpreter", "the frames of the callers are read")
        if known is None:
            return
        frame = _active[-1].student.cause(jax_access.getframe(1), libraries=True)
        if frame is not None:
            rule, what = known
            if event == "open" and type(args[0]) in (str, bytes):
                what = f"{what} ({str(args[0])[-60:]})"
            _active[-1].note(rule, what, frame)
    finally:
        _busy.clear()
    if _active[-1].stops and len(_active[-1].found) > noted:
        raise TooLongError


sys.addaudithook(_hook)


def _code_of(frame: FrameType) -> CodeType:
    """Read the code of a frame without handling the audit event: there are very many frames."""
    _busy.append(True)
    try:
        return frame.f_code
    finally:  # at the limit of recursion, this event raises
        _busy.pop()


def _count_written() -> int:
    """Count the characters written to the captured screen."""
    return sys.stdout.tell() if issubclass(type(sys.stdout), io.StringIO) else -1


def _stream_use(function: object) -> Impurity | None:
    """Name the use of a file or terminal that was opened elsewhere."""
    name = function.__name__  # type: ignore[attr-defined]
    owner = getattr(function, "__self__", None)
    if name not in _STREAM_METHODS or not issubclass(type(owner), io.IOBase):
        return None
    if type(owner) in _IN_MEMORY:
        return None
    if owner in (sys.__stdout__, sys.__stderr__, sys.stdout, sys.stderr):
        return ("prints", f"{name}() on the standard output is called")
    return ("file-access", f"{name}() on a file is called")


@contextmanager
def audit(calls: Calls) -> Iterator[None]:
    """Context manager: note in `calls` what Python's audit events show."""
    _active.append(calls)
    try:
        yield
    finally:
        _active.clear()


@contextmanager
def profile(calls: Calls, operations: int | None = None) -> Iterator[None]:
    """Context manager: note in `calls` the student's impure calls, and the code that runs.

    The run is ended, by `TooLongError`, after `operations` operations of JAX. They are counted, not
    timed, so that the same code always ends at the same operation.
    """
    student, left = calls.student, operations
    namespace, own_files = student.namespace, student.own_files
    streams = (sys.__stdout__, sys.__stderr__, sys.stdout, sys.stderr)
    codes = [getattr(type(s).write, "__code__", None) for s in streams if s is not None]
    on_screen: Impurity = ("prints", "the standard output is written to")
    impure = {code: on_screen for code in codes if code is not None} | _PYTHON_FUNCTIONS
    # Files are compared first: hashing code is slow, and `id` raises an audit event.
    impure_files = {code.co_filename for code in impure}
    quiet = quiet_modules({*impure_files, _BIND.co_filename})
    printing: list[tuple[FrameType, int]] = []

    def hook(frame: FrameType, event: str, arg: object) -> None:
        nonlocal left
        names = frame.f_globals
        with contextlib.suppress(TypeError):  # a name that the student's code has made up
            if names is not namespace and names.get("__name__") in quiet:
                return
        if event == "c_call":
            try:
                found = _C_FUNCTIONS.get(arg) or _stream_use(arg)  # type: ignore[arg-type]
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
                calls.note(*found, owner)
        elif event == "c_return" and arg is print and printing:
            owner, before = printing.pop()
            in_memory = any(type(value) in _IN_MEMORY for value in owner.f_locals.values())
            if _count_written() != before or not in_memory:  # into a text buffer of its own
                calls.note(*_C_FUNCTIONS[print], owner)
        elif event == "call":
            code = _code_of(frame)
            if code is _BIND and left is not None:
                left -= 1
                if left < 0:
                    left = None
                    raise TooLongError
            if names is namespace or code.co_filename in own_files:
                calls.codes.setdefault(code)
            elif code.co_filename in impure_files and code in impure:
                owner = student.cause(frame.f_back)
                if owner is not None:
                    calls.note(*impure[code], owner)

    before = jax_access.getprofile()
    jax_access.set_thread_profile(hook)
    jax_access.setprofile(hook)
    try:
        yield
    finally:
        jax_access.setprofile(before)
        jax_access.set_thread_profile(None)  # type: ignore[arg-type]
