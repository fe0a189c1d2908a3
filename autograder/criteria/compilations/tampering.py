"""Finds signs that a student's code tampers with the counting.

Compilations are counted in the student's own process, so the counting can be attacked there. There
are four independent checks: names of JAX that were replaced; an audit hook, which Python never
removes, on calls that change profiling or read frames; names that the code uses; and whether all
programs that entered the compiler were reported.
"""

from __future__ import annotations

import sys
from types import CodeType, FrameType

from autograder.core import jax_access
from autograder.core.seal import Seal
from autograder.criteria.compilations import messages
from autograder.criteria.compilations.watch import Watch

_EVENTS = """
    sys.setprofile sys._getframe sys._current_frames gc.get_objects gc.get_referrers
"""
_SUSPICIOUS = """
    clear_event_listeners unregister_event_duration_listener get_event_duration_listeners
    _event_duration_secs_listeners setprofile getprofile setprofile_all_threads _getframe
    _current_frames currentframe f_back tb_frame gi_frame get_referrers get_objects
"""
_AUDITED_EVENTS = frozenset(_EVENTS.split())
_SUSPICIOUS_NAMES = frozenset(_SUSPICIOUS.split())
# Functions in these files act for their callers.
_GO_BETWEENS = ("inspect.py", "threading.py", "traceback.py")

_jax = Seal(guarded=jax_access.GUARDED)
_active: list[Guard] = []


def _caller() -> FrameType | None:
    # sys._getframe would set off the audit hook again.
    try:
        raise LookupError
    except LookupError as error:
        traceback = error.__traceback__
        return traceback.tb_frame.f_back.f_back if traceback else None  # type: ignore[union-attr]


def _audit(event: str, _args: tuple) -> None:
    if not _active or event not in _AUDITED_EVENTS:
        return
    frame = _caller()
    while frame is not None and frame.f_code.co_filename.endswith(_GO_BETWEENS):
        frame = frame.f_back
    guard = _active[-1]
    if frame is not None and guard.watch.is_student(frame):
        guard.note(messages.TAMPER_CALL.format(what=event, line=frame.f_lineno))


sys.addaudithook(_audit)


def _suspicious_words(code: CodeType) -> set[str]:
    words = {*code.co_names, *(const for const in code.co_consts if isinstance(const, str))}
    return {w for w in words if w in _SUSPICIOUS_NAMES or w.split(".")[0] == "autograder"}


class Guard:
    """Collects signs of tampering in `found`, while a watch runs."""

    def __init__(self, watch: Watch) -> None:
        self.watch = watch
        self.found: list[str] = []
        watch.on_student_code = self._inspect

    def note(self, message: str) -> None:
        """Keep a sign that is new."""
        if message not in self.found:
            self.found.append(message)

    def _inspect(self, frame: FrameType) -> None:
        for word in sorted(_suspicious_words(frame.f_code)):
            line = frame.f_code.co_firstlineno
            self.note(messages.TAMPER_NAME.format(what=word, line=line))

    def _restore_names(self) -> None:
        for what in _jax.restore():
            self.note(messages.TAMPER_REPLACED.format(what=what))

    def start(self) -> None:
        """Start after the watch, before the first call of the student's function."""
        self._restore_names()
        before = len(self.watch.compilations)
        jax_access.jit(lambda x: x)(0)
        if len(self.watch.compilations) != before + 1:
            self.note(messages.TAMPER_DEAF)
        del self.watch.compilations[before:]
        self.watch.compiles_entered = 0
        _active.append(self)

    def check(self) -> None:
        """Note what was removed during a call, and restore it."""
        watch = self.watch
        lost = not watch.is_listening()
        if lost:
            self.note(messages.TAMPER_LISTENER)
        if jax_access.getprofile() is not watch.hook:
            lost = True
            self.note(messages.TAMPER_PROFILE)
        if lost:
            watch.stop()
            watch.start()
        self._restore_names()
        if watch.compiles_entered > len(watch.compilations):
            self.note(messages.TAMPER_BOOKS)
        watch.compiles_entered = len(watch.compilations)

    def stop(self) -> None:
        """Stop listening to audit events."""
        _active.remove(self)
