"""The audit hook: files, sockets, processes, threads, ctypes and tampering with hooks.

Python's audit hooks cannot be removed, so a student's code cannot switch this one off. It is
added once, when this package is imported, and does nothing outside a check.
"""

from __future__ import annotations

import sys
from types import CodeType, FrameType

from autograder.core.finding import ToldToStudent
from autograder.criteria.purity import trusted
from autograder.criteria.purity.hits import Hits

_EVENTS: dict[str, tuple[str, str]] = {
    "open": ("file-access", "a file is opened"),
    "os.listdir": ("file-access", "a folder is listed"),
    "os.scandir": ("file-access", "a folder is listed"),
    "os.mkdir": ("file-access", "a folder is created"),
    "os.rmdir": ("file-access", "a folder is deleted"),
    "os.remove": ("file-access", "a file is deleted"),
    "os.rename": ("file-access", "a file is renamed"),
    "os.truncate": ("file-access", "a file is cut"),
    "os.link": ("file-access", "a link is made"),
    "os.symlink": ("file-access", "a link is made"),
    "os.chmod": ("file-access", "a file's mode is changed"),
    "os.utime": ("file-access", "a file's time is changed"),
    "glob.glob": ("file-access", "a folder is listed"),
    "mmap.__new__": ("file-access", "memory is mapped"),
    "sqlite3.connect": ("file-access", "a database is opened"),
    "urllib.Request": ("network", "a web address is opened"),
    "webbrowser.open": ("process", "a browser is started"),
    "subprocess.Popen": ("process", "another program is started"),
    "os.system": ("process", "another program is started"),
    "os.exec": ("process", "the process is replaced"),
    "os.posix_spawn": ("process", "another program is started"),
    "os.fork": ("process", "the process is forked"),
    "os.forkpty": ("process", "the process is forked"),
    "os.kill": ("process", "a signal is sent"),
    "signal.pthread_kill": ("process", "a signal is sent"),
    "_thread.start_new_thread": ("thread", "a thread is started"),
    "_thread.start_joinable_thread": ("thread", "a thread is started"),
    "os.putenv": ("environment-changed", "an environment variable is changed"),
    "os.unsetenv": ("environment-changed", "an environment variable is deleted"),
    "os.chdir": ("environment-changed", "the current folder is changed"),
    "time.sleep": ("sleeps", "time.sleep() waits"),
    "builtins.input": ("reads-environment", "input() reads the keyboard"),
    "builtins.breakpoint": ("interpreter-changed", "breakpoint() starts the debugger"),
    "sys.setprofile": ("probe-tampered", "the profiler hook is changed"),
    "sys.settrace": ("probe-tampered", "the trace hook is changed"),
    "sys.addaudithook": ("probe-tampered", "an audit hook is added"),
    "sys._current_frames": ("inspects-interpreter", "the frames of all threads are read"),
    "gc.get_objects": ("inspects-interpreter", "gc.get_objects() reads all objects"),
    "gc.get_referrers": ("inspects-interpreter", "gc.get_referrers() reads other code's objects"),
    "gc.get_referents": ("inspects-interpreter", "gc.get_referents() reads inside objects"),
    "sys.monitoring.register_callback": ("probe-tampered", "a monitoring callback is set"),
}
_PREFIXES: dict[str, tuple[str, str]] = {
    "socket.": ("network", "a network socket is used"),
    "ctypes.": ("interpreter-changed", "ctypes reaches past Python"),
    "shutil.": ("file-access", "files are copied, moved or deleted"),
    "ftplib.": ("network", "a server is contacted"),
    "smtplib.": ("network", "a server is contacted"),
    "winreg.": ("file-access", "the registry is read"),
    "fcntl.": ("file-access", "a file is locked or changed"),
    "syslog.": ("logs", "a line is logged"),
}
# From here a student's code could reach the notes of this check and empty them.
_DENIED = (
    "gc.get_objects",
    "gc.get_referrers",
    "gc.get_referents",
    "sys._current_frames",
    "sys._getframe",
    "object.__getattr__",
)


class DeniedError(ToldToStudent, RuntimeError):
    """Keeps a student's code from looking into the interpreter while it is checked."""


_active: list[Hits] = []
_busy: list[bool] = []  # looking at frames raises audit events, too


def _hook(event: str, args: tuple) -> None:
    if not _active or _busy:
        return
    _busy.append(True)
    try:
        _note(event, args)
    finally:
        _busy.clear()


def _note(event: str, args: tuple) -> None:
    known = _EVENTS.get(event)
    if known is None:
        prefix = event.partition(".")[0] + "."
        known = _PREFIXES.get(prefix)
        if event == "object.__setattr__" and args[1] == "__code__":
            known = ("module-patched", "the code of a function is replaced")
        elif event == "sys._getframe" or (event == "object.__getattr__" and args[1] == "tb_frame"):
            caller = trusted.getframe(2)
            if _active[-1].student.owns_frame(caller):
                known = ("inspects-interpreter", "the frames of the callers are read")
        if known is None:
            return
    hits = _active[-1]
    frame = hits.student.cause(trusted.getframe(2), libraries=True)
    if frame is None:
        return
    rule, what = known
    if event in _DENIED:
        hits.note(rule, what, frame)
        raise DeniedError(f"{what}: not while the function is checked")
    if event == "open":
        what = f"{what} ({str(args[0])[-60:]})" if type(args[0]) in (str, bytes) else what
    hits.note(rule, what, frame)


sys.addaudithook(_hook)


def code_of(frame: FrameType) -> CodeType:
    """The code that a frame runs, read without an event of its own: there are very many frames."""
    _busy.append(True)
    code = frame.f_code
    _busy.pop()
    return code


class Audit:
    """Context manager: while it is open, the hook notes what the student's code causes."""

    def __init__(self, hits: Hits) -> None:
        self.hits = hits

    def __enter__(self) -> Audit:
        _active.append(self.hits)
        return self

    def __exit__(self, *exc: object) -> None:
        _active.clear()
