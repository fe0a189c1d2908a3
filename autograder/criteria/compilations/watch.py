"""Watches JAX compile: a monitoring listener, and a profile hook that sees what is being traced.

The listener is called in the thread that compiles, while it compiles, so the Python stack shows
the student's line and the call. The profile hook tells the student's programs from single
operations of a library.
"""

from __future__ import annotations

import _thread
import contextlib
import sys
import threading
from collections.abc import Callable, Collection
from dataclasses import dataclass
from types import FrameType, ModuleType
from typing import Any, Protocol

from autograder.core import jax_access
from autograder.core.quiet_modules import quiet_modules
from autograder.core.student_code import Line, called, student_files
from autograder.criteria.compilations import ownership
from autograder.criteria.compilations.key import Key, read_key

_NAMELESS = "<unknown>"
"""The name of a wrapper that JAX makes around one operation outside of jit, such as `shard_map`."""
_SHARED_NAMES = {"<string>", "<stdin>", "<unknown>"}  # many modules have code under these names
_STARTERS = ("start_new_thread", "start_joinable_thread")
_THREAD_STARTERS = [getattr(_thread, name) for name in _STARTERS if hasattr(_thread, name)]
_CLEAR, _AHEAD = jax_access.CLEAR_CODE, jax_access.AHEAD_CODE
_WATCHED_FILES = {code.co_filename for code in (_CLEAR, _AHEAD) if code is not None}


class Files(Protocol):
    """Names of files; more are added as their code runs."""

    def __contains__(self, file: object, /) -> bool: ...
    def add(self, file: str, /) -> None: ...


@dataclass(frozen=True)
class Compilation:
    """One program that reached the compiler; name, file and `def_line` are the function's."""

    call: int
    own: bool  # the student's program, rather than a library's
    name: str
    file: str
    def_line: int | None
    line: int | None  # of the student's that was running; None when the call came from elsewhere
    program: object  # its jaxpr; None if unknown
    key: Key

    @property
    def function(self) -> tuple:
        """What tells the function from others: its place, and the settings that it closes over.

        A `lambda` or `def` inside a function is another function for each of these.
        """
        return (self.name, self.file, self.def_line, *self.key.settings)


class Watch:
    """Context manager that collects `compilations`; `call` is the number of the current call.

    Args:
        namespace: of the module whose code is the student's.
        files: those that hold the student's code.
        frame_files: of these, the files whose code nobody else has.
        made: names of library functions that the student jits.
    """

    def __init__(
        self,
        namespace: dict[str, Any],
        files: Files,
        frame_files: Files,
        made: Collection[str] = (),
    ) -> None:
        self.namespace = namespace
        self.files = files
        self.frame_files = frame_files
        self.made = made
        self.call = 0
        self.compilations: list[Compilation] = []
        self.clears = 0
        self.ahead = False
        self.threads = False
        self._seen: set[int] = set()
        self._lowered = threading.local()
        self._previous_profile: object = None
        self.hook = self._make_hook()

    @classmethod
    def of(cls, function: object, module: ModuleType) -> Watch:
        """Watch the code of a student's module."""
        files = student_files(module)
        made = ownership.library_jits(function, module)
        return cls(vars(module), files, files - _SHARED_NAMES, made)

    def is_student(self, frame: FrameType) -> bool:
        """Check whether a frame runs the student's code."""
        return frame.f_globals is self.namespace or frame.f_code.co_filename in self.frame_files

    def is_outside(self, frame: FrameType) -> bool:
        """Check whether a frame is the student's, or the kit's call of the student's function.

        What called the kit, such as the line of `check(...)`, has compiled nothing.
        """
        return frame.f_code is called.__code__ or self.is_student(frame)

    def student_line(self, frame: FrameType | None) -> int | None:
        """Return the innermost line of the student's, at or above `frame`, that the kit called."""
        while frame is not None and not self.is_outside(frame):
            frame = frame.f_back
        return Line.of(frame) if frame is not None and self.is_student(frame) else None

    def _make_hook(self) -> Callable[[FrameType, str, object], None]:
        """Return the profile hook. It runs at every call of a function, so it must be quick."""
        namespace, frame_files = self.namespace, self.frame_files
        quiet = quiet_modules(_WATCHED_FILES, standard=True)

        def hook(frame: FrameType, event: str, arg: object) -> None:
            if event == "call":
                names = frame.f_globals
                try:
                    if names is not namespace and names.get("__name__") in quiet:
                        return
                except TypeError:  # a name that the student's code has made up
                    pass
                code = frame.f_code
                if names is namespace or code.co_filename in frame_files:
                    self._student_call(frame)
                elif code is _CLEAR:
                    self.clears += 1
                elif code is _AHEAD:
                    self.ahead = True
            elif event == "c_call" and arg in _THREAD_STARTERS:
                self.threads = True

        return hook

    def _student_call(self, frame: FrameType) -> None:
        code = frame.f_code
        if id(code) not in self._seen:
            self._seen.add(id(code))
            self.files.add(code.co_filename)

    def _listen(self, event: str, duration_secs: float, **kwargs: str | int) -> None:
        if event == jax_access.LOWER_EVENT:
            frames = list(ownership.frames_below(sys._getframe(1), self.is_outside))
            found = ownership.program_in(frames), self._read_key(frames)
            vars(self._lowered)[str(kwargs.get("fun_name"))] = found
        elif event == jax_access.COMPILE_EVENT:
            self._add_compilation(sys._getframe(1), str(kwargs.get("fun_name")))

    def _read_key(self, frames: list[FrameType]) -> Key:
        try:
            return read_key(frames, self.clears, ownership.transforms_in(frames))
        except Exception:  # objects of the student's are looked at: their call must go on
            return Key()

    def _add_compilation(self, frame: FrameType, fun_name: str) -> None:
        lowered, key = vars(self._lowered).pop(fun_name, (None, Key()))
        frames = list(ownership.frames_below(frame, self.is_outside))
        program = ownership.program_in(frames) or lowered
        by_hand = ownership.is_compiled_by_hand(frames)
        source: tuple[str, str, int | None] | None = None
        if program is not None:
            key = key if by_hand else self._read_key(frames)
            source = ownership.owner_of(program, self.files, self.made, key)
        elif by_hand:
            source = fun_name.removeprefix("jit(").removesuffix(")"), "", None
        name, file, line = source or ("", "", None)
        self.compilations.append(
            Compilation(
                call=self.call,
                own=source is not None,
                name="" if name == _NAMELESS else name,
                file=file,
                def_line=line,
                line=self.student_line(frame),
                program=program,
                key=key,
            )
        )

    def start(self) -> None:
        jax_access.register_listener(self._listen)
        jax_access.set_thread_profile(self.hook)
        jax_access.setprofile(self.hook)

    def stop(self) -> None:
        jax_access.setprofile(self._previous_profile)  # type: ignore[arg-type]
        jax_access.set_thread_profile(self._previous_thread_profile)  # type: ignore[arg-type]
        with contextlib.suppress(AssertionError):  # the code being checked has removed it
            jax_access.unregister_listener(self._listen)

    def __enter__(self) -> Watch:
        self._previous_profile = jax_access.getprofile()
        self._previous_thread_profile = threading.getprofile()
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()
