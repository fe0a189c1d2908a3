"""Signs that a student's code works on the counting instead of the task.

Counting happens in the student's own process, so it can be attacked there. Four independent
checks: names of JAX replaced before the call, an audit hook (which Python never removes) on calls
that change profiling or read frames, names used in the code that ran, and the books: programs
that entered the compiler against programs that were reported.
"""

from __future__ import annotations

import sys
from types import CodeType, FrameType

from autograder.core import jax_access
from autograder.criteria.compilations import messages
from autograder.criteria.compilations.watch import Watch

_AUDITED = {
    "sys.setprofile",
    "sys._getframe",
    "sys._current_frames",
    "gc.get_objects",
    "gc.get_referrers",
}
_NAMES = {
    "clear_event_listeners",
    "unregister_event_duration_listener",
    "get_event_duration_listeners",
    "_event_duration_secs_listeners",
    "setprofile",
    "getprofile",
    "setprofile_all_threads",
    "_getframe",
    "_current_frames",
    "currentframe",
    "f_back",
    "tb_frame",
    "gi_frame",
    "get_referrers",
    "get_objects",
}
# Frames of these only pass a caller's question on.
_GO_BETWEENS = ("inspect.py", "threading.py", "traceback.py")

_active: list[tuple[Watch, list[str]]] = []
_state = {"installed": False}


def _caller() -> FrameType | None:
    # sys._getframe would set off the audit hook again.
    try:
        raise LookupError
    except LookupError as error:
        traceback = error.__traceback__
        return traceback.tb_frame.f_back.f_back if traceback else None  # type: ignore[union-attr]


def _audit(event: str, _args: tuple) -> None:
    if not _active or event not in _AUDITED:
        return
    frame = _caller()
    while frame is not None and frame.f_code.co_filename.endswith(_GO_BETWEENS):
        frame = frame.f_back
    watch, found = _active[-1]
    if frame is not None and watch.is_student(frame):
        _note(found, messages.TAMPER_CALL.format(what=event, line=frame.f_lineno))


def _note(found: list[str], message: str) -> None:
    if message not in found:
        found.append(message)


def _words(code: CodeType) -> set[str]:
    """Names and whole strings in a function's code that have no business there."""
    constants = {const for const in code.co_consts if isinstance(const, str)}
    grader = {word for word in {*code.co_names, *constants} if word.split(".")[0] == "autograder"}
    return ({*code.co_names, *constants} & _NAMES) | grader


class Guard:
    """Collects signs of tampering in `found` while a watch runs."""

    def __init__(self, watch: Watch) -> None:
        self.watch = watch
        self.found: list[str] = []
        self._entered = 0
        self._reported = 0
        watch.on_student_code = self._inspect

    def _inspect(self, frame: FrameType) -> None:
        for word in sorted(_words(frame.f_code)):
            line = frame.f_code.co_firstlineno
            _note(self.found, messages.TAMPER_NAME.format(what=word, line=line))

    def _restore_names(self) -> None:
        for owner, name, value in jax_access.GUARDED:
            if getattr(owner, name, None) is not value:
                setattr(owner, name, value)
                what = f"{owner.__name__}.{name}"
                _note(self.found, messages.TAMPER_REPLACED.format(what=what))

    def _canary(self) -> None:
        before = len(self.watch.compilations)
        jax_access.jit(lambda x: x)(0)
        if len(self.watch.compilations) != before + 1:
            _note(self.found, messages.TAMPER_DEAF)
        del self.watch.compilations[before:]
        self.watch.compiles_entered = 0

    def start(self) -> None:
        """To be called inside the watch, before the first call of the student's function."""
        if not _state["installed"]:
            sys.addaudithook(_audit)
            _state["installed"] = True
        self._restore_names()
        self._canary()
        _active.append((self.watch, self.found))

    def check(self) -> None:
        """After a call: note what was taken away during it, and put it back."""
        watch = self.watch
        lost = not watch.listening()
        if lost:
            _note(self.found, messages.TAMPER_LISTENER)
        if jax_access.getprofile() is not watch.hook:
            lost = True
            _note(self.found, messages.TAMPER_PROFILE)
        if lost:
            watch.stop()
            watch.start()
        self._restore_names()
        if watch.compiles_entered > len(watch.compilations):
            _note(self.found, messages.TAMPER_BOOKS)
        watch.compiles_entered = len(watch.compilations)

    def stop(self) -> None:
        _active[:] = [entry for entry in _active if entry[0] is not self.watch]
