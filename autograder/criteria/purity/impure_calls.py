"""Lists the calls that no pure function makes, each with its rule.

The tables are made when this package is imported, before student code could replace a function.
"""

from __future__ import annotations

import _thread
import atexit
import builtins
import datetime
import gc
import inspect
import logging
import os
import posixpath
import random
import sys
import time
import warnings
import weakref
from collections.abc import Callable
from types import CodeType

import jax
import numpy as np

Impurity = tuple[str, str]
"""The rule of a finding, and a description of the call."""

_FILES = """
    os.listdir os.scandir os.mkdir os.rmdir os.remove os.rename os.truncate os.link os.symlink
    os.chmod os.utime glob.glob mmap.__new__ sqlite3.connect
"""
_GC_READS = "gc.get_objects gc.get_referrers gc.get_referents"
_AUDIT_EVENTS = (
    ("file-access", "a file is opened", "open"),
    ("file-access", "{}() uses the file system", _FILES),
    ("network", "a web address is opened", "urllib.Request"),
    ("process", "another program is started", "subprocess.Popen os.system os.posix_spawn"),
    ("process", "{}() acts on processes", "os.exec os.fork os.forkpty os.kill signal.pthread_kill"),
    ("process", "a browser is started", "webbrowser.open"),
    ("thread", "a thread is started", "_thread.start_new_thread _thread.start_joinable_thread"),
    ("environment-changed", "{}() changes the environment", "os.putenv os.unsetenv os.chdir"),
    ("sleeps", "time.sleep() waits", "time.sleep"),
    ("reads-environment", "input() reads the keyboard", "builtins.input"),
    ("interpreter-changed", "breakpoint() starts the debugger", "builtins.breakpoint"),
    ("probe-tampered", "the profiler hook is changed", "sys.setprofile"),
    ("probe-tampered", "the trace hook is changed", "sys.settrace"),
    ("probe-tampered", "an audit hook is added", "sys.addaudithook"),
    ("probe-tampered", "a monitoring callback is set", "sys.monitoring.register_callback"),
    ("inspects-interpreter", "the frames of all threads are read", "sys._current_frames"),
    ("inspects-interpreter", "{}() reads objects", _GC_READS),
)
AUDIT_EVENTS: dict[str, Impurity] = {
    event: (rule, what.format(event))
    for rule, what, events in _AUDIT_EVENTS
    for event in events.split()
}
AUDIT_PREFIXES: dict[str, Impurity] = {
    "socket.": ("network", "a network socket is used"),
    "ctypes.": ("interpreter-changed", "ctypes reaches past Python"),
    "shutil.": ("file-access", "files are copied, moved or deleted"),
    "ftplib.": ("network", "a server is contacted"),
    "smtplib.": ("network", "a server is contacted"),
    "winreg.": ("file-access", "the registry is read"),
    "fcntl.": ("file-access", "a file is locked or changed"),
    "syslog.": ("logs", "a line is logged"),
}

_TIME_SAFE = ("mktime", "struct_time", "tzset")
_SAFE = """
    fspath _path_normpath _path_splitroot _path_splitroot_ex _fspath strerror register_at_fork
    get_terminal_size device_encoding fsencode fsdecode
"""
_READS = """
    getpid getppid getuid getgid geteuid getegid getlogin getcwd getcwdb cpu_count process_cpu_count
    sched_getaffinity uname times getloadavg sysconf getpriority umask
"""
_PROCESS = "fork system kill killpg _exit abort posix_spawn execv"
_RANDOM = "urandom getrandom"
_CHANGES = "putenv unsetenv chdir fchdir"
_POSIX: dict[str, Impurity | None] = {
    **dict.fromkeys(_SAFE.split(), None),
    **dict.fromkeys(_READS.split(), ("reads-environment", "{} reads the state of the process")),
    **dict.fromkeys(_PROCESS.split(), ("process", "{} acts on processes")),
    **dict.fromkeys(_RANDOM.split(), ("random-state", "the system's random source is read")),
    **dict.fromkeys(_CHANGES.split(), ("environment-changed", "{} changes the environment")),
}
_SIGNAL = sys.modules["_signal"]  # `signal` wraps its functions
_SYS_READS = "getprofile gettrace _current_frames getrefcount _getframe"
_SETTING = "interpreter-changed"
_ENVIRON = type(os.environ)
_LOG_METHODS = "debug info warning error exception critical log"
_LISTENERS = [n for n in dir(jax.monitoring) if n.startswith(("clear", "register", "unregister"))]
_READS_VARIABLE = "an environment variable is read"
_CHANGES_VARIABLE = "an environment variable is changed"
_CALLS: tuple[tuple[object, str, str, str], ...] = (
    (datetime.datetime, "now utcnow today", "reads-clock", "{} reads the clock"),
    (datetime.date, "today", "reads-clock", "{} reads the clock"),
    (time, "sleep", "sleeps", "waits"),
    (builtins, "print", "prints", "print() is called"),
    (builtins, "input", "reads-environment", "input() reads the keyboard"),
    (warnings, "warn warn_explicit", "warns", "{} is called"),
    (sys, _SYS_READS, "inspects-interpreter", "{} inspects who is watching"),
    (sys, "setprofile settrace addaudithook", "probe-tampered", "{} is called"),
    (sys, "setrecursionlimit setswitchinterval", _SETTING, "{} is called"),
    (gc, "disable enable freeze set_threshold", _SETTING, "{} is called"),
    (gc, "get_objects get_referrers get_referents", "inspects-interpreter", "{} is called"),
    (_thread, "start_new_thread start_joinable_thread", "thread", "a thread is started"),
    (atexit, "register", "deferred-call", "a function is registered to run at exit"),
    (_SIGNAL, "signal alarm setitimer raise_signal", _SETTING, "{} is called"),
    (_ENVIRON, "__getitem__ __iter__ __len__ copy", "reads-environment", _READS_VARIABLE),
    (_ENVIRON, "__setitem__ __delitem__ setdefault", "environment-changed", _CHANGES_VARIABLE),
    (logging.Logger, _LOG_METHODS, "logs", "a line is logged ({name})"),
    (logging, _LOG_METHODS, "logs", "{} is called"),
    (weakref.finalize, "__init__", "deferred-call", "a finalizer is registered"),
    (type(jax.config), "update", "jax-config-changed", "jax.config is changed"),
    (jax, "clear_caches", "interpreter-changed", "{} is called"),
    (jax.monitoring, " ".join(_LISTENERS), "probe-tampered", "{}"),
    (inspect, "stack", "inspects-interpreter", "{} inspects the callers"),
    (inspect, "currentframe", "inspects-interpreter", "{} is called"),
    (posixpath, "exists", "file-access", "the file system is read"),
)

C_FUNCTIONS: dict[Callable, Impurity] = {}
PYTHON_FUNCTIONS: dict[CodeType, Impurity] = {}


def _add(owner: object, names: str, rule: str, what: str) -> None:
    home = owner.__name__.lstrip("_")  # type: ignore[attr-defined]
    for name in names.split():
        function = getattr(owner, name, None)
        impurity = rule, what.format(f"{home}.{name}()", name=name)
        code = getattr(inspect.unwrap(function), "__code__", None)  # type: ignore[arg-type]
        if inspect.isbuiltin(function):
            C_FUNCTIONS[function] = impurity
        elif type(code) is CodeType:
            PYTHON_FUNCTIONS[code] = impurity


def _fill_tables() -> None:
    clocks = vars(time).keys() - {*_TIME_SAFE, "sleep"}
    _add(time, " ".join(clocks), "reads-clock", "{} reads the clock")
    for name in vars(sys.modules[os.name]):
        impurity = _POSIX.get(name, ("file-access", "{} uses the file system"))
        if impurity is not None and not name.startswith("W"):
            _add(os, name, *impurity)
    for module in (random, np.random):
        for name, function in vars(module).items():
            owner = getattr(function, "__self__", None)
            if isinstance(owner, (random.Random, np.random.RandomState)) and name[:3] != "get":
                what = f"{module.__name__}.{name}() uses a hidden random state"
                C_FUNCTIONS[function] = ("random-state", what)
    for row in _CALLS:
        _add(*row)


_fill_tables()


def impurity_of(function: object) -> Impurity | None:
    """Return the rule and words for a function known to be impure; None for all others."""
    try:
        found = C_FUNCTIONS.get(function)  # type: ignore[arg-type]
    except TypeError:
        return None
    if function is open:
        return ("file-access", "open() opens a file")
    return found or PYTHON_FUNCTIONS.get(getattr(function, "__code__", None))  # type: ignore[arg-type]
