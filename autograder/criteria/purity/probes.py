"""Watches the calls that no pure function makes, by an audit hook and a profiler hook.

The audit hook is added once, when this package is imported, and does nothing outside of a check.
The profiler hook counts only calls made by the student's own frames (through the standard library,
never through JAX): JAX reads clocks and environment variables for itself.
"""

from __future__ import annotations

import inspect
import io
import pkgutil
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import CodeType, FrameType
from typing import Any

from jax.extend.core import Primitive

from autograder.criteria.purity.student import StudentModule
from autograder.programs import jax_access

_LIBRARIES = frozenset({"jax", "jaxlib", "numpy", "optax", "ml_dtypes"})

Impurity = tuple[str, str]
"""The rule of a finding, and a description of the call."""

_LOGGING = "debug info warning error exception critical log"
_WATCHED: dict[str, tuple[str, str]] = {
    "reads-clock": (
        "{} reads the clock",
        "time: *; datetime.datetime: now utcnow today; datetime.date: today",
    ),
    "sleeps": ("{} waits", "time: sleep"),
    "random-state": (
        "{} uses a hidden random state",
        "random: *; numpy.random: *; os: urandom getrandom",
    ),
    "prints": ("{} is called", "builtins: print"),
    "warns": ("{} is called", "warnings: warn warn_explicit"),
    "logs": (
        "a line is logged: {} is called",
        f"logging: {_LOGGING}; logging.Logger: {_LOGGING}; syslog: *",
    ),
    "file-access": (
        "{} uses the file system",
        "os: *; posixpath: exists; glob: glob; mmap: __new__; sqlite3: connect; shutil: *; "
        "fcntl: *; winreg: *",
    ),
    "network": ("{} uses the network", "urllib: Request; socket: *; ftplib: *; smtplib: *"),
    "process": (
        "{} acts on processes",
        "os: exec execv fork forkpty kill killpg system posix_spawn _exit abort; "
        "subprocess: Popen; webbrowser: open",
    ),
    "thread": ("{} starts a thread", "_thread: start_new_thread start_joinable_thread"),
    "environment-changed": (
        "{} changes the environment",
        "os: putenv unsetenv chdir fchdir; os.environ: __setitem__ __delitem__ setdefault",
    ),
    "reads-environment": (
        "{} reads the environment",
        "builtins: input; os.environ: __getitem__ __iter__ __len__ copy; os: getpid getppid getuid "
        "getgid geteuid getegid getlogin getcwd getcwdb cpu_count uname process_cpu_count "
        "sched_getaffinity times getloadavg sysconf getpriority umask",
    ),
    "interpreter-changed": (
        "{} changes the interpreter",
        "builtins: breakpoint; sys: setprofile settrace setrecursionlimit setswitchinterval; "
        "gc: disable enable freeze set_threshold; _signal: signal alarm setitimer raise_signal; "
        "ctypes: *; jax: clear_caches; jax.monitoring: clear_event_listeners "
        "register_event_listener register_event_duration_secs_listener "
        "unregister_event_listener unregister_event_duration_listener",
    ),
    "jax-config-changed": ("{} is called", "jax.config: update"),
    "inspects-interpreter": (
        "{} inspects the interpreter",
        "sys: getprofile gettrace getrefcount _current_frames; inspect: stack currentframe; "
        "gc: get_objects get_referrers get_referents",
    ),
    "deferred-call": ("{} registers a later call", "atexit: register; weakref.finalize: __init__"),
    "": (
        "{} is harmless",
        "os: fspath strerror register_at_fork get_terminal_size device_encoding; "
        "time: mktime tzset; numpy.random: get_state default_rng",
    ),
}
"""By rule: the message, and the audit events and functions. A star is all others of a module."""
_EVENTS: dict[str, Impurity] = {"open": ("file-access", "a file is opened")}
_C_FUNCTIONS: dict[Callable, Impurity] = {}
_PYTHON_FUNCTIONS: dict[CodeType, Impurity] = {}
_PATCHED = ("module-patched", "the code of a function is replaced")
_FRAMES = ("inspects-interpreter", "the frames of the callers are read")
_STREAM_METHODS = {"write", "writelines", "flush", "read", "readline", "readlines", "truncate"}
# What `logging` does for each line that is logged, which is a finding already.
_OF_A_LOG = ("prints", "reads-clock", "reads-environment")
_IN_MEMORY = (io.StringIO, io.BytesIO)
# `TooLongError` is raised only in a frame of this function. A finalizer would swallow it.
_BIND = Primitive.bind.__code__


def _fill_tables() -> None:
    rows = [
        (rule, words, *row.split(":"))
        for rule, (words, text) in _WATCHED.items()
        for row in text.split(";")
    ]
    for rule, words, owner, names in sorted(rows, key=lambda row: "*" in row[3]):
        owner = owner.strip()
        loaded = owner.partition(".")[0] in sys.modules
        home: Any = pkgutil.resolve_name(owner) if loaded else None
        for name in names.split() if "*" not in names else dir(home):
            function = getattr(home, name, None)
            code = getattr(inspect.unwrap(function), "__code__", None)  # type: ignore[arg-type]
            impurity = rule, words.format(f"{owner.lstrip('_')}.{name}()".removeprefix("builtins."))
            if inspect.isbuiltin(function) and ("*" not in names or name[:1] != "_"):
                _C_FUNCTIONS.setdefault(function, impurity)
            elif type(code) is CodeType and "*" not in names:
                _PYTHON_FUNCTIONS[code] = impurity
            if "*" not in names:
                _EVENTS[f"{owner}.{name}"] = impurity
        if "*" in names:
            _EVENTS[f"{owner}."] = rule, words.format(owner)


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
        """Note a call that a pure function does not make."""
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
    try:
        known = _EVENTS.get(event) or _EVENTS.get(event.partition(".")[0] + ".")
        if event == "object.__setattr__" and args[1] == "__code__":
            known = _PATCHED
        elif event == "sys._getframe" or (event == "object.__getattr__" and args[1] == "tb_frame"):
            known = _FRAMES if _active[-1].student.owns_frame(jax_access.getframe(1)) else None
        if known is None:
            return
        frame = _active[-1].student.cause(jax_access.getframe(1), libraries=True)
        if frame is not None:
            rule, what = known
            if event == "open" and type(args[0]) in (str, bytes):
                what = f"{what} ({str(args[0])[-60:]})"
            _active[-1].note(rule, what, frame)
            if _active[-1].stops:
                raise TooLongError
    finally:
        _busy.clear()


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
    counted = set() if operations is None else {_BIND.co_filename}
    quiet = _quiet_modules(impure_files | counted)
    printing: list[tuple[FrameType, int]] = []

    def hook(frame: FrameType, event: str, arg: object) -> None:
        nonlocal left
        names = frame.f_globals
        try:  # no `contextlib.suppress`, which would double what this hook takes at each call
            if names is not namespace and names.get("__name__") in quiet:
                return
        except TypeError:  # a name that the student's code has made up
            pass
        if event == "c_call":
            try:
                found = _C_FUNCTIONS.get(arg) or _stream_use(arg)  # type: ignore[arg-type]
            except Exception:
                return
            owner = student.cause(frame) if found is not None and found[0] else None
            if found is None or owner is None:
                return
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


def _quiet_modules(watched_files: set[str]) -> frozenset[str]:
    """Return the names of the modules of JAX and NumPy that are in none of these files.

    The hook looks for functions in these files, and most calls are inside of JAX. To read a frame's
    code is slow, since it is an event for every audit hook. To read its module's name is not.
    """
    return frozenset(
        name
        for name, module in list(sys.modules.items())
        if name.partition(".")[0] in _LIBRARIES
        and getattr(module, "__file__", None) not in watched_files
    )
